"""
The two places where the reaper answers: a loopback port to read, a unix socket to ask and change.

The port has no route that changes anything.  It answers only to the names of this machine, so
that a foreign page in a browser cannot read it.
"""

import logging
import secrets
from asyncio import to_thread
from collections.abc import Callable
from contextlib import AsyncExitStack
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from reaper.domain.picture import Picture
from reaper.ports import Clock, Door, ReaperError
from reaper.questions import Questions
from reaper.requests import Requests
from reaper.schema import Address
from reaper.web import metrics, sockets
from reaper.web.answers import answer, problem
from reaper.web.api import Api, Reporting, status_of
from reaper.web.doors import entering
from reaper.web.metrics import Scene
from reaper.web.page import Look, Page
from reaper.web.settings import Operators, WebSettings
from reaper.web.sockets import ListenError
from reaper.web.sums import WeekSums
from reaper.web.view import STALE, stale

_log = logging.getLogger(__name__)

_CLOSING: Final = 0.5
_LARGEST: Final = 16 * 1024

#: Real seconds after which a page fetches itself again; less often than a step, on any clock.
_REFRESH: Final = 15.0
_OFTENEST: Final = 2.0

_POLICY: Final = (
    "default-src 'none'; style-src 'nonce-{0}'; script-src 'nonce-{0}'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


class Web:
    """Both sites; `start` listens, `stop` leaves nothing behind."""

    def __init__(
        self,
        *,
        questions: Questions,
        requests: Requests,
        clock: Clock,
        settings: WebSettings,
        operators: Operators,
        cycling: Callable[[], bool],
        debug: Callable[[], object],
        report: Reporting | None = None,
        weeks: Callable[[], tuple[WeekSums, ...]] = tuple,
        doors: tuple[Door, ...] = (),
        rate: float = 1.0,
    ) -> None:
        """
        Compose both sites.

        `cycling` tells whether the cycle's task is alive, `debug` gives what the board holds,
        `report` reports, `weeks` their sums; `doors` are the paths that other services post to;
        `rate` is how many times as fast the clock runs.
        """
        self._questions = questions
        self._clock = clock
        self._settings = settings
        self._cycling = cycling
        self._debug = debug
        self._rate = rate
        self._weeks = weeks
        self._doors = doors
        self._version = installed()
        self._api = Api(
            questions=questions,
            requests=requests,
            clock=clock,
            operators=operators,
            report=report,
            rate=rate,
        )
        look = Look(
            zone=ZoneInfo(settings.zone),
            version=self._version,
            rows=settings.rows,
            rate=rate,
            refresh=max(_OFTENEST, _REFRESH / rate),
        )
        self._page = Page(look)
        self._stack = AsyncExitStack()
        self.address: Address | None = None
        """Where the page is, once started."""

    async def start(self) -> None:
        """Listen at both places; raise ListenError."""
        if not self._settings.listen.loopback:
            message = (
                f"web.listen: {self._settings.listen} is not loopback, and the page asks nobody "
                "who they are; write 127.0.0.1 and let a proxy of this machine ask"
            )
            raise ListenError(message)
        async with AsyncExitStack() as stack:
            await self._start_socket(stack)
            await self._start_port(stack)
            self._stack = stack.pop_all()
        _log.info("page at http://%s/, socket at %s", self.address, self._settings.socket)

    async def stop(self) -> None:
        """Stop listening and remove the socket."""
        await self._stack.aclose()

    async def _start_socket(self, stack: AsyncExitStack) -> None:
        app = web.Application(middlewares=[_guard], client_max_size=_LARGEST)
        self._routes(app.router)
        self._api.change(app.router)
        runner = await _runner(app, stack)
        server = sockets.listen(self._settings.socket)
        stack.callback(sockets.remove, self._settings.socket)
        await web.SockSite(runner, server).start()

    async def _start_port(self, stack: AsyncExitStack) -> None:
        app = web.Application(middlewares=[_guard, _known_hosts(self._settings.hosts)])
        self._routes(app.router)
        for door in self._doors:
            app.router.add_post(door.path, entering(door))
        runner = await _runner(app, stack)
        listen = self._settings.listen
        try:
            await web.TCPSite(runner, listen.host, listen.port, reuse_address=True).start()
        except OSError as error:
            message = f"cannot listen on {listen}: {error.strerror or error}; set `web.listen`"
            raise ListenError(message) from error
        host, port = runner.addresses[0][:2]
        self.address = Address(host, port)

    def _routes(self, router: web.UrlDispatcher) -> None:
        router.add_get("/", self._overview)
        router.add_get("/allocation/{platform}/{id:.+}", self._allocation)
        router.add_get("/metrics", self._metrics)
        router.add_get("/healthz", self._healthy)
        router.add_get("/readyz", self._ready)
        router.add_get("/debug/board", self._board)
        self._api.read(router)

    # -------------------------------------------------------------- pages

    async def _overview(self, request: web.Request) -> web.Response:
        picture = await self._questions.status()
        if picture is None:
            return self._message(503, "No cycle yet", "The reaper has started; wait a minute.")
        nonce = secrets.token_urlsafe(16)
        query = request.query.get("q", "")[:100]
        now = self._clock.now()
        text = await to_thread(self._page.overview, picture, now=now, nonce=nonce, query=query)
        return _html(text, nonce)

    async def _allocation(self, request: web.Request) -> web.Response:
        name = f"{request.match_info['platform']}/{request.match_info['id']}"
        picture = await self._questions.status()
        if picture is None:
            return self._message(503, "No cycle yet", "The reaper has started; wait a minute.")
        now = self._clock.now()
        try:
            explanation = await self._questions.explain(name)
        except ReaperError as error:
            title = "No such allocation"
            return self._message(status_of(error), title, str(error), picture)
        nonce = secrets.token_urlsafe(16)
        text = self._page.allocation(explanation, picture, name=name, now=now, nonce=nonce)
        return _html(text, nonce)

    def _message(
        self, status: int, title: str, text: str, picture: Picture | None = None
    ) -> web.Response:
        nonce = secrets.token_urlsafe(16)
        now = self._clock.now()
        page = self._page.message(title, text, now=now, nonce=nonce, picture=picture)
        return _html(page, nonce, status=status)

    # -------------------------------------------------------------- machines

    async def _metrics(self, _request: web.Request) -> web.Response:
        picture = await self._questions.status()
        scene = self._scene(picture) if picture else None
        page = await to_thread(metrics.render, scene)
        return web.Response(body=page, headers={"Content-Type": metrics.CONTENT_TYPE})

    def _scene(self, picture: Picture) -> Scene:
        return Scene(
            picture=picture,
            now=self._clock.now(),
            version=self._version,
            owners=self._settings.owners_on_metrics,
            bound=self._settings.idle_on_metrics,
            weeks=self._weeks(),
        )

    async def _healthy(self, _request: web.Request) -> web.Response:
        if self._cycling():
            return web.Response(text="ok\n")
        return web.Response(status=503, text="the cycle has ended\n")

    async def _ready(self, _request: web.Request) -> web.Response:
        picture = await self._questions.status()
        if picture is None:
            return web.Response(status=503, text="no cycle was written yet\n")
        now = self._clock.now()
        if stale(picture, now, self._rate):
            late = f"no cycle for {now - picture.at:.0f} s, that is over {STALE} steps\n"
            return web.Response(status=503, text=late)
        return web.Response(text="ready\n")

    async def _board(self, _request: web.Request) -> web.Response:
        return answer(self._debug())


def installed() -> str:
    """Return the version of the program."""
    try:
        return version("gpu-reaper")
    except PackageNotFoundError:
        return "unknown"


# ------------------------------------------------------------------ sites


async def _runner(app: web.Application, stack: AsyncExitStack) -> web.AppRunner:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    return runner


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say every error of ours in one sentence, and let nobody keep an answer."""
    try:
        response = await handler(request)
    except ReaperError as error:
        response = problem(status_of(error), str(error))
    except web.HTTPException as error:
        response = problem(error.status, error.reason)
    response.headers.update(_HEADERS)
    return response


def _known_hosts(names: tuple[str, ...]) -> Middleware:
    @web.middleware
    async def known_hosts(request: web.Request, handler: Handler) -> web.StreamResponse:
        host = _host(request)
        if host in names or _is_this_machine(host):
            return await handler(request)
        return problem(421, "not a name of this machine: ask localhost, or set `web.hosts`")

    return known_hosts


def _host(request: web.Request) -> str:
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return ""


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _html(text: str, nonce: str, *, status: int = 200) -> web.Response:
    return web.Response(
        body=text.encode("utf-8", "replace"),
        status=status,
        headers={
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": _POLICY.format(nonce),
        },
    )
