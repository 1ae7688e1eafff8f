"""
Sums of more numbers than can be held, as exact as if all of them were added at once.

Of many numbers a few are kept whose exact sum is the same, so that the order in which they came,
and how often they were taken together, is in no figure.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import fsum, isfinite
from typing import Final, Generic, TypeVar

#: So many rows are held before each group's are taken together.
HELD: Final = 1 << 15

#: Rows that are not worth taking together.
_FEW: Final = 4

K = TypeVar("K", bound=Hashable)


def condensed(values: Iterable[float]) -> list[float]:
    """Return few numbers whose exact sum is that of all; at most one if that is not finite."""
    rest, parts = list(values), []
    while (part := fsum(rest)) and isfinite(part):
        parts.append(part)
        rest.append(-part)
    return [part] if part else parts


@dataclass(slots=True)
class Sums(Generic[K]):
    """Exact sums by key of rows of numbers, each row as long as the others."""

    rows: dict[K, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))
    """What was added; whoever adds much appends here and calls `condense` now and then."""
    _kept: int = 0

    def condense(self, more: int) -> None:
        """Take each group's rows together once so many more were added."""
        self._kept += more
        if self._kept >= HELD:
            self._condense()

    def total(self, keys: Iterable[K], width: int) -> tuple[float, ...]:
        """Return the sums of some groups together; zeros where they have no row."""
        if self._kept:
            self._condense()
        found = [row for key in keys for row in self.rows.get(key, ())]
        return tuple(map(fsum, zip(*found, strict=True))) if found else (0.0,) * width

    def _condense(self) -> None:
        for parts in self.rows.values():
            if len(parts) > _FEW:
                parts[:] = _together(parts)
        self._kept = 0


def _together(parts: Sequence[tuple[float, ...]]) -> Iterable[tuple[float, ...]]:
    columns = map(condensed, zip(*parts, strict=True))
    # A group whose sums are all zero is still a group.
    return list(zip_longest(*columns, fillvalue=0.0)) or [parts[0]]
