"""
One device's counters: readings become seconds, joules and bytes here and nowhere else.

Pure; the times in the readings are the only clock.  An interval counts only between two readings
that both measured the signal and lie at most three periods apart; everything else stays unseen.
All counters of a device are born together and die together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from exporter.contract.catalog import EDGES, TENANT
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    DeviceProcesses,
    Flow,
    Health,
    Measured,
    MemoryUse,
    PowerUse,
    TenantUse,
)

#: Tenants that left whose seconds are remembered: one that comes back goes on from them.
_LEFT: Final = 64

#: An interval longer than so many periods of its signal adds to no counter.
LONGEST: Final = 3.0

_EDGES: Final[tuple[float, ...]] = tuple(float(edge) for edge in EDGES)
_BUSIEST: Final = "busiest"
#: Utilisation says that a kernel is there, not that it works: it is above no edge.
_RESIDENT: Final = "engine"
_THROTTLED: Final = "throttled"
_ENERGY: Final = "energy"


@dataclass(slots=True)
class Tally:
    """Counters since their common birth; keys are signals, links, reasons and Xid numbers."""

    observed: dict[str, float] = field(default_factory=dict)
    active: dict[str, float] = field(default_factory=dict)
    above: list[float] = field(default_factory=lambda: [0.0] * len(_EDGES))
    links: dict[str, tuple[float, float]] = field(default_factory=dict)
    energy: float | None = None
    throttled: dict[str, float] = field(default_factory=dict)
    clamped: dict[str, int] = field(default_factory=dict)
    xids: dict[int, tuple[int, float]] = field(default_factory=dict)
    ecc: dict[str, int] = field(default_factory=dict)
    tenants: dict[tuple[str, str], float] = field(default_factory=dict)
    left: dict[tuple[str, str], float] = field(default_factory=dict)
    """Tenants that are not there at present, in the order in which they left."""
    sources: dict[str, str] = field(default_factory=dict)
    advanced: float | None = None
    _last: dict[str, float] = field(default_factory=dict)
    _joules: float | None = None
    _errors: dict[str, int] = field(default_factory=dict)

    def successor(self) -> "Tally":
        """Return counters from zero; when each Xid was last seen is no counter and stays."""
        return Tally(xids={number: (0, wall) for number, (_, wall) in self.xids.items()})

    def contradicts(self, activity: Activity) -> bool:
        """Say whether a signal now comes from another source, so that counters must begin anew."""
        return any(
            self.sources.get(name, value.source) != value.source
            for name, value in (*activity.signals.items(), *activity.links.items())
            if not isinstance(value, Absent)
        )

    def add_activity(self, activity: Activity, period: float) -> None:
        """Add the interval since the reading before to each signal that was measured at both."""
        busiest = -1.0
        for name, value in activity.signals.items():
            seconds = self._seen(name, activity.at, value, period)
            if isinstance(value, Measured):
                self.advanced = activity.at
                busiest = busiest if name == _RESIDENT else max(busiest, value.value)
                self.sources[name] = value.source
                self.active[name] = self.active.get(name, 0.0) + seconds * value.value
        self._add_edges(activity.at, busiest, period)
        self._add_links(activity.at, activity.links, period)
        self._add_clamped(activity.clamped)

    def _add_edges(self, at: float, busiest: float, period: float) -> None:
        seconds = self._interval(_BUSIEST, at, period, measured=busiest >= 0)
        if seconds:
            for number, edge in enumerate(_EDGES):
                if busiest > edge:
                    self.above[number] += seconds

    def _add_links(self, at: float, links: Mapping[str, Flow | Absent], period: float) -> None:
        for name, flow in links.items():
            seconds = self._seen(name, at, flow, period)
            if isinstance(flow, Flow):
                self.sources[name] = flow.source
                sent, received = self.links.get(name, (0.0, 0.0))
                self.links[name] = (sent + seconds * flow.sent, received + seconds * flow.received)

    def add_memory(self, use: MemoryUse, period: float) -> None:
        """Add the interval to the seconds in which memory was read."""
        self._seen("memory", use.at, use.memory, period)
        self._add_clamped(use.clamped)

    def add_processes(self, found: DeviceProcesses, period: float) -> None:
        """Add the interval to the seconds in which the process list was read."""
        self._seen("processes", found.at, found.processes, period)

    def add_power(self, use: PowerUse, period: float) -> None:
        """Add energy by the board's own meter, else by power times time, and throttled seconds."""
        seconds = self._seen("power", use.at, use.power, period)
        self._add_energy(use, seconds, period)
        held = self._interval(_THROTTLED, use.at, period, measured=use.throttled is not None)
        for reason in use.throttled or ():
            self.throttled[reason] = self.throttled.get(reason, 0.0) + held
        self._add_clamped(use.clamped)

    def _add_energy(self, use: PowerUse, seconds: float, period: float) -> None:
        if use.energy is not None:
            known = self._interval(_ENERGY, use.at, period, measured=True) > 0
            grown = use.energy - self._joules if known and self._joules is not None else 0.0
            self._joules = use.energy
            self.energy = (self.energy or 0.0) + max(0.0, grown)
        elif not isinstance(use.power, Absent):
            self.energy = (self.energy or 0.0) + seconds * use.power

    def add_health(self, health: Health) -> None:
        """Count the Xid errors since the turn before."""
        for number, wall in health.xids:
            self.add_xid(number, wall)

    def add_xid(self, number: int, wall: float) -> None:
        """Count one Xid error, seen at `wall` (Unix seconds)."""
        count, last = self.xids.get(number, (0, 0.0))
        self.xids[number] = (count + 1, max(last, wall))

    def add_ecc(self, health: Health) -> None:
        """Add ECC errors as the driver counts them; it begins at zero when the GPU is reset."""
        for kind, errors in health.ecc.items():
            before = self._errors.get(kind, 0)
            grown = errors - before if errors >= before else errors
            self.ecc[kind] = self.ecc.get(kind, 0) + grown
            self._errors[kind] = errors

    def add_tenants(self, use: TenantUse, period: float) -> None:
        """Add the interval to each tenant of a shared device that is there."""
        seconds = self._seen(TENANT, use.at, use.tenants, period)
        self._add_clamped(use.clamped)
        if not isinstance(use.tenants, Absent):
            known = {**self.left, **self.tenants}
            self.tenants = {
                tenant: known.pop(tenant, 0.0) + seconds * ratio
                for tenant, ratio in use.tenants.items()
            }
            self.left = dict(list(known.items())[-_LEFT:])

    def rewound(self, use: PowerUse) -> bool:
        """Say whether the board's energy meter fell: the driver was reloaded."""
        return use.energy is not None and self._joules is not None and use.energy < self._joules

    def _seen(self, name: str, at: float, value: object, period: float) -> float:
        measured = not isinstance(value, Absent)
        seconds = self._interval(name, at, period, measured=measured)
        if measured:
            self.observed[name] = self.observed.get(name, 0.0) + seconds
        return seconds

    def _interval(self, name: str, at: float, period: float, *, measured: bool) -> float:
        if not measured:
            self._last.pop(name, None)
            return 0.0
        seconds = at - self._last.get(name, at)
        self._last[name] = at
        return seconds if 0 < seconds <= LONGEST * period else 0.0

    def _add_clamped(self, names: tuple[str, ...]) -> None:
        for name in names:
            self.clamped[name] = self.clamped.get(name, 0) + 1
