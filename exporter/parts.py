"""The parts of one exporter, put together: what it measures with, and its pages."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exporter.clock import SystemClock
from exporter.config import Config
from exporter.contract.catalog import FAMILIES
from exporter.kernel.cost import cpu_seconds, resident_bytes
from exporter.kernel.failed_devices import FailedDevices
from exporter.kernel.log import KernelLog
from exporter.release import By, Release, Window
from exporter.release_file import ReleaseFile
from exporter.sampling.register import Register
from exporter.sampling.sampler import Sampler
from exporter.sampling.sources import SourceState
from exporter.sampling.state import NodeState
from exporter.sampling.supervisor import Patience, Supervisor
from exporter.serving import exposition
from exporter.serving.page import Page, Shared
from exporter.serving.vitals import Moment, RowsByFamily

if TYPE_CHECKING:
    from exporter.dcgm.source import DcgmExporter

#: How long a request to let go waits for a driver call that is under way.
_PATIENCE: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Text about devices, when it was made (monotonic), and of what."""

    key: tuple[object, ...]
    at: float
    blocks: Mapping[str, str]


class Exporter:
    """One exporter.

    Windows, deadlines and the kernel log are in real time; what is measured is in the time of
    the configured clock.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.clock = config.clock
        self.state = NodeState(config.periods)
        self.supervisor = Supervisor(config.setup, Patience(call=config.call_timeout))
        self.sampler = Sampler(
            self.supervisor, self.state, config.clock, self.window, self._prepare
        )
        self._prepared: Prepared | None = None
        self.dcgm = _dcgm(config)
        if self.dcgm is not None:
            self.state.complete = self.dcgm.complete
        self._real = SystemClock()
        self._release = Release()
        self._failed_devices = FailedDevices(
            self.state, self.supervisor.quarantine, Path(config.setup.places.sys)
        )
        self._register = Register(self.state, self._failed_devices)
        self._kernel_log = KernelLog(config.kernel_log, self._real) if config.kernel_log else None
        self._release_file = (
            ReleaseFile(config.release_file, self._release, self._real)
            if config.release_file
            else None
        )
        self._started = round(config.clock.wall(), 3)
        self._boot = _boot_id(config.setup.places.proc)
        self.version = _version()
        self._metrics = Page(item for item in FAMILIES if item.page == "metrics")
        self._people = Page(item for item in FAMILIES if item.page == "people")
        self._shared_metrics, self._shared_people = Shared(), Shared()

    # ------------------------------------------------------------------ pages

    def metrics(self) -> bytes:
        """Return the page for every reader; all who ask within a sample share one."""
        now = self.clock.monotonic()
        return self._shared_metrics.page(self._known(), now, lambda: self._whole(self.moment()))

    def people(self) -> bytes:
        """Return the page that says something about people, shared alike."""
        now = self.clock.monotonic()
        return self._shared_people.page(
            self._known(), now, lambda: self._people.render(exposition.people(self.state, now))
        )

    def _known(self) -> tuple[object, ...]:
        """Return what makes a page anew when it changes, beside a new sample and its age."""
        return self.window(), self.supervisor.trouble

    def _whole(self, moment: Moment) -> bytes:
        young = self._metrics.blocks(exposition.node(self.state, moment))
        return self._metrics.join(young, self._blocks(moment))

    async def _prepare(self) -> None:
        """Make what a round changed before anybody asks, and let those who ask in between."""
        known, moment = self._known(), self.moment()
        rows: RowsByFamily = {}
        for so_far in exposition.devices_gradually(self.state, moment):
            rows = so_far
            await self._real.sleep(0)
        blocks: dict[str, str] = {}
        for name, text in self._metrics.gradually(rows):
            blocks[name] = text
            await self._real.sleep(0)
        self._prepared = Prepared(key=self._key(moment), at=moment.now, blocks=blocks)
        self._shared_metrics.put(known, moment.now, self._whole(moment))

    def _key(self, moment: Moment) -> tuple[object, ...]:
        stuck = moment.stuck[0] if moment.stuck else ""
        return self.state.sampled_at, moment.released, stuck, moment.trouble

    def _blocks(self, moment: Moment) -> Mapping[str, str]:
        """Return the text about devices; a new round, a new reason or its age makes it anew."""
        key, known = self._key(moment), self._prepared
        if known is None or known.key != key or moment.now - known.at > self.state.periods.activity:
            blocks = self._metrics.blocks(exposition.devices(self.state, moment))
            known = self._prepared = Prepared(key=key, at=moment.now, blocks=blocks)
        return known.blocks

    def moment(self) -> Moment:
        """Return what a page needs beside the state."""
        now = self.clock.monotonic()
        answer = self.state.round
        alive = answer if self.supervisor.pid is not None else None
        stuck = self.supervisor.stuck()
        window = self.window()
        return Moment(
            now=now,
            wall_offset=self.clock.wall() - now,
            version=self.version,
            node=self.config.node,
            boot=self._boot,
            started=self._started,
            cpu_seconds=cpu_seconds() + (alive.cpu_seconds if alive else 0.0),
            resident_bytes=resident_bytes() + (alive.resident_bytes if alive else 0),
            trouble=self.supervisor.trouble,
            stuck=(f"{stuck[0].name} {stuck[0].target}".strip(), stuck[1]) if stuck else None,
            released=window,
            released_until=self._unix(window) if window else 0.0,
            sources=self._sources(),
            unidentified=self._register.listed(),
        )

    def _sources(self) -> tuple[SourceState, ...]:
        if self._kernel_log is None:
            return (SourceState(source="kernel_log", state="off", reason="not asked for"),)
        trouble = self._kernel_log.trouble
        return (
            SourceState(source="kernel_log", state="failing" if trouble else "ok", reason=trouble),
        )

    def unready(self) -> str:
        """Return why this exporter is not ready, or nothing when it is."""
        window = self.window()
        if window is not None:
            return self._told(window)
        if self.state.sampled_at is None:
            return f"no pass yet: {self.supervisor.trouble}"
        if not self.state.devices:
            rest = "; ".join(map(str, self._register.listed()))
            return f"no GPU can be identified: {rest}" if rest else "the driver lists no GPU"
        if not self.state.fresh(self.state.sampled_at, "activity", self.clock.monotonic()):
            return f"the last sample is too old: {self.supervisor.trouble}"
        return ""

    def status(self) -> str:
        """Return one line for the service manager."""
        rest = len(self._register.listed())
        others = f"; {rest} cannot be identified" if rest else ""
        return self.unready() or f"measuring {len(self.state.devices)} devices{others}"

    # ------------------------------------------------------------------ letting go

    def window(self) -> Window | None:
        """Return the window in which the driver is let go."""
        return self._release.window(self._real.monotonic())

    async def release(self, seconds: float, *, by: By, reason: str) -> tuple[bool, str]:
        """Let the driver go; say whether nothing is held any more, and a sentence."""
        now = self._real.monotonic()
        window = self._release.open(seconds, by=by, reason=reason, now=now)
        try:
            async with asyncio.timeout(_PATIENCE):
                gone = await self.supervisor.let_go()
        except TimeoutError:
            gone = False
        if gone:
            return True, self._told(window)
        return False, f"not let go: {self.supervisor.trouble}"

    def resume(self) -> str:
        """Take the driver up again before the window ends."""
        self._release.close()
        return "the driver is taken up again"

    def _told(self, window: Window) -> str:
        until = datetime.fromtimestamp(self._unix(window), UTC)
        reason = f": {window.reason}" if window.reason else ""
        return f"released until {until:%Y-%m-%d %H:%M:%S} UTC by {window.by}{reason}"

    def _unix(self, window: Window) -> float:
        return self._real.wall() - self._real.monotonic() + window.until

    # ------------------------------------------------------------------ what is looked at often

    def listen(self) -> None:
        """Begin to read the kernel log."""
        if self._kernel_log is not None:
            self._kernel_log.start()

    def attend(self) -> None:
        """Look at what concerns the driver without asking it; cheap enough for twice a second."""
        if self._kernel_log is not None:
            self.state.kernel_speaks = not self._kernel_log.trouble
            self._failed_devices.hear(self._kernel_log.take())
        told = self.state.driver_xids
        self._failed_devices.hear_driver([told.popleft() for _ in range(len(told))])
        self._failed_devices.look()
        self._register.tell()
        if self._release_file is not None:
            self._release_file.look()
            states = self.state.devices.values()
            pending = frozenset(one.device.uuid for one in states if one.device.mig_pending)
            self._release.make_room(pending, self._real.monotonic())

    async def stop(self) -> None:
        """End everything that was begun."""
        if self._kernel_log is not None:
            self._kernel_log.stop()
        await self.supervisor.stop()


def _dcgm(config: Config) -> "DcgmExporter | None":
    if config.dcgm is None:
        return None
    from exporter.dcgm.source import DcgmExporter  # brings a whole web client

    return DcgmExporter(config.dcgm.url, config.dcgm.interval, config.clock)


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
