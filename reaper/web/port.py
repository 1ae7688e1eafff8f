"""
The port: who asks is asked first, and each route says what one must be for it.

A route that is not in the list is for operators alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

from aiohttp import web
from aiohttp.typedefs import Handler

from reaper.domain.escalation.token import opened
from reaper.edge.secrets import secret
from reaper.ports import ReaperError, StoreError
from reaper.schema import Secret
from reaper.web.access import sign_in
from reaper.web.access.links import Links
from reaper.web.access.oidc import Provider
from reaper.web.access.sealing import Seal
from reaper.web.access.sessions import Sessions
from reaper.web.access.sign_in import Asker, SignIn
from reaper.web.access.unauthenticated import entering
from reaper.web.access.visitor import (
    STRANGER,
    Least,
    NotYoursError,
    StrangerError,
    asked_who,
    remember,
    visitor,
)
from reaper.web.attempts import Attempts
from reaper.web.exposition.machines import METRICS, Machines
from reaper.web.given import Given
from reaper.web.guards import known_hosts, plain
from reaper.web.html.desk import Desk
from reaper.web.html.doing import Doing
from reaper.web.html.forms import ForgedError
from reaper.web.html.page import Look, Page
from reaper.web.html.pages import Pages
from reaper.web.json_api.routes import Api, NoReportError
from reaper.web.json_api.statuses import status_of, tellable
from reaper.web.json_api.told import installed
from reaper.web.roles import OidcSignIn, ProxySignIn
from reaper.web.settings import WebSettings

#: Bytes of the largest body; a door's is larger, since a click comes with what was clicked.
LARGEST: Final = 16 * 1024
_LARGEST_CLICK: Final = 128 * 1024

#: Real seconds after which a page fetches itself again; less often than a step, on any clock.
_REFRESH: Final = 15.0
_OFTENEST: Final = 2.0

#: What one must be for each route, by its pattern.
LEAST: Final[Mapping[str, Least]] = {
    "/healthz": Least.ANYBODY,
    "/readyz": Least.ANYBODY,
    "/answer/{token}": Least.ANYBODY,
    sign_in.BEGIN: Least.ANYBODY,
    sign_in.BACK: Least.ANYBODY,
    sign_in.END: Least.OWNER,
    "/": Least.OWNER,
    "/mine": Least.OWNER,
    "/allocation/{platform}/{id}": Least.OWNER,
    "/ask/{verb}/{platform}/{id}": Least.OWNER,
    "/do/{verb}/{name}": Least.OWNER,
    "/api/v1/status": Least.OWNER,
    "/api/v1/allocations/{platform}/{id}": Least.OWNER,
    "/api/v1/explain": Least.OWNER,
    "/api/v1/mine": Least.OWNER,
    "/api/v1/openapi.json": Least.OWNER,
    "/report": Least.MANAGER,
    "/api/v1/report": Least.MANAGER,
}


def least_for(request: web.Request) -> Least:
    """Return what one must be for what is asked; what does not exist tells nobody anything."""
    resource = request.match_info.route.resource
    return LEAST.get(resource.canonical, Least.OPERATOR) if resource else Least.ANYBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """Everything that is served, on the port to those who may see it."""

    desk: Desk
    api: Api
    machines: Machines
    given: Given
    settings: WebSettings
    asker: Asker
    provider: Provider | None

    @classmethod
    def of(cls, given: Given, settings: WebSettings, api: Api) -> "Port":
        """Compose a port; raise SecretError for a secret that cannot be read."""
        way = settings.sign_in
        seal = Seal(given.key).derived("pages")
        sessions = Sessions(
            seal=seal,
            roles=settings.roles,
            secure=settings.https,
            lasts=way.session if isinstance(way, OidcSignIn) else 0.0,
        )
        desk = Desk(
            questions=given.questions,
            requests=given.requests,
            clock=given.clock,
            told_by=given.told_by,
            settings=settings,
            page=Page(_look(given, settings)),
            seal=seal,
            sessions=sessions,
            policies=given.policies,
            reads=given.reads,
            languages=given.languages,
        )
        return cls(
            desk=desk,
            api=api,
            machines=_machines(given, settings),
            given=given,
            settings=settings,
            asker=Asker(settings=settings, sessions=sessions, proxy_secret=_proxy_secret(settings)),
            provider=_provider(given, settings),
        )

    def application(self) -> web.Application:
        """Return the application of the port."""
        names, listen = self.settings.names, self.settings.listen
        known = names if listen.loopback else names | {listen.host}
        free = _PROBED | ({"/metrics"} if self.settings.sign_in else set())
        app = web.Application(
            middlewares=[plain, self.spoken, known_hosts(known, free), self.asking],
            client_max_size=_LARGEST_CLICK if self.given.doors else LARGEST,
        )
        self.machines.add(app.router)
        self.api.read(app.router)
        Pages(desk=self.desk, report=self.given.report).add(app.router)
        attempts = Attempts(elapsed=self.given.clock.elapsed)
        for door in self.given.doors:
            app.router.add_post(door.path, entering(door))
        Doing(desk=self.desk).add(app.router)
        Links(desk=self.desk, key=self.given.key, attempts=attempts).add(app.router)
        SignIn(desk=self.desk, attempts=attempts, provider=self.provider).add(app.router)
        return app

    def knows(self, request: web.Request) -> bool:
        """Tell by a request's head alone whether it is known who asks: a place is kept for them."""
        now = self.given.clock.now()
        found = self.asker(request, now)
        link = request.match_info.get("token", "")
        return (
            found.known
            or found.local
            or self.machines.scraper(request)
            or (bool(link) and opened(link, self.given.key, now) is not None)
        )

    @web.middleware
    async def asking(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Find out who asks, and let through what they may ask for."""
        found = self.asker(request, self.given.clock.now())
        if found.session and await self.given.questions.used(found.session):
            found = STRANGER
        remember(request, found)
        if not _for_machines(request):
            await self.desk.greet(request, found)
        resource = request.match_info.route.resource
        pattern = resource.canonical if resource else ""
        if found.may(least_for(request)) or self._proves_itself(request, pattern):
            return await handler(request)
        if found.known:
            raise NotYoursError(f"{found.user} may not see this: ask an operator for the role")
        raise StrangerError(self._way_in())

    def _way_in(self) -> str:
        """Say to a stranger where people sign in."""
        if self.provider or not self.settings.address:
            return "nobody is signed in: sign in first"
        return f"nobody is signed in: ask at {self.settings.address}, where people sign in"

    def _proves_itself(self, request: web.Request, pattern: str) -> bool:
        """Tell whether a machine needs no sign-in: a scraper, or a service at its own door."""
        if pattern == METRICS:
            return self.machines.may_scrape(request)
        return any(pattern == door.path for door in self.given.doors)

    @web.middleware
    async def spoken(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Say an error as a page to people, and lead a stranger to sign in."""
        try:
            return await handler(request)
        except web.HTTPException as error:
            if error.status < _WRONG or _for_machines(request):
                raise
            return self.desk.no_page(request, error)
        except ReaperError as error:
            if _for_machines(request):
                raise
            if isinstance(error, StrangerError) and self.provider and request.method == "GET":
                to = quote(request.path_qs, safe="")
                return web.Response(status=303, headers={"Location": f"{sign_in.BEGIN}?to={to}"})
            if not asked_who(request):
                remember(request, STRANGER)
            status, said = status_of(error), tellable(error, visitor(request))
            again = ""
            if isinstance(error, StrangerError) and self.settings.sign_in:
                again = sign_in.BEGIN if self.provider else self.settings.address
            title = _TITLES.get(status, "title_other")
            if isinstance(error, ForgedError):
                title = "not_done"
            elif isinstance(error, StoreError):
                title = "title_other"
            elif isinstance(error, NoReportError):
                title = "title_no_report"
            return self.desk.refusal(request, status, title, said, again=again, label="sign_in")


#: What programs ask for: they are told in JSON what is wrong, and never led elsewhere.
_FOR_MACHINES: Final = ("/api/", "/debug/", "/metrics", "/healthz", "/readyz")

#: The least status of an answer that says no.
_WRONG: Final = 400


def _for_machines(request: web.Request) -> bool:
    """Tell whether an answer is for a program: by what is asked for, or as JSON alone."""
    accepted = request.headers.get("Accept", "")
    json_alone = "application/json" in accepted and "text/html" not in accepted
    return json_alone or request.path.startswith(_FOR_MACHINES)


#: What says nothing of anybody.
_PROBED: Final = frozenset(("/healthz", "/readyz"))

#: What stands above a page that says why there is nothing else.
_TITLES: Final = {status: f"title_{status}" for status in (401, 403, 404, 429, 503)}


def _look(given: Given, settings: WebSettings) -> Look:
    way = settings.sign_in
    return Look(
        zone=ZoneInfo(settings.zone),
        version=installed(),
        rows=settings.rows,
        rate=given.rate,
        refresh=max(_OFTENEST, _REFRESH / given.rate),
        signs_out=isinstance(way, OidcSignIn),
        sign_out=way.sign_out if isinstance(way, ProxySignIn) else "",
    )


def _machines(given: Given, settings: WebSettings) -> Machines:
    return Machines(
        questions=given.questions,
        clock=given.told_by,
        settings=settings,
        version=installed(),
        cycling=given.cycling,
        debug=given.debug,
        weeks=given.weeks,
        rate=given.rate,
        metrics_token=_secret(settings.metrics_token),
    )


def _provider(given: Given, settings: WebSettings) -> Provider | None:
    way = settings.sign_in
    if not isinstance(way, OidcSignIn):
        return None
    return Provider(
        settings=way,
        secret=_secret(way.client_secret),
        clock=given.clock,
        redirect=f"{settings.address.rstrip('/')}{sign_in.BACK}",
    )


def _proxy_secret(settings: WebSettings) -> str:
    way = settings.sign_in
    return _secret(way.secret) if isinstance(way, ProxySignIn) else ""


def _secret(reference: Secret | None) -> str:
    return secret(reference) if reference else ""
