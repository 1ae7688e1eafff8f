"""A device's counters at one time, and the only place for differences, resets and coverage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import le, sub
from types import MappingProxyType
from typing import Final

#: Signals that the profiling hardware reads, as against the driver's own utilisation.
PROFILED: Final = ("sm", "tensor", "dram")

#: The signal whose observed seconds are those in which energy was counted.
_POWER: Final = "power"

_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})


def nothing() -> Mapping[str, float]:
    """Return a mapping of nothing: the same one for the hundred thousands that have none."""
    return _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """
    A device's counters at `at` (the exporter's own sample time).

    `epoch` names exporter start, signal source and device generation together: two readings
    of different epochs have no difference.  A signal that is not read is absent, never zero.
    """

    gpu: str
    at: float
    epoch: str
    observed: Mapping[str, float] = field(default_factory=dict)
    """Seconds really read, by signal."""
    active: Mapping[str, float] = field(default_factory=dict)
    """Active seconds, by activity signal."""
    above: tuple[float, ...] = ()
    """Seconds in which the busiest signal exceeded each edge of the wire."""
    links: Mapping[str, float] = field(default_factory=dict)
    """Bytes moved, by link."""
    joules: float | None = None
    memory_used: float | None = None
    power: float | None = None
    processes: int | None = None
    tenants: Mapping[str, float] = field(default_factory=nothing)
    """Engine seconds of each of several allocations on it; `observed` carries ``tenant``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """What happened to a device between two readings of one epoch."""

    gpu: str
    begin: float
    end: float
    observed: Mapping[str, float]
    active: Mapping[str, float]
    above: tuple[float, ...]
    links: Mapping[str, float]
    joules: float | None
    memory_used: float | None
    processes: int | None
    tenants: Mapping[str, float] = field(default_factory=dict)
    counted: bool = False
    """Whether its profiling counters have ever counted in this epoch."""

    @property
    def seconds(self) -> float:
        """Return the elapsed time."""
        return self.end - self.begin

    def means(self) -> dict[str, float]:
        """Return each signal's mean over its observed time; one that was not read is absent."""
        seen = self.observed
        return {
            signal: seconds / seen[signal]
            for signal, seconds in self.active.items()
            if seen.get(signal, 0.0) > 0
        }

    def unseen(self, signal: str) -> float:
        """Return how many seconds of the interval the signal was not read."""
        return max(0.0, self.seconds - self.observed.get(signal, 0.0))

    @property
    def rate(self) -> float:
        """Return the bytes per second on its busiest link; none where no link was read."""
        return max(self.links.values(), default=0.0) / self.seconds

    @property
    def power(self) -> float | None:
        """Return the mean power in watts; None where energy was not read."""
        return mean_power(self.joules, self.observed.get(_POWER), self.seconds)


def mean_power(joules: float | None, seen: float | None, elapsed: float) -> float | None:
    """
    Return the mean power over the `seen` seconds, or over the `elapsed` where none are told.

    Energy comes a sample at a time: in a short look it is that of more or fewer seconds than went
    by, and where none has come nothing is known.
    """
    if joules is None or seen == 0:
        return None
    return joules / (elapsed if seen is None else seen)


def between(earlier: Reading, later: Reading) -> Delta | None:
    """
    Return what happened between two readings, or None when they do not join.

    They do not join over a change of epoch, without time between them, or when any counter
    went backwards: the interval that holds a reset is unseen.
    """
    if earlier.gpu != later.gpu or earlier.epoch != later.epoch or later.at <= earlier.at:
        return None
    observed = _growth(earlier.observed, later.observed)
    active = _growth(earlier.active, later.active)
    links = _growth(earlier.links, later.links)
    above = _above(earlier.above, later.above)
    if observed is None or active is None or links is None or above is None:
        return None
    joules = _difference(earlier.joules, later.joules)
    if joules is not None and joules < 0:
        return None
    return Delta(
        gpu=later.gpu,
        begin=earlier.at,
        end=later.at,
        observed=observed,
        active=active,
        above=above,
        links=links,
        joules=joules,
        memory_used=later.memory_used,
        processes=later.processes,
        tenants=_of_tenants(earlier.tenants, later.tenants),
        counted=any(later.active.get(signal, 0.0) > 0 for signal in PROFILED),
    )


def grows(earlier: Reading, later: Reading) -> bool:
    """Tell whether two readings join, of the very same counters in the same order."""
    return (
        earlier.gpu == later.gpu
        and earlier.epoch == later.epoch
        and earlier.at < later.at
        and len(earlier.above) == len(later.above)
        and all(map(le, earlier.above, later.above))
        and _all_grow(earlier.observed, later.observed)
        and _all_grow(earlier.active, later.active)
        and _all_grow(earlier.links, later.links)
        and (earlier.joules is None) == (later.joules is None)
        and (earlier.joules or 0.0) <= (later.joules or 0.0)
    )


def _all_grow(earlier: Mapping[str, float], later: Mapping[str, float]) -> bool:
    return [*earlier] == [*later] and all(map(le, earlier.values(), later.values()))


def _growth(earlier: Mapping[str, float], later: Mapping[str, float]) -> dict[str, float] | None:
    try:
        growth = {name: seconds - earlier[name] for name, seconds in later.items()}
    except KeyError:
        growth = {name: later[name] - earlier[name] for name in later if name in earlier}
    return None if min(growth.values(), default=0.0) < 0 else growth


def _of_tenants(earlier: Mapping[str, float], later: Mapping[str, float]) -> dict[str, float]:
    """Return the growth of those that were there throughout: one that came back began anew."""
    growth = {name: later[name] - earlier[name] for name in later if name in earlier}
    return {name: seconds for name, seconds in growth.items() if seconds >= 0}


def _above(earlier: tuple[float, ...], later: tuple[float, ...]) -> tuple[float, ...] | None:
    if len(earlier) != len(later):
        return None
    growth = tuple(map(sub, later, earlier))
    return None if min(growth, default=0.0) < 0 else growth


def _difference(earlier: float | None, later: float | None) -> float | None:
    return None if earlier is None or later is None else later - earlier
