"""The sums behind a stretch of minutes; adds with ``+``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import add, sub
from typing import Final

from reaper.domain.facts.reading import Reading

#: Families of witnesses: only different families count as two.
PROFILING: Final = "profiling"
UTILISATION: Final = "utilisation"
POWER: Final = "power"
CONTEXT: Final = "context"
#: Counters of a MIG instance, which has no utilisation, that counted before: not stuck at zero.
HISTORY: Final = "history"
FAMILIES: Final = (PROFILING, UTILISATION, POWER, CONTEXT, HISTORY)

#: Share of a stretch that a family must have spoken for to be its witness.
FULL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """
    What was measured over some minutes of one device; seconds, joules.

    `witnesses` holds, per family, the seconds for which it said idle.
    """

    seconds: float = 0.0
    seen: Mapping[str, float] = field(default_factory=dict)
    active: Mapping[str, float] = field(default_factory=dict)
    above: tuple[float, ...] = ()
    joules: float | None = None
    witnesses: Mapping[str, float] = field(default_factory=dict)

    def __add__(self, other: "Evidence") -> "Evidence":
        if not self.seconds:
            return other
        if not other.seconds:
            return self
        return Evidence(
            seconds=self.seconds + other.seconds,
            seen=_sum(self.seen, other.seen),
            active=_sum(self.active, other.active),
            above=_sum_tuples(self.above, other.above),
            joules=_sum_optional(self.joules, other.joules),
            witnesses=_sum(self.witnesses, other.witnesses),
        )

    def with_work(self, seconds: float, earlier: Reading, later: Reading) -> "Evidence":
        """Return it with what was done between two readings of its counters; no witness of it."""
        seen, active = self.seen, self.active
        was_seen, was_active = earlier.observed, earlier.active
        grown = map(sub, later.above, earlier.above)
        return Evidence(
            seconds=self.seconds + seconds,
            seen={name: seen[name] + (at - was_seen[name]) for name, at in later.observed.items()},
            active={
                name: active[name] + (at - was_active[name]) for name, at in later.active.items()
            },
            above=tuple(map(add, self.above, grown)),
            joules=None
            if self.joules is None or earlier.joules is None or later.joules is None
            else self.joules + (later.joules - earlier.joules),
            witnesses=self.witnesses,
        )

    @property
    def testified(self) -> tuple[str, ...]:
        """Return the families that said idle for the whole of it, in a fixed order."""
        if not self.seconds or not self.witnesses:
            return ()
        needed, said = self.seconds * FULL, self.witnesses
        return tuple([family for family in FAMILIES if said.get(family, 0.0) >= needed])

    @property
    def power(self) -> float | None:
        """Return the mean power in watts; None where energy was not read throughout."""
        return self.joules / self.seconds if self.joules is not None and self.seconds else None


def _sum(one: Mapping[str, float], other: Mapping[str, float]) -> Mapping[str, float]:
    if one.keys() == other.keys():
        return {name: seconds + other[name] for name, seconds in one.items()}
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}


def _sum_tuples(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    if len(one) != len(other):
        return ()
    return tuple(map(add, one, other))


def _sum_optional(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
