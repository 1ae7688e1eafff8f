"""
The limit of connections: how many are let in at a time, and for how long without a word.

A connection costs a file descriptor whoever makes it and whatever is said on it.  Each must send
a whole head of a request in time; of too many, the one that was silent longest has to go.
"""

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ssl import SSLContext
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from exporter.clock import Clock

log = logging.getLogger(__name__)

#: More file descriptors than this are of no use, and some programs try every number there may be.
_ENOUGH: Final = 65_536
#: Descriptors for files, sockets and pipes of our own.
_OWN: Final = 64
_FEWEST: Final = 8
_SHORT_OF: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
#: A name may have addresses of a kind that this machine does not speak.
_NOT_HERE: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
_PAUSE: Final = 0.05
#: Seconds between two lines in the log about connections that wait.
_QUIET: Final = 60.0
_BACKLOG: Final = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """How many seconds a connection may be silent.

    `head` counts from its begin to the end of the first request's head, the TLS handshake
    included; `kept` from one request to the next; `unread` from a request to the end of its answer,
    where the visitor does not take it.
    """

    head: float = 10.0
    kept: float = 120.0
    unread: float = 30.0


@dataclass(slots=True, kw_only=True)
class _Visitor:
    """One connection: since when it is silent, and what can end it."""

    socket: socket.socket
    silent_since: float
    heard: bool = False
    serving: bool = False
    transport: asyncio.Transport | None = None
    opening: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None

    @property
    def full(self) -> bool:
        """Whether an answer waits for the visitor to take it."""
        return self.transport is not None and self.transport.get_write_buffer_size() > 0

    @property
    def closed(self) -> bool:
        return self.socket.fileno() < 0

    def end(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.transport is not None:
            self.transport.abort()
        elif self.opening is not None:
            self.opening.cancel()


class ConnectionLimiter:
    """Accepts connections for a server; `most` may be open at a time."""

    def __init__(
        self,
        most: int,
        clock: Clock,
        tls: SSLContext | None = None,
        silence: Silence | None = None,
    ) -> None:
        self._most = most
        self._clock = clock
        self._tls = tls
        self._silence = silence or Silence()
        self._visitors: dict[object, _Visitor] = {}
        self._accepting: list[asyncio.Task[None]] = []
        self._listening: list[socket.socket] = []
        self._silent_until = 0.0

    @property
    def middleware(self) -> Middleware:
        """What an application calls first, so that the limiter hears that a request is there."""

        @web.middleware
        async def hear(request: web.Request, handler: Handler) -> web.StreamResponse:
            visitor = self._visitors.get(request.protocol)
            if visitor is None:
                return await handler(request)
            visitor.silent_since = asyncio.get_running_loop().time()
            visitor.heard = visitor.serving = True
            try:
                return await handler(request)
            finally:
                visitor.serving = False

        return hear

    def open(
        self, protocol: Callable[[], asyncio.BaseProtocol], listening: Iterable[socket.socket]
    ) -> None:
        """Begin to accept on sockets that listen; each connection gets a protocol of its own."""
        for server in listening:
            server.setblocking(False)
            self._listening.append(server)
            self._accepting.append(asyncio.create_task(self._accept(server, protocol)))

    async def shut(self) -> None:
        """Accept nobody any more; who is there is served to the end."""
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for server in self._listening:
            server.close()

    async def close(self) -> None:
        """Accept nobody any more, and end who is still there."""
        await self.shut()
        for visitor in self._visitors.values():
            visitor.end()
        self._visitors.clear()

    async def _accept(
        self, server: socket.socket, protocol: Callable[[], asyncio.BaseProtocol]
    ) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(server)
            except OSError as error:
                freed = error.errno in _SHORT_OF and self._make_room(error)
                await self._clock.sleep(0 if freed else _PAUSE)
                continue
            self._let_in(connection, protocol())
            # Others get their turn, however many wait here.
            await self._clock.sleep(0)

    def _make_room(self, error: OSError) -> bool:
        """Give up one connection for its descriptor; say whether there was one."""
        now = self._clock.monotonic()
        if now >= self._silent_until:
            log.warning("a connection waits: %s", error.strerror)
            self._silent_until = now + _QUIET
        self._forget_closed()
        return self._end_one()

    def _let_in(self, connection: socket.socket, protocol: asyncio.BaseProtocol) -> None:
        loop = asyncio.get_running_loop()
        visitor = _Visitor(socket=connection, silent_since=loop.time())
        self._visitors[protocol] = visitor
        visitor.opening = loop.create_task(self._begin(visitor, protocol))
        visitor.timer = loop.call_later(self._silence.head, self._look, protocol)
        if len(self._visitors) > self._most:
            self._forget_closed()
        if len(self._visitors) > self._most:
            self._end_one()

    async def _begin(self, visitor: _Visitor, protocol: asyncio.BaseProtocol) -> None:
        loop = asyncio.get_running_loop()
        try:
            visitor.transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, visitor.socket, ssl=self._tls
            )
        except OSError:
            if protocol in self._visitors:
                self._forget(protocol)

    def _look(self, protocol: object) -> None:
        """End who was silent for too long; look again at the others when that may be."""
        visitor = self._visitors[protocol]
        loop = asyncio.get_running_loop()
        end = visitor.silent_since + self._allowed(visitor)
        if visitor.closed:
            self._forget(protocol)
        elif end <= loop.time():
            self._forget(protocol).end()
        else:
            soon = min(end, loop.time() + self._silence.unread)
            visitor.timer = loop.call_at(soon, self._look, protocol)

    def _allowed(self, visitor: _Visitor) -> float:
        if visitor.full:
            return min(self._silence.unread, self._silence.kept)
        return self._silence.kept if visitor.heard else self._silence.head

    def _forget_closed(self) -> None:
        for protocol in [one for one, visitor in self._visitors.items() if visitor.closed]:
            self._forget(protocol)

    def _forget(self, protocol: object) -> _Visitor:
        visitor = self._visitors.pop(protocol)
        if visitor.timer is not None:
            visitor.timer.cancel()
        return visitor

    def _end_one(self) -> bool:
        """End the connection that was silent longest; one that is being served only at last."""
        if not self._visitors:
            return False
        oldest = min(self._visitors.items(), key=_turn)[0]
        self._forget(oldest).end()
        return True


def _turn(item: tuple[object, _Visitor]) -> tuple[bool, float]:
    visitor = item[1]
    return visitor.serving, visitor.silent_since


async def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on every address of a host; raise OSError where one cannot."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    made: list[socket.socket] = []
    refused: OSError | None = None
    for family, address in dict.fromkeys((family, address) for family, *_, address in found):
        try:
            made.append(socket.create_server(address, family=family, backlog=_BACKLOG))
        except OSError as error:
            refused = error if refused is None or error.errno not in _NOT_HERE else refused
    if refused is not None and not (made and refused.errno in _NOT_HERE):
        for one in made:
            one.close()
        raise refused
    return made


def room(wanted: int) -> int:
    """Raise the limit of open files as far as allowed; return how many connections fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(_FEWEST, min(wanted, most - _OWN))
