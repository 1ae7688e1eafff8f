"""
The HTTP side: pages, health, and who may read what.

What it serves is rendered from memory; no request ever waits for the driver.
"""

import hashlib
import hmac
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from aiohttp import web
from aiohttp.typedefs import Middleware

from exporter.page import CONTENT_TYPE

_OPEN: Final = frozenset({"/healthz", "/readyz"})
_DIGEST: Final = "sha256:"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Pages(Protocol):
    """What the web side serves."""

    def metrics(self) -> bytes:
        """Return the page for every reader."""

    def people(self) -> bytes:
        """Return the page that says something about people."""

    def unready(self) -> str:
        """Return why this exporter is not ready, or nothing when it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A name with its secret; an empty name is a bearer token.  Secrets may be sha256 digests."""

    name: str
    secret: str

    def accepts(self, name: str, secret: str) -> bool:
        """Say whether what a client sent is this credential, in constant time."""
        given = secret
        if self.secret.startswith(_DIGEST):
            given = _DIGEST + hashlib.sha256(secret.encode()).hexdigest()
        return name == self.name and hmac.compare_digest(given.encode(), self.secret.encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What is served to whom: the people page at all, and the credentials that open the pages."""

    people: bool
    credentials: tuple[Credential, ...] = ()


def application(pages: Pages, access: Access) -> web.Application:
    """Return the application with its routes and its one guard."""
    app = web.Application(middlewares=[_guard(access)] if access.credentials else [])
    app.router.add_get("/", _index)
    app.router.add_get("/metrics", _page(pages.metrics))
    app.router.add_get("/metrics/people", _page(pages.people) if access.people else _no_people)
    app.router.add_get("/healthz", _healthy)
    app.router.add_get("/readyz", _ready(pages))
    return app


def _page(render: Callable[[], bytes]) -> Handler:
    async def serve(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=render(), headers={"Content-Type": CONTENT_TYPE})

    return serve


async def _no_people(_request: web.Request) -> web.StreamResponse:
    text = "switched off, or on an open address without --auth-file\n"
    return web.Response(status=404, text=text)


async def _index(_request: web.Request) -> web.StreamResponse:
    return web.Response(text="gpu-exporter: /metrics /metrics/people /healthz /readyz\n")


async def _healthy(_request: web.Request) -> web.StreamResponse:
    return web.Response(text="ok\n")


def _ready(pages: Pages) -> Handler:
    async def serve(_request: web.Request) -> web.StreamResponse:
        reason = pages.unready()
        return web.Response(status=503 if reason else 200, text=f"{reason or 'ready'}\n")

    return serve


def _guard(access: Access) -> Middleware:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path in _OPEN or admits(access, request.headers.get("Authorization", "")):
            return await handler(request)
        return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="gpu-exporter"'})

    return guard


def admits(access: Access, header: str) -> bool:
    """Say whether an Authorization header (bearer or basic) opens the pages."""
    scheme, _, rest = header.partition(" ")
    name, secret = "", rest.strip()
    if scheme.lower() == "basic":
        try:
            name, _, secret = b64decode(secret, validate=True).decode().partition(":")
        except (Base64Error, UnicodeDecodeError):
            return False
        if not name:
            return False
    elif scheme.lower() != "bearer":
        return False
    return any(credential.accepts(name, secret) for credential in access.credentials)
