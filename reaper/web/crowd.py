"""
Connections of a site: how many there may be, how long one may take to ask, and what is logged.

Whoever sends no full header within `PATIENCE` seconds is closed, and so is whoever asks nothing
more for as long.  Beyond `MOST` connections the one that has been idle longest makes room, of
strangers before all others: whoever is not known yet holds a place against nobody, whatever they
send, and only `FEW` of them are answered at a time.
"""

import asyncio
import logging
import socket
import ssl
from collections import deque
from collections.abc import Callable, Sized
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

#: Seconds for a full header, for a body, and between two requests.
PATIENCE: Final = 10.0

#: Connections at a time.
MOST: Final = 512

#: Requests of strangers that are answered at a time; the others wait.
FEW: Final = 32

#: Seconds between two lines of the log that tell of malformed requests.
_QUIET: Final = 60.0

_CLOSING: Final = 0.5
_LINGER: Final = 2.0


class MalformedFilter(logging.Filter):
    """Lets one line a minute tell of malformed requests, without a traceback; all else passes."""

    def __init__(self, elapsed: Callable[[], float], every: float = _QUIET) -> None:
        super().__init__()
        self._elapsed = elapsed
        self._every = every
        self._told: float | None = None
        self._unsaid = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged; one that is tells how many were not."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if not isinstance(error, HttpProcessingError):
            return True
        now = self._elapsed()
        if self._told is not None and now - self._told < self._every:
            self._unsaid += 1
            return False
        record.msg, record.args = "malformed request (%d more before it)", (self._unsaid,)
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = record.exc_text = None
        self._told, self._unsaid = now, 0
        return True


class _Turned(asyncio.Protocol):
    """Ends a connection at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            transport.abort()


class _Listening(socket.socket):
    """A socket that listens, and remembers whom it let in until somebody takes them on."""

    def __init__(self, bound: socket.socket) -> None:
        super().__init__(fileno=bound.detach())
        self.let_in: deque[socket.socket] = deque()

    def accept(self) -> tuple[socket.socket, Any]:
        """Let somebody in."""
        made, address = super().accept()
        self.let_in.append(made)
        return made, address


class Crowd:
    """
    The connections of one site, the one that has been idle longest first.

    `known` tells of a request, by its head alone, whether it is known who asks.
    """

    def __init__(
        self,
        listening: _Listening,
        most: int,
        patience: float,
        known: Callable[[web.Request], bool],
    ) -> None:
        self.listening = listening
        self.patience = patience
        self._most = most
        self._known = known
        self._apart = asyncio.Semaphore(FEW)
        self._idle: dict[web.RequestHandler, None] = {}
        """Strangers, whatever they do, and whoever has not asked yet."""
        self._guests: dict[web.RequestHandler, None] = {}
        """Those who were known when they last asked, and ask nothing now."""
        self._busy: set[web.RequestHandler] = set()
        self._begun: dict[web.RequestHandler, socket.socket] = {}
        """Those whose TLS is not settled yet, which takes as long as they like."""
        self.server: web.Server | None = None

    def __call__(self) -> asyncio.Protocol:
        """Return the protocol of a new connection; where there is no room, one that ends it."""
        assert self.server is not None  # noqa: S101 - a site starts after its runner
        self._settle()
        # Connections are taken on in the order in which they were let in.
        made_socket = self.listening.let_in.popleft()
        parts: tuple[Sized, ...] = (self._idle, self._guests, self._busy, self._begun)
        open_ones = sum(map(len, parts))
        if open_ones >= self._most and not self._make_room():
            return _Turned()
        made = self.server()
        self._begun[made] = made_socket
        return made

    def _settle(self) -> None:
        """Count who has connected since, and forget who is gone."""
        for made in [one for one in self._begun if one.transport is not None]:
            del self._begun[made]
            self._idle.setdefault(made)
        self._begun = {one: raw for one, raw in self._begun.items() if raw.fileno() >= 0}
        self._idle = {one: None for one in self._idle if one.transport is not None}
        self._guests = {one: None for one in self._guests if one.transport is not None}
        self._busy = {one for one in self._busy if one.transport is not None}

    def _make_room(self) -> bool:
        """End a stranger's connection, else one that was begun, else one that asks nothing."""
        if _end_first(self._idle):
            return True
        for made, raw in self._begun.items():
            with suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)
            del self._begun[made]
            return True
        return _end_first(self._guests)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer whoever is known at once and others apart, and take a body only in time."""
        made = request.protocol
        for place in (self._idle, self._guests, self._begun):
            place.pop(made, None)
        if not self._known(request):
            return await self._answer_stranger(request, handler)
        self._busy.add(made)
        try:
            if request.can_read_body:
                await self._read(request)
            return await handler(request)
        finally:
            self._busy.discard(made)
            self._guests[made] = None

    async def _answer_stranger(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a stranger in turn; the connection goes on making room for others."""
        self._idle[request.protocol] = None
        if request.can_read_body:
            await self._read(request)
        try:
            async with asyncio.timeout(self.patience):
                await self._apart.acquire()
        except TimeoutError:
            raise web.HTTPServiceUnavailable(reason="too many ask at once: try again") from None
        try:
            return await handler(request)
        finally:
            self._apart.release()

    async def _read(self, request: web.Request) -> None:
        try:
            async with asyncio.timeout(self.patience):
                await request.read()
        except TimeoutError:
            raise web.HTTPRequestTimeout(reason="the body did not come in time") from None
        except ConnectionError:
            raise web.HTTPBadRequest(reason="the body broke off") from None


def _end_first(places: dict[web.RequestHandler, None]) -> bool:
    """End the connection that has been longest at a place; tell whether there was one."""
    for made in places:
        if isinstance(made.transport, asyncio.Transport):
            made.transport.abort()
            del places[made]
            return True
    return False


def everybody(_request: web.Request) -> bool:
    """Return that it is known who asks, as on a socket where the kernel says so."""
    return True


class _Site(web.BaseSite):
    """A site that listens at a bound socket and lets its crowd make the connections."""

    def __init__(
        self,
        runner: web.AppRunner,
        crowd: Crowd,
        tls: ssl.SSLContext | None,
    ) -> None:
        super().__init__(runner, ssl_context=tls)
        self._crowd = crowd

    @property
    def name(self) -> str:
        """Return where it listens."""
        return str(self._crowd.listening.getsockname())

    async def start(self) -> None:
        """Listen."""
        await super().start()
        self._server = await asyncio.get_running_loop().create_server(
            self._crowd,
            sock=self._crowd.listening,
            ssl=self._ssl_context,
            ssl_handshake_timeout=self._crowd.patience if self._ssl_context else None,
        )


async def serve(
    app: web.Application,
    bound: socket.socket,
    stack: AsyncExitStack,
    *,
    elapsed: Callable[[], float],
    tls: ssl.SSLContext | None = None,
    most: int = MOST,
    patience: float = PATIENCE,
    known: Callable[[web.Request], bool] = everybody,
) -> None:
    """Serve an application at a bound socket until the stack ends; `known` as in `Crowd`."""
    listening = _Listening(bound)
    stack.callback(listening.close)
    crowd = Crowd(listening, most, patience, known)
    app.middlewares.insert(0, crowd.middleware)
    told = logging.getLogger(f"{__name__}.{id(crowd)}")
    told.addFilter(MalformedFilter(elapsed))
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=_CLOSING,
        keepalive_timeout=patience,
        lingering_time=_LINGER,
        logger=told,
    )
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    crowd.server = runner.server
    await _Site(runner, crowd, tls).start()
