"""
How the signed-in pages are seen in a demonstration: a proxy of its own, on loopback alone.

Who has a printed link is, on that one site, the person that it is for; nobody else is anybody.
Real sites have a proxy or an OpenID provider in its place.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Final

import aiohttp
from aiohttp import web
from yarl import URL

from reaper.schema import Address

OPERATOR: Final = "operator"
"""The user who is an operator there."""

_COOKIE: Final = "gpu-reaper-demo"
_PROOF: Final = "X-Proxy-Secret"
_USER: Final = "X-Forwarded-User"
#: Headers that are of one connection, or that only this proxy may write.
_OWN: Final = frozenset(
    (
        *("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"),
        *("content-length", "proxy-authorization", "proxy-authenticate", "server", "date"),
        *(_PROOF.lower(), _USER.lower(), "x-forwarded-groups", "x-forwarded-for", "forwarded"),
    )
)
#: A form has a few words.
_LARGEST: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A person of the demonstration, where their visit begins, and what it shows."""

    user: str
    begins: str
    says: str


GUESTS: Final = (
    Guest(user="mira", begins="/mine", says="as mira, who holds 4711: keep, give back, dispute"),
    Guest(user=OPERATOR, begins="/queue", says="as an operator: rule, approve, pause"),
)
"""Whose pages a newcomer may see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Lets in who has a link, and asks `site` in their name; `secret` is known to the site."""

    site: Address
    secret: str
    guests: Mapping[str, Guest]
    """By the word in their link."""
    session: aiohttp.ClientSession

    def application(self) -> web.Application:
        """Return the site that browsers ask."""
        app = web.Application(client_max_size=_LARGEST)
        app.router.add_get("/as/{word}", self.enter)
        app.router.add_route("*", "/{path:.*}", self.pass_on)
        return app

    async def enter(self, request: web.Request) -> web.Response:
        """Remember in this browser who visits, and go where that begins."""
        word = request.match_info["word"]
        guest = self.guests.get(word)
        if guest is None:
            return web.Response(status=403, text="this link is of another demonstration\n")
        answer = web.Response(status=303, headers={"Location": guest.begins})
        answer.set_cookie(_COOKIE, word, httponly=True, samesite="Lax", path="/")
        return answer

    async def pass_on(self, request: web.Request) -> web.Response:
        """Ask the site in the visitor's name, and give its answer as it is."""
        guest = self.guests.get(request.cookies.get(_COOKIE, ""))
        headers = [(k, v) for k, v in request.headers.items() if k.lower() not in _OWN]
        headers.append((_PROOF, self.secret))
        if guest is not None:
            headers.append((_USER, guest.user))
        url = URL(f"http://{self.site}{request.raw_path}", encoded=True)
        async with self.session.request(
            request.method,
            url,
            headers=headers,
            data=await request.read() or None,
            allow_redirects=False,
        ) as answer:
            body = await answer.read()
            kept = [(k, v) for k, v in answer.headers.items() if k.lower() not in _OWN]
            return web.Response(status=answer.status, body=body, headers=kept)


@asynccontextmanager
async def visiting(site: Address, secret: str) -> AsyncIterator[tuple[tuple[str, Guest], ...]]:
    """Open the door on a free port of loopback; give each guest's link."""
    guests = {token_urlsafe(9): guest for guest in GUESTS}
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
    ) as session:
        door = Door(site=site, secret=secret, guests=guests, session=session)
        runner = web.AppRunner(door.application(), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            port = runner.addresses[0][1]
            yield tuple(
                (f"http://127.0.0.1:{port}/as/{word}", guest) for word, guest in guests.items()
            )
        finally:
            await runner.cleanup()
