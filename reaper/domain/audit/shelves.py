"""
Where things wait, shelf by shelf, that are more than can be held at once.

Pure: what lays them out on disk is at the edge.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


class Shelves(Protocol):
    """Numbered shelves of plain values: texts, numbers, and tuples and lists of these."""

    def put(self, shelf: int, items: Sequence[Any]) -> None:
        """Lay items behind those that a shelf has."""

    def taken(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield each shelf that has any with its items, the lowest number first."""


@dataclass(slots=True)
class Held:
    """Shelves in memory."""

    _shelves: dict[int, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def put(self, shelf: int, items: Sequence[Any]) -> None:
        """Lay items behind those that a shelf has."""
        self._shelves[shelf] += items

    def taken(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield each shelf that has any with its items, the lowest number first."""
        for shelf in sorted(self._shelves):
            yield shelf, self._shelves[shelf]


Room = Callable[[], Shelves]
"""Gives new shelves."""
