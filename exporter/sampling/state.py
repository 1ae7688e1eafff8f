"""
All that the pages can show: the newest readings and the counters, fed by rounds of the worker.

It integrates through :class:`exporter.sampling.tally.Tally`, joins resets, and forgets nothing of
a card that fell off the bus.  It refuses to format.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from exporter.kernel.pci import bus_of
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Attribution,
    Cadence,
    Device,
    DeviceProcesses,
    Finding,
    GresIndex,
    Health,
    MemoryUse,
    PowerUse,
    Round,
    TenantUse,
    Turn,
)
from exporter.sampling.sources import SourceState
from exporter.sampling.tally import Tally
from exporter.sampling.unidentified import Unidentified

_UNPLACED = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Periods:
    """Seconds between turns, by cadence."""

    activity: float = 1.0
    memory: float = 5.0
    proc: float = 15.0
    health: float = 30.0

    @classmethod
    def of(cls, activity: float) -> "Periods":
        """Return periods for an activity period: all shrink below a second, others never grow."""
        scale = min(1.0, activity)
        return cls(
            activity=activity,
            memory=max(activity, 5 * scale),
            proc=max(activity, 15 * scale),
            health=max(activity, 30 * scale),
        )

    def __getitem__(self, cadence: Cadence) -> float:
        return float(getattr(self, cadence))


@dataclass(slots=True, kw_only=True)
class DeviceState:
    """One device: who it is, its counters, and the newest answer of each kind."""

    device: Device
    tally: Tally = field(default_factory=Tally)
    epoch: int = 0
    gone: bool = False
    activity: Activity | None = None
    memory: MemoryUse | None = None
    power: PowerUse | None = None
    health: Health | None = None
    processes: DeviceProcesses | None = None
    tenants: TenantUse | None = None

    def restart(self) -> None:
        """Begin all counters anew and say so in the generation."""
        self.tally = self.tally.successor()
        self.epoch += 1

    @property
    def lost(self) -> bool:
        """Whether the device does not answer."""
        if self.gone or self.activity is None:
            return self.gone
        signals = self.activity.signals.values()
        return all(isinstance(item, Absent) and item.state == "lost" for item in signals)


@dataclass(slots=True)
class PressureCount:
    """Seconds added up over workers, and the kernel's count at the collector's last look."""

    collector: str
    total: float = 0.0
    last: float | None = None


class NodeState:
    """Takes rounds in, in order, and lets pages read."""

    def __init__(self, periods: Periods) -> None:
        self.periods = periods
        self.devices: dict[str, DeviceState] = {}
        #: Epochs of instances that went away: the driver gives the same UUID again.
        self._epochs: dict[str, int] = {}
        #: What the driver last counted and could not identify.
        self.unidentified: tuple[Unidentified, ...] = ()
        self.turns: dict[str, tuple[Turn, float]] = {}
        self._attributions: dict[str, tuple[Attribution, float]] = {}
        self.pressure: dict[tuple[str, str, str], PressureCount] = {}
        self.round: Round | None = None
        #: Fills a round with what others than its driver know.
        self.complete: Callable[[Round], Round] | None = None
        #: Whether the kernel log is read: it says all that the driver's own events say, and more.
        self.kernel_speaks = False
        #: Addresses and Xids by the driver's own word, until somebody takes them.
        self.driver_xids: deque[tuple[str, int]] = deque(maxlen=_UNPLACED)
        self._unplaced: deque[tuple[str, int, float]] = deque(maxlen=_UNPLACED)
        self.sampled_at: float | None = None

    def take(self, answer: Round) -> None:
        """Take one answer of the worker."""
        if self.complete is not None:
            answer = self.complete(answer)
        self.round = answer
        if not answer.driver:
            return
        self._enumerate(answer.devices)
        self.unidentified = answer.unidentified
        for turn in answer.turns:
            self.turns[turn.collector] = (turn, answer.at)
            if turn.finding is not None:
                self._take_finding(turn.collector, turn.finding, answer.at)
        self.sampled_at = answer.at

    def _enumerate(self, devices: tuple[Device, ...]) -> None:
        listed = {device.uuid: device for device in devices}
        for uuid, state in list(self.devices.items()):
            state.gone = uuid not in listed
            if state.gone and state.device.parent:
                self._epochs[uuid] = state.epoch + 1
                del self.devices[uuid]
        for uuid, device in listed.items():
            known = self.devices.get(uuid)
            if known is None:
                self.devices[uuid] = DeviceState(device=device, epoch=self._epochs.get(uuid, 0))
            elif known.device != device:
                self._update(known, device)
        for xid in tuple(self._unplaced):
            self._unplaced.popleft()
            self.take_xid(*xid)

    def take_xid(self, bus: str, number: int, wall: float) -> None:
        """Count an Xid of the card at a PCI address; one of an unknown card waits for it."""
        card = self._card(bus)
        if card is None:
            self._unplaced.append((bus, number, wall))
        else:
            card.tally.add_xid(number, wall)

    def card_at(self, bus: str) -> int | None:
        """Return the index of the card at a PCI address (``"0000:3b:00"``)."""
        card = self._card(bus)
        return None if card is None else card.device.index

    def gone_card(self, index: int | None) -> bool:
        """Say whether a card of this number was known and is no longer listed."""
        states = self.devices.values()
        return any(one.gone and one.device.index == index for one in states)

    def _card(self, bus: str) -> DeviceState | None:
        cards = (one for one in self.devices.values() if not one.device.parent)
        return next((one for one in cards if bus_of(one.device.pci_bus_id) == bus), None)

    def _update(self, known: DeviceState, device: Device) -> None:
        if known.device.generation != device.generation:
            known.restart()
        known.device = device

    def _take_finding(self, collector: str, finding: Finding, at: float) -> None:
        if isinstance(finding, Attribution):
            self._attributions[collector] = (finding, at)
            self._take_pressure(collector, finding)
            return
        for item in finding:
            state = self.devices.get(item.gpu)
            if state is not None:
                self._take_reading(state, item)

    def _take_reading(
        self,
        state: DeviceState,
        item: Activity | MemoryUse | PowerUse | Health | DeviceProcesses | TenantUse,
    ) -> None:
        match item:
            case Activity():
                self._take_activity(state, item)
            case MemoryUse():
                state.memory = item
                state.tally.add_memory(item, self.periods.memory)
            case PowerUse():
                self._take_power(state, item)
            case Health():
                state.health = item
                state.tally.add_ecc(item)
                if not self.kernel_speaks:
                    state.tally.add_health(item)
                    bus = bus_of(state.device.pci_bus_id)
                    self.driver_xids.extend((bus, number) for number, _ in item.xids)
            case DeviceProcesses():
                state.processes = item
                state.tally.add_processes(item, self.periods.proc)
            case TenantUse():
                state.tenants = item
                state.tally.add_tenants(item, self.periods.activity)

    def _take_activity(self, state: DeviceState, item: Activity) -> None:
        if state.tally.contradicts(item):
            state.restart()
        state.activity = item
        state.tally.add_activity(item, self.periods.activity)

    def _take_power(self, state: DeviceState, item: PowerUse) -> None:
        if state.tally.rewound(item):
            state.restart()
        state.power = item
        state.tally.add_power(item, self.periods.memory)

    def _take_pressure(self, collector: str, finding: Attribution) -> None:
        seen = {
            (item.platform, item.allocation, item.resource): item.seconds
            for item in finding.pressures
        }
        for key, seconds in seen.items():
            count = self.pressure.setdefault(key, PressureCount(collector))
            if count.last is not None and seconds > count.last:
                count.total += seconds - count.last
            count.last = seconds
        for key, count in list(self.pressure.items()):
            if count.collector == collector and key not in seen:
                del self.pressure[key]

    def attributions(self, now: float) -> Iterator[Attribution]:
        """Yield what is known of holders and sessions; what is old is unknown and left out."""
        for finding, at in self._attributions.values():
            if self.fresh(at, "proc", now):
                yield finding

    def sources(self, now: float) -> Iterator[SourceState]:
        """Yield the state of every source that the worker reads."""
        for finding in self.attributions(now):
            yield from finding.sources

    def gres(self, now: float) -> Mapping[str, GresIndex]:
        """Return the index in their scheduler's words, and who says so, by device."""
        return {item.gpu: item for finding in self.attributions(now) for item in finding.gres}

    def fresh(self, at: float | None, cadence: Cadence, now: float) -> bool:
        """Say whether an answer given `at` still counts."""
        return at is not None and at >= self.oldest(cadence, now)

    def oldest(self, cadence: Cadence, now: float) -> float:
        """Return from when on an answer still counts: it is at most three periods old."""
        return now - 3 * self.periods[cadence]
