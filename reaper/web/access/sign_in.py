"""
Signing in and out at an OpenID provider, and who asks, whichever way people sign in.

What a sign-in began with travels in a sealed cookie, so its answer fits one browser and one try.
"""

import hmac
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from reaper.web.access.oidc import Begun, Provider, SignInError, begun
from reaper.web.access.proxy import client, proxied
from reaper.web.access.sessions import Sessions
from reaper.web.access.visitor import LOCAL, Visitor, visitor
from reaper.web.attempts import Attempts
from reaper.web.html import forms
from reaper.web.html.desk import Desk
from reaper.web.roles import ProxySignIn
from reaper.web.settings import WebSettings

#: Where people begin to sign in, and where the provider sends them back to.
BEGIN: Final = "/sign-in"
BACK: Final = "/sign-in/back"
END: Final = "/sign-out"

_LASTS: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Says who asks: nobody in particular, whom a proxy names, or whose session it is."""

    settings: WebSettings
    sessions: Sessions
    proxy_secret: str = ""

    def __call__(self, request: web.Request, now: float) -> Visitor:
        """Return who asks."""
        way = self.settings.sign_in
        if way is None:
            return LOCAL
        if isinstance(way, ProxySignIn):
            return proxied(
                request,
                way,
                peers=self.settings.proxies,
                secret=self.proxy_secret,
                roles=self.settings.roles,
            )
        return self.sessions.visitor(request, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """The pages of signing in and out; `provider` is None where a proxy or nobody asks."""

    desk: Desk
    attempts: Attempts
    provider: Provider | None

    def add(self, router: web.UrlDispatcher) -> None:
        """Add its routes."""
        router.add_get(BEGIN, self._begin)
        router.add_get(BACK, self._back)
        router.add_post(END, self._end)

    async def _begin(self, request: web.Request) -> web.Response:
        to = forms.own_path(request.query.get("to", "/"))
        if visitor(request).known:
            return web.Response(status=303, headers={"Location": to})
        if self.provider is None:
            return self.desk.message(
                request,
                401,
                "title_401",
                "at_proxy",
                again=self.desk.settings.address,
                label="sign_in",
            )
        start = begun()
        address = await self.provider.address(start)
        response = web.Response(status=303, headers={"Location": address})
        words = [start.state, start.nonce, start.verifier, to]
        until = self.desk.clock.now() + _LASTS
        self._keep(response, self.desk.seal.close("begun", words, until=until), _LASTS)
        return response

    async def _back(self, request: web.Request) -> web.Response:
        """Take the provider's answer; every answer is used up, right or wrong."""
        if self.provider is None:
            raise web.HTTPNotFound
        # Whoever has begun here is counted by what they began, else by address: many people may
        # share one, and the wrong tries of some must not keep out the others.
        whose = client(request, self.desk.settings.proxies)
        try:
            start, to = self._begun(request)
            whose = start.state
            self.attempts.admit(whose)
            named = await self.provider.named(self._code(request), start)
        except SignInError as error:
            self.attempts.admit(whose)
            self.attempts.refuse(whose)
            response = self.desk.refusal(
                request, 403, "title_401", error, again=BEGIN, label="sign_in"
            )
        else:
            response = web.Response(status=303, headers={"Location": to})
            now = self.desk.clock.now()
            self.desk.sessions.begin(response, named.user, named.groups, now)
        self._keep(response, "", 0)
        return response

    def _begun(self, request: web.Request) -> tuple[Begun, str]:
        sealed = request.cookies.get(self._cookie, "")
        words = self.desk.seal.open("begun", sealed, now=self.desk.clock.now())
        if words is None:
            raise SignInError("this sign-in was not begun here, or too long ago")
        state, nonce, verifier, to = map(str, words)
        given = request.query.get("state", "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, state.encode()):
            raise SignInError("this answer is of another sign-in")
        return Begun(state=state, nonce=nonce, verifier=verifier), forms.own_path(to)

    def _code(self, request: web.Request) -> str:
        issuer = self.provider.settings.issuer if self.provider else ""
        if request.query.get("iss", issuer) != issuer:
            raise SignInError("this answer is of another provider")
        if "error" in request.query:
            raise SignInError(f"the provider refused ({request.query['error'][:40]!a})")
        code = request.query.get("code", "")
        if not code:
            raise SignInError("the provider's answer has no code")
        return code

    @property
    def _cookie(self) -> str:
        return self.desk.sessions.named("-begun")

    def _keep(self, response: web.Response, text: str, lasts: int) -> None:
        self.desk.sessions.set(response, self._cookie, text, lasts)

    async def _end(self, request: web.Request) -> web.Response:
        asking = visitor(request)
        now = self.desk.clock.now()
        own = forms.origins(request, self.desk.settings.address)
        await forms.posted(request, self.desk.seal, bound=asking.bound, now=now, own=own)
        if asking.session:
            await self.desk.requests.sign_out(session=asking.session, by=asking.identity)
        response = self.desk.signed_out(request, again=BEGIN)
        self.desk.sessions.end(response)
        return response
