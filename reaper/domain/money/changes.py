"""
What began and ended when: changes of how many jobs and cards there are, by their instant.

Instants that are more than can be held wait on shelves, a day each.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from reaper.domain.money.shelves import Held, Room, Shelves

#: Instants that are held.
KEPT: Final = 1 << 17

_DAY: Final = 86400.0


class Change(NamedTuple):
    """By how much there are more jobs and cards from an instant on."""

    at: float
    jobs: int
    cards: float


@dataclass(slots=True)
class Changes:
    """Adds up begins and ends."""

    room: Room = Held
    kept: int = KEPT
    _jobs: dict[float, int] = field(default_factory=dict)
    _cards: dict[float, float] = field(default_factory=dict)
    _shelves: Shelves | None = None

    def add(self, spans: Iterable[tuple[float, float, float]]) -> None:
        """Add jobs, each with its begin, its end and its cards."""
        jobs, cards = self._jobs, self._cards
        for begin, end, held in spans:
            jobs[begin] = jobs.get(begin, 0) + 1
            jobs[end] = jobs.get(end, 0) - 1
            cards[begin] = cards.get(begin, 0.0) + held
            cards[end] = cards.get(end, 0.0) - held
        if len(jobs) > self.kept:
            self._lay()

    def inorder(self) -> Iterator[Change]:
        """Yield the changes, the earliest first."""
        if self._shelves is None:
            yield from _inorder(self._jobs, self._cards)
            return
        self._lay()
        for _, items in self._shelves.taken():
            jobs: dict[float, int] = {}
            cards: dict[float, float] = {}
            for at, more, held in items:
                jobs[at] = jobs.get(at, 0) + more
                cards[at] = cards.get(at, 0.0) + held
            yield from _inorder(jobs, cards)

    def _lay(self) -> None:
        if self._shelves is None:
            self._shelves = self.room()
        by_day: dict[int, list[tuple[float, int, float]]] = {}
        for at, more in self._jobs.items():
            by_day.setdefault(int(at // _DAY), []).append((at, more, self._cards[at]))
        for day, items in by_day.items():
            self._shelves.put(day, items)
        self._jobs.clear()
        self._cards.clear()


def _inorder(jobs: dict[float, int], cards: dict[float, float]) -> Iterator[Change]:
    for at in sorted(jobs):
        yield Change(at, jobs[at], cards[at])
