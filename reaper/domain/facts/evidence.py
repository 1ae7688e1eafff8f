"""The sums behind a stretch of minutes; adds with ``+``."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from operator import add
from typing import Final

from reaper.domain.facts.reading import Reading, nothing

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
    witnesses: Mapping[str, float] = field(default_factory=nothing)

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

    def beyond(self, reading: Reading) -> "array[float]":
        """Return what it holds beyond each counter of a reading, in order; joules last, if any."""
        sums = [self.seen[name] - seconds for name, seconds in reading.observed.items()]
        sums += [self.active[name] - seconds for name, seconds in reading.active.items()]
        sums += [held - seconds for held, seconds in zip(self.above, reading.above, strict=True)]
        if self.joules is not None and reading.joules is not None:
            sums.append(self.joules - reading.joules)
        return array("d", sums)

    @classmethod
    def up_to(
        cls,
        reading: Reading,
        beyond: "array[float]",
        *,
        seconds: float,
        witnesses: Mapping[str, float],
    ) -> "Evidence":
        """Return the evidence that holds so much beyond a reading of the very same counters."""
        # Each part takes as many of them as the reading has counters.
        more = iter(beyond)
        seen = {
            name: at + held
            for (name, at), held in zip(reading.observed.items(), more, strict=False)
        }
        active = {
            name: at + held for (name, at), held in zip(reading.active.items(), more, strict=False)
        }
        above = tuple(map(add, islice(more, len(reading.above)), reading.above))
        joules = next(more, None)
        return cls(
            seconds=seconds,
            seen=seen,
            active=active,
            above=above,
            joules=_sum_optional(joules, reading.joules),
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


def _sum_optional(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
