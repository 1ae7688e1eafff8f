"""
The HTTP side: pages, health, the request to let the driver go, and who may ask for what.

Pages are rendered from memory; no request for one ever waits for the driver.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from aiohttp import web
from aiohttp.typedefs import Middleware

from exporter.release import USUAL, By, DurationError, duration
from exporter.serving.auth import Authentication
from exporter.serving.hosts import host_of, is_loopback
from exporter.serving.page import CONTENT_TYPE
from exporter.serving.passwords import Crowded

_OPEN: Final = frozenset({"/healthz", "/readyz"})
_ACTS: Final = frozenset({"/release", "/resume"})
_TIMEOUT: Final = "X-Prometheus-Scrape-Timeout-Seconds"
#: Part of a scraper's patience that is left for the way.
_WAY: Final = 0.9

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Pages(Protocol):
    """What the web side serves."""

    def metrics(self) -> bytes:
        """Return the page for every reader."""

    def people(self) -> bytes:
        """Return the page that says something about people."""

    def unready(self) -> str:
        """Return why this exporter is not ready, or nothing when it is."""


class Desk(Protocol):
    """Who lets the driver go and takes it up again."""

    async def release(self, seconds: float, *, by: By, reason: str) -> tuple[bool, str]:
        """Let go; say whether nothing is held any more, and a sentence for the asker."""

    def resume(self) -> str:
        """Take the driver up again; return a sentence for the asker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What is served to whom.

    `people` is whether that page is served, `loopback` whether only this machine can ask,
    `operators` are the names that may ask to let the driver go, `crowd` how many requests are
    served at a time; `hosts` are names of this machine by which it may be asked, beside loopback's.
    """

    people: bool
    loopback: bool = True
    operators: frozenset[str] = field(default_factory=frozenset)
    crowd: int = 40
    hosts: frozenset[str] = field(default_factory=frozenset)


def application(pages: Pages, desk: Desk, access: Access, auth: Authentication) -> web.Application:
    """Return the application with its routes and its guards."""
    guards = [_patience, _guard(access, auth), _crowd(access.crowd)]
    app = web.Application(middlewares=guards)
    app.router.add_get("/", _index)
    app.router.add_get("/metrics", _page(pages.metrics))
    app.router.add_get("/metrics/people", _people(pages, access, auth))
    app.router.add_get("/healthz", _healthy)
    app.router.add_get("/readyz", _ready(pages))
    add_acts(app, desk, by="endpoint")
    app.on_response_prepare.append(_headers(auth))
    return app


def add_acts(app: web.Application, desk: Desk, *, by: By) -> None:
    """Add the requests that change something; the application's guard says who may."""

    async def release(request: web.Request) -> web.StreamResponse:
        words = await request.post()
        try:
            seconds = duration(str(words["for"])) if "for" in words else USUAL
        except DurationError as error:
            return web.Response(status=400, text=f"for: {error}\n")
        gone, said = await desk.release(seconds, by=by, reason=str(words.get("reason", "")))
        return web.Response(status=200 if gone else 503, text=f"{said}\n")

    async def resume(_request: web.Request) -> web.StreamResponse:
        return web.Response(text=f"{desk.resume()}\n")

    app.router.add_post("/release", release)
    app.router.add_post("/resume", resume)


def _page(render: Callable[[], bytes]) -> Handler:
    async def serve(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=render(), headers={"Content-Type": CONTENT_TYPE})

    return serve


def _people(pages: Pages, access: Access, auth: Authentication) -> Handler:
    serve = _page(pages.people)

    async def guarded(request: web.Request) -> web.StreamResponse:
        asks = auth.config().authenticates
        if access.people and access.loopback and not asks and not _by_own_name(request, access):
            return web.Response(status=421, text="ask for this by localhost\n")
        if access.people and (access.loopback or asks):
            return await serve(request)
        text = "switched off, or on an open address that asks nobody who they are\n"
        return web.Response(status=404, text=text)

    return guarded


def _by_own_name(request: web.Request, access: Access) -> bool:
    """Say whether a request names this machine: a page of elsewhere may lead a browser here."""
    named = {host_of(value) for value in request.headers.getall("Host", ())}
    return all(is_loopback(host) or host in access.hosts for host in named)


async def _index(_request: web.Request) -> web.StreamResponse:
    return web.Response(text="gpu-exporter: /metrics /metrics/people /healthz /readyz\n")


async def _healthy(_request: web.Request) -> web.StreamResponse:
    return web.Response(text="ok\n")


def _ready(pages: Pages) -> Handler:
    async def serve(_request: web.Request) -> web.StreamResponse:
        reason = pages.unready()
        return web.Response(status=503 if reason else 200, text=f"{reason or 'ready'}\n")

    return serve


def _headers(auth: Authentication) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    async def add(_request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(auth.config().headers)

    return add


# ------------------------------------------------------------------ guards


def _crowd(most: int) -> Middleware:
    """Refuse what comes while `most` requests are being served; health is always told."""
    served = 0

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        nonlocal served
        if request.path in _OPEN:
            return await handler(request)
        if served >= most:
            return web.Response(status=503, text=f"{most} requests are being served already\n")
        served += 1
        try:
            return await handler(request)
        finally:
            served -= 1

    return guard


@web.middleware
async def _patience(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer within the time that the scraper says it waits; it does not listen any longer."""
    try:
        seconds = float(request.headers.get(_TIMEOUT, ""))
    except ValueError:
        return await handler(request)
    if not 0 < seconds < 3600:
        return await handler(request)
    try:
        async with asyncio.timeout(seconds * _WAY):
            return await handler(request)
    except TimeoutError:
        return web.Response(status=503, text=f"not served within the {seconds:g} s of {_TIMEOUT}\n")


def _guard(access: Access, auth: Authentication) -> Middleware:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path in _OPEN:
            return await handler(request)
        config = auth.config()
        names = _certified(request)
        if config.tls is not None and config.tls.sans and not config.tls.sans & names:
            return web.Response(status=403, text="the certificate holds none of the names\n")
        if config.users:
            try:
                user = await auth.user(request.headers.get("Authorization", ""), _caller(request))
            except Crowded:
                text = "too many passwords that are not known wait already\n"
                return web.Response(status=429, text=text, headers={"Retry-After": "5"})
            if user is None:
                challenge = {"WWW-Authenticate": 'Basic realm="gpu-exporter"'}
                return web.Response(status=401, headers=challenge)
            names = names | {user}
        if request.path in _ACTS and (refusal := _refused(request, access, names)):
            return web.Response(status=403, text=f"{refusal}\n")
        return await handler(request)

    return guard


def _caller(request: web.Request) -> str:
    return request.remote or ""


def _refused(request: web.Request, access: Access, names: frozenset[str]) -> str:
    """Return why a change is not for this caller; a browser is never one."""
    if "Origin" in request.headers or "Sec-Fetch-Site" in request.headers:
        return "a browser may not ask for this"
    if access.operators & names:
        return ""
    return "only those named by --operator may; on the node itself: gpu-exporter release"


def _certified(request: web.Request) -> frozenset[str]:
    """Return the names in the client's verified certificate."""
    certificate = request.get_extra_info("peercert") or {}
    return frozenset(value for _, value in certificate.get("subjectAltName", ()))
