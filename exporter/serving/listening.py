"""The two places at which an exporter listens: the address for pages, the socket for this node."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Final

from aiohttp import web

from exporter.clock import SystemClock
from exporter.config import ConfigError
from exporter.doctor import report
from exporter.parts import Exporter
from exporter.serving import complaints, connections, control
from exporter.serving.auth import Authentication
from exporter.serving.web import application
from exporter.serving.webconfig import WebConfigError

log = logging.getLogger(__name__)

_CLOSING: Final = 0.5
#: Connections that may be open beside those whose requests are being served.
_WAITING: Final = 160


async def serve(exporter: Exporter, stack: AsyncExitStack) -> None:
    """Serve the pages; raise :class:`ConfigError` where that cannot be."""
    config = exporter.config
    try:
        auth = Authentication(config.web_config, SystemClock())
    except WebConfigError as error:
        raise ConfigError(f"--web.config.file {error}") from error
    stack.callback(auth.close)
    app = application(exporter, exporter, config.access, auth)
    entry = connections.ConnectionLimiter(
        connections.room(config.access.crowd + _WAITING), SystemClock(), auth.tls
    )
    app.middlewares.insert(0, entry.middleware)
    stack.push_async_callback(entry.close)
    runner = await _runner(app, stack)
    try:
        sockets = await connections.listen(config.host, config.port)
    except OSError as error:
        raise ConfigError(f"--listen {config.host}:{config.port}: {error.strerror}") from error
    stack.push_async_callback(entry.shut)
    entry.open(_server(runner), sockets)
    host, port = sockets[0].getsockname()[:2]
    log.info("serving on %s:%s as node %s", host, port, config.node)


async def serve_locally(exporter: Exporter, stack: AsyncExitStack) -> None:
    """Serve the local socket; without it everything but the commands works."""
    path = exporter.config.control
    if path is None:
        return
    try:
        listening = control.listen(path)
    except control.ControlError as error:
        log.warning("%s; gpu-exporter release and doctor cannot reach this exporter", error)
        return
    stack.callback(control.remove, path)
    runner = await _runner(control.application(exporter, _doctor(exporter)), stack)
    await web.SockSite(runner, listening).start()


def _doctor(exporter: Exporter) -> Callable[[], Awaitable[str]]:
    async def examine() -> str:
        return report(exporter)

    return examine


def _server(runner: web.AppRunner) -> web.Server:
    if runner.server is None:
        raise RuntimeError("the runner is not set up")
    return runner.server


async def _runner(app: web.Application, stack: AsyncExitStack) -> web.AppRunner:
    log_of_the_web = complaints.logger(SystemClock())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING, logger=log_of_the_web)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    return runner
