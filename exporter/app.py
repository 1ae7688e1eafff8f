"""The composition root: the only place that knows every part, and the order in which they end."""

import asyncio
import logging
import signal
import ssl
from contextlib import AsyncExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, get_args

from exporter import exposition
from exporter.clock import SystemClock
from exporter.config import Config, ConfigError
from exporter.contract.catalog import FAMILIES
from exporter.cost import cpu_seconds, give_back, resident_bytes
from exporter.exposition import Moment
from exporter.frames import Ask
from exporter.page import Page
from exporter.sampler import Sampler
from exporter.snapshot import Cadence
from exporter.state import NodeState
from exporter.supervisor import Patience, Supervisor

log = logging.getLogger(__name__)

_EVERYTHING: Final[frozenset[Cadence]] = frozenset(get_args(Cadence))
#: GPM needs two samples at least 100 ms apart.
_BETWEEN: Final = 0.15
_CLOSING: Final = 0.5


class Exporter:
    """The parts of one exporter, and its pages."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.clock = config.clock
        self.state = NodeState(config.periods)
        self.supervisor = Supervisor(config.setup, Patience(call=config.call_timeout))
        self.sampler = Sampler(self.supervisor, self.state, config.clock)
        self._started = round(config.clock.wall(), 3)
        self._boot = _boot_id(config.setup.places.proc)
        self._version = _version()
        self._metrics = Page(item for item in FAMILIES if item.page == "metrics")
        self._people = Page(item for item in FAMILIES if item.page == "people")

    def metrics(self) -> bytes:
        """Return the page for every reader."""
        return self._metrics.render(exposition.metrics(self.state, self._moment()))

    def people(self) -> bytes:
        """Return the page that says something about people."""
        return self._people.render(exposition.people(self.state, self.clock.monotonic()))

    def _moment(self) -> Moment:
        now = self.clock.monotonic()
        answer = self.state.round
        alive = answer if self.supervisor.pid is not None else None
        stuck = self.supervisor.stuck()
        return Moment(
            now=now,
            wall_offset=self.clock.wall() - now,
            version=self._version,
            node=self.config.node,
            boot=self._boot,
            started=self._started,
            cpu_seconds=cpu_seconds() + (alive.cpu_seconds if alive else 0.0),
            resident_bytes=resident_bytes() + (alive.resident_bytes if alive else 0),
            trouble=self.supervisor.trouble,
            stuck=(f"{stuck[0].name} {stuck[0].target}".strip(), stuck[1]) if stuck else None,
        )

    def unready(self) -> str:
        """Return why this exporter is not ready, or nothing when it is."""
        if self.state.sampled_at is None:
            return f"no pass yet: {self.supervisor.trouble}"
        if not self.state.devices:
            return "the driver lists no GPU"
        if not self.state.fresh(self.state.sampled_at, "activity", self.clock.monotonic()):
            return f"the last sample is too old: {self.supervisor.trouble}"
        return ""


def _boot_id(proc: str) -> str:
    try:
        return (Path(proc) / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _version() -> str:
    try:
        return version("gpu-reaper")
    except PackageNotFoundError:
        return "unknown"


async def once(config: Config) -> tuple[str, int]:
    """Return both pages after one pass, and how many GPUs were seen."""
    exporter = Exporter(config)
    try:
        for pause in (_BETWEEN, _BETWEEN, 0.0):
            answer = await exporter.supervisor.ask(Ask(due=_EVERYTHING))
            if answer is not None:
                exporter.state.take(answer)
            await SystemClock().sleep(pause)
        text = exporter.metrics()
        if config.access.people:
            text += exporter.people()
        if not exporter.state.devices:
            log.error("no GPU: %s", exporter.supervisor.trouble)
        return text.decode(), len(exporter.state.devices)
    finally:
        await exporter.supervisor.stop()


async def serve(config: Config) -> None:
    """Sample and serve until SIGTERM or SIGINT."""
    for warning in config.warnings:
        log.warning("%s", warning)
    exporter = Exporter(config)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(exporter.supervisor.stop)
        await _listen(exporter, stack)
        sampling = asyncio.create_task(exporter.sampler.run())
        stack.push_async_callback(_cancel, sampling)
        give_back()
        ending = asyncio.create_task(ended.wait())
        await asyncio.wait({ending, sampling}, return_when=asyncio.FIRST_COMPLETED)
        if sampling.done():
            sampling.result()
    log.info("ended")


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait({task})


async def _listen(exporter: Exporter, stack: AsyncExitStack) -> None:
    from aiohttp import web

    from exporter.web import application

    config = exporter.config
    runner = web.AppRunner(
        application(exporter, config.access),
        access_log=None,
        shutdown_timeout=_CLOSING,
    )
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    site = web.TCPSite(
        runner, config.host, config.port, ssl_context=_tls(config), reuse_address=True
    )
    try:
        await site.start()
    except OSError as error:
        raise ConfigError(f"--listen {config.host}:{config.port}: {error.strerror}") from error
    host, port = runner.addresses[0][:2]
    log.info("serving on %s:%s as node %s", host, port, config.node)


def _tls(config: Config) -> ssl.SSLContext | None:
    if config.tls is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(*config.tls)
    except OSError as error:
        raise ConfigError(f"--tls-cert, --tls-key: no matching PEM pair ({error})") from error
    return context
