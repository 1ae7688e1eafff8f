"""The sums behind a stretch of minutes; adds with ``+``."""

from collections.abc import Callable, Mapping
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

    def sums(self, reading: Reading) -> bool:
        """Tell whether it holds sums of the very counters of a reading."""
        return (
            self.seconds > 0
            and self.seen.keys() == reading.observed.keys()
            and self.active.keys() == reading.active.keys()
            and len(self.above) == len(reading.above)
        )

    def beyond(self, reading: Reading) -> "Evidence":
        """Return what it holds beyond the counters of a reading."""
        seen, active = reading.observed, reading.active
        return Evidence(
            seen={name: seconds - seen[name] for name, seconds in self.seen.items()},
            active={name: seconds - active[name] for name, seconds in self.active.items()},
            above=tuple(map(sub, self.above, reading.above)),
            joules=_sum_optional(self.joules, reading.joules, sub),
        )

    def up_to(
        self, reading: Reading, *, seconds: float, witnesses: Mapping[str, float]
    ) -> "Evidence":
        """Return the evidence of which this lies beyond a later reading of the same counters."""
        seen, active = reading.observed, reading.active
        return Evidence(
            seconds=seconds,
            seen={name: beyond + seen[name] for name, beyond in self.seen.items()},
            active={name: beyond + active[name] for name, beyond in self.active.items()},
            above=tuple(map(add, self.above, reading.above)),
            joules=_sum_optional(self.joules, reading.joules),
            witnesses=witnesses,
        )

    @property
    def testified(self) -> tuple[str, ...]:
        """Return the families that said idle for the whole of it, in a fixed order."""
        return testified(self.seconds, self.witnesses)

    @property
    def power(self) -> float | None:
        """Return the mean power in watts; None where energy was not read throughout."""
        return self.joules / self.seconds if self.joules is not None and self.seconds else None


def testified(seconds: float, witnesses: Mapping[str, float]) -> tuple[str, ...]:
    """Return the families that said idle for the whole of so many seconds, in a fixed order."""
    if not seconds or not witnesses:
        return ()
    needed = seconds * FULL
    return tuple([family for family in FAMILIES if witnesses.get(family, 0.0) >= needed])


def _sum(one: Mapping[str, float], other: Mapping[str, float]) -> Mapping[str, float]:
    if one.keys() == other.keys():
        return {name: seconds + other[name] for name, seconds in one.items()}
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}


def _sum_tuples(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    if len(one) != len(other):
        return ()
    return tuple(map(add, one, other))


def _sum_optional(
    one: float | None, other: float | None, join: Callable[[float, float], float] = add
) -> float | None:
    return None if one is None or other is None else join(one, other)
