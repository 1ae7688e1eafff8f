"""
Where the reaper answers: a port for people and scrapers, a unix socket for commands.

Without a sign-in the port answers loopback alone, and changes nothing.  It answers only to the
names of this machine, so that a foreign page in a browser cannot read it.  A second port, where one
is wanted, has no page: probes and scrapers ask there from elsewhere.
"""

import logging
from asyncio import to_thread
from contextlib import AsyncExitStack
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from reaper.languages.catalogue import prepare
from reaper.requests import RefusedError
from reaper.schema import Address
from reaper.web import sockets
from reaper.web.access.identity import peer, reader
from reaper.web.access.visitor import Least, NotYoursError, remember
from reaper.web.crowd import serve
from reaper.web.given import Given
from reaper.web.guards import plain
from reaper.web.json_api.routes import Api, connection
from reaper.web.port import LARGEST, Port, least_for
from reaper.web.settings import Operators, WebSettings, mistakes
from reaper.web.sockets import ListenError

_log = logging.getLogger(__name__)

#: Where the socket alone says by which configuration the reaper runs.
CONFIGURATION: Final = "/debug/configuration"


class Web:
    """All sites; `start` listens, `stop` leaves nothing behind."""

    def __init__(self, *, given: Given, settings: WebSettings, operators: Operators) -> None:
        self._given = given
        self._settings = settings
        self._operators = operators
        self._api = Api(
            questions=given.questions,
            requests=given.requests,
            clock=given.clock,
            told_by=given.told_by,
            operators=operators,
            report=given.report,
            rate=given.rate,
            beat=given.beat,
        )
        self._stack = AsyncExitStack()
        self.address: Address | None = None
        """Where the page is, once started."""
        self.machines: Address | None = None
        """Where machines alone are answered, once started; None where nowhere."""

    async def start(self) -> None:
        """Listen at every place; raise ListenError, or SecretError for what cannot be read."""
        for where, what, cure in mistakes(self._settings):
            raise ListenError(f"web.{'.'.join(where)}: {what}; {cure}")
        await to_thread(prepare)
        port = Port.of(self._given, self._settings, self._api)
        async with AsyncExitStack() as stack:
            await self._start_socket(port, stack)
            await self._start_port(port, stack)
            await self._start_machines(port, stack)
            self._stack = stack.pop_all()
        scheme = "https" if self._settings.tls else "http"
        _log.info("page at %s://%s/, socket at %s", scheme, self.address, self._settings.socket)

    async def stop(self) -> None:
        """Stop listening and remove the socket."""
        await self._stack.aclose()

    async def _start_socket(self, port: Port, stack: AsyncExitStack) -> None:
        app = web.Application(middlewares=[plain, self.reading], client_max_size=LARGEST)
        port.machines.add(app.router)
        self._api.read(app.router)
        self._api.change(app.router)
        app.router.add_get(CONFIGURATION, self._configuration)
        bound = sockets.listen(self._settings.socket)
        stack.callback(sockets.remove, self._settings.socket)
        await serve(app, bound, stack, elapsed=self._given.clock.elapsed)

    @web.middleware
    async def reading(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let through what the user may read whom the kernel names; a change asks by itself."""
        if request.method in ("GET", "HEAD"):
            least = Least.OWNER if request.path == CONFIGURATION else least_for(request)
            try:
                found = reader(
                    peer(connection(request)), self._operators, self._settings.socket_readers
                )
            except RefusedError:
                if least is not Least.ANYBODY:
                    raise
            else:
                remember(request, found)
                if not found.may(least):
                    raise NotYoursError(
                        f"{found.user} may not see this: only operators may (see `operators:`)"
                    )
        return await handler(request)

    async def _configuration(self, _request: web.Request) -> web.Response:
        """Say by which file it runs: only here, to users of this machine."""
        return web.json_response({"path": self._given.configuration})

    async def _start_port(self, port: Port, stack: AsyncExitStack) -> None:
        bound = sockets.bind(self._settings.listen)
        stack.callback(bound.close)
        self.address = Address(*bound.getsockname()[:2])
        tls = sockets.tls(self._settings.tls)
        await serve(
            port.application(),
            bound,
            stack,
            elapsed=self._given.clock.elapsed,
            tls=tls,
            known=port.knows,
        )

    async def _start_machines(self, port: Port, stack: AsyncExitStack) -> None:
        if self._settings.machines is None:
            return
        bound = sockets.bind(self._settings.machines, key="web.machines")
        stack.callback(bound.close)
        self.machines = Address(*bound.getsockname()[:2])
        tls = sockets.tls(self._settings.tls)
        app = port.machines.application()
        known = port.machines.scraper
        await serve(app, bound, stack, elapsed=self._given.clock.elapsed, tls=tls, known=known)
        _log.info("probes and metrics at %s", self.machines)
