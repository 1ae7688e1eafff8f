"""
How a quantity is spread over jobs, counted by its value.

Medians and percentiles are by nearest rank, so that each is the value of some job.  Values that
are more than can be held wait on shelves, each shelf above the one before it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil, frexp, fsum, inf, isfinite
from typing import Final

from reaper.domain.audit.shelves import Held, Room, Shelves
from reaper.domain.audit.sums import condensed

#: Distinct values that are held.
KEPT: Final = 1 << 18

#: Shelves between a value and its double.
_STEPS: Final = 32
_LOWEST: Final = -(10**6)
_HIGHEST: Final = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How a quantity is spread over jobs; in its own unit."""

    count: int
    least: float
    median: float
    p90: float
    most: float
    mean: float


@dataclass(slots=True)
class Tally:
    """Counts values, however many there are."""

    room: Room = Held
    kept: int = KEPT
    _counts: Counter[float] = field(default_factory=Counter)
    _shelves: Shelves | None = None

    def add(self, values: Iterable[float]) -> None:
        """Count values."""
        self._counts.update(values)
        if len(self._counts) > self.kept:
            self._lay()

    def spread(self) -> Spread | None:
        """Return how the values are spread; None where there were none."""
        if self._shelves is not None:
            self._lay()
        parts: list[float] = []
        count, least, most = 0, inf, -inf
        for counts in self._taken():
            parts = condensed((*parts, *counts.elements()))
            count += counts.total()
            least, most = min(least, *counts), max(most, *counts)
        if not count:
            return None
        median, p90 = self._ranked(ceil(0.5 * count), ceil(0.9 * count))
        mean = fsum(parts) / count
        return Spread(count=count, least=least, median=median, p90=p90, most=most, mean=mean)

    def _ranked(self, *ranks: int) -> list[float]:
        """Return the values at some ranks, the lowest value's being 1; ranks are in order."""
        found: list[float] = []
        passed, wanted = 0, list(ranks)
        for counts in self._taken():
            if passed + counts.total() < wanted[0]:
                passed += counts.total()
                continue
            for value in sorted(counts):
                passed += counts[value]
                while wanted and passed >= wanted[0]:
                    found.append(value)
                    del wanted[0]
            if not wanted:
                break
        return found

    def _lay(self) -> None:
        if self._shelves is None:
            self._shelves = self.room()
        by_shelf: dict[int, list[tuple[float, int]]] = {}
        for value, count in self._counts.items():
            by_shelf.setdefault(_shelf(value), []).append((value, count))
        for shelf, items in by_shelf.items():
            self._shelves.put(shelf, items)
        self._counts = Counter()

    def _taken(self) -> Iterator[Counter[float]]:
        """Yield the counts shelf by shelf, the lowest values first."""
        if self._shelves is None:
            if self._counts:
                yield self._counts
            return
        for _, items in self._shelves.taken():
            counts: Counter[float] = Counter()
            for value, count in items:
                counts[value] += count
            yield counts


def spread(values: Iterable[float]) -> Spread | None:
    """Return how values are spread; None where there are none."""
    tally = Tally()
    tally.add(values)
    return tally.spread()


def _shelf(value: float) -> int:
    """Return the shelf of a value: none above it holds a lower one."""
    if value <= 0:
        return _LOWEST
    if not isfinite(value):
        return _HIGHEST
    part, power = frexp(value)
    return 2 * _STEPS * power + int(2 * _STEPS * part)
