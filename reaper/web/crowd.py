"""
Connections of a site: how many there may be, how long one may take to ask, and what is logged.

Whoever sends no full header within `PATIENCE` seconds is closed, and so is whoever asks nothing
more for as long.  Beyond `MOST` connections the one that has been idle longest makes room.
"""

import asyncio
import logging
import socket
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

#: Seconds for a full header, for a body, and between two requests.
PATIENCE: Final = 10.0

#: Connections at a time.
MOST: Final = 512

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
    """The connections of one site, the one that has been idle longest first."""

    def __init__(self, listening: _Listening, most: int, patience: float) -> None:
        self.listening = listening
        self.patience = patience
        self._most = most
        self._idle: dict[web.RequestHandler, None] = {}
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
        open_ones = len(self._idle) + len(self._busy) + len(self._begun)
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
        self._busy = {one for one in self._busy if one.transport is not None}

    def _make_room(self) -> bool:
        """End the connection that has been idle longest, else the one that was begun first."""
        for made in self._idle:
            if isinstance(made.transport, asyncio.Transport):
                made.transport.abort()
                del self._idle[made]
                return True
        for made, raw in self._begun.items():
            with suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)
            del self._begun[made]
            return True
        return False

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Count a connection as busy while it is answered, and take a body only in time."""
        made = request.protocol
        self._idle.pop(made, None)
        self._begun.pop(made, None)
        self._busy.add(made)
        try:
            if request.can_read_body:
                await self._read(request)
            return await handler(request)
        finally:
            self._busy.discard(made)
            self._idle[made] = None

    async def _read(self, request: web.Request) -> None:
        try:
            async with asyncio.timeout(self.patience):
                await request.read()
        except TimeoutError:
            raise web.HTTPRequestTimeout(reason="the body did not come in time") from None


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
) -> None:
    """Serve an application at a bound socket until the stack ends."""
    listening = _Listening(bound)
    stack.callback(listening.close)
    crowd = Crowd(listening, most, patience)
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
