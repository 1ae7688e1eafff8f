"""
How a demonstration is seen: what it says first, and the signed-in pages behind a proxy of its own.

Who has a printed link is, on that one site, the person that it is for; nobody else is anybody.
Real sites have a proxy or an OpenID provider in its place.
"""

import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from shlex import quote
from typing import Final

import aiohttp
from aiohttp import web
from yarl import URL

from reaper.app.demo.folder import Folder
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


#: Where the commands lie that are told; another terminal need not find them by itself.
_PROGRAMS: Final = Path(sys.executable).parent

COMMANDS: Final = (
    ("status", "what idles, what it burns, what happens next"),
    ("explain 4711", "why, minute by minute; also when it has ended"),
    ("keep 4721 --for 2h --reason 'needed after lunch'", "as its owner would"),
    ("queue", "what waits for an operator"),
    ("report", "the week so far, in GPU-hours and money"),
    ("capture 4711", "what was decided on, as a file that replays"),
    ("effect --policy notebooks", "what that policy changed, half-way through the weeks before"),
    ("buy-or-rent", "how many GPUs of one's own pay off"),
    ("doctor", "what stands in the way"),
)
"""Commands that a newcomer may type, and what each shows."""

PAGES: Final = (
    ("", "the cluster, as everybody sees it"),
    ("allocation/recorded/4711", "one allocation: its track, its rule, what came of it"),
    ("queue", "what waits for an operator"),
    ("report", "the week so far"),
)
"""Pages that a newcomer may open, and whom each serves."""


def welcome(
    folder: Folder, page: Address, links: Sequence[tuple[str, Guest]], rate: float, wanted: float
) -> str:
    """Return what is said once everything runs."""
    slowly = "" if rate >= wanted else f", not {wanted:g}: this machine is busy or slow"
    return "\n".join(
        (
            f"The clock runs {rate:g} times as fast{slowly}: a minute is {60 / rate:.1f} s",
            "",
            *_listed("pages", [(f"http://{page}/{path}", says) for path, says in PAGES]),
            *_listed("signed in", [(link, guest.says) for link, guest in links]),
            f"  commands  export GPU_REAPER_SOCKET={quote(str(folder.socket))}",
            f"            export GPU_REAPER_CONFIG={quote(str(folder.configuration))}",
            f"            export PATH={quote(str(_PROGRAMS))}:$PATH",
            *_listed("", [(f"gpu-reaper {command}", says) for command, says in COMMANDS]),
            *_listed("mail", [(str(folder.mail), "what owners were told")]),
            "",
            "Ctrl-C ends it and leaves nothing behind.",
            "",
        )
    )


def _listed(name: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = max(len(typed) for typed, _ in rows)
    for number, (typed, says) in enumerate(rows):
        yield f"  {'' if number else name:9} {typed:{width}}  # {says}"
