"""
What began and ended when: changes of how many jobs and cards there are, by their instant.

They are written down as they come, laid on shelves, a day each, and added up day by day: one large
table of instants would be slower, and grow.  A change that was added up is one complex number,
whose real part counts jobs and whose imaginary part cards.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import copysign
from operator import neg
from typing import Final

from reaper.domain.audit.shelves import Held, Room, Shelves

#: Begins and ends that are held.
KEPT: Final = 1 << 18

_DAY: Final = 86400.0

Inorder = tuple[Sequence[float], Sequence[complex]]
"""Instants, the earliest first, and the change at each."""


def _numbers() -> "array[float]":
    return array("d")


@dataclass(slots=True)
class Changes:
    """Adds up begins and ends."""

    room: Room = Held
    kept: int = KEPT
    _ats: "array[float]" = field(default_factory=_numbers)
    _cards: "array[float]" = field(default_factory=_numbers)
    """How many more there are; an end's are below zero, be it minus zero."""
    _shelves: Shelves | None = None

    def add(self, begins: Sequence[float], ends: Iterable[float], cards: Sequence[float]) -> None:
        """Add jobs: the begin, the end and the cards of each."""
        self._ats.extend(begins)
        self._ats.extend(ends)
        self._cards.extend(cards)
        self._cards.extend(map(neg, cards))
        if len(self._ats) > self.kept:
            self._shelves = self._laid(self._shelves or self.room())

    def inorder(self) -> Iterator[Inorder]:
        """Yield the changes in parts, the earliest first."""
        self._shelves = self._laid(self._shelves or Held())
        for _, items in self._shelves.taken():
            changes: dict[float, complex] = {}
            get, pairs = changes.get, iter(items)
            for at, more in zip(pairs, pairs, strict=True):
                changes[at] = get(at, 0j) + complex(copysign(1.0, more), more)
            instants = sorted(changes)
            yield instants, [changes[at] for at in instants]

    def _laid(self, shelves: Shelves) -> Shelves:
        by_day: dict[float, list[float]] = defaultdict(list)
        for at, more in zip(self._ats, self._cards, strict=True):
            by_day[at // _DAY] += (at, more)
        for day, items in by_day.items():
            shelves.put(int(day), items)
        self._ats, self._cards = _numbers(), _numbers()
        return shelves
