"""
The rows of files in piles: all rows of a job in one, and no pile more than can be held.

Rows that are few stay in one pile as they came.  More are laid out by their key.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from zlib import crc32

from reaper.domain.audit.shelves import Room, Shelves

#: Rows that are held.
KEPT: Final = 1 << 16

#: Piles of rows that are more: of ten million each has ten thousand.
PILES: Final = 1024

Rows = Mapping[int, Sequence[Any]]
"""By the number of the file: rows."""


@dataclass(slots=True)
class Piles:
    """Puts rows of several files in piles."""

    room: Room
    kept: int = KEPT
    _rows: list[tuple[str, int, Any]] = field(default_factory=list)
    _shelves: Shelves | None = None

    def add(self, file: int, rows: Iterable[tuple[str, Any]]) -> None:
        """Add the rows of a file, each with its key."""
        held, kept = self._rows, self.kept
        for key, row in rows:
            held.append((key, file, row))
            if len(held) >= kept:
                self._lay()

    def taken(self) -> Iterator[tuple[int | None, Rows]]:
        """Yield each pile with its number, or all rows without one; the lists hold nothing else."""
        if self._shelves is None:
            yield None, _by_file((file, row) for _, file, row in self._rows)
            return
        self._lay()
        piles = dict.fromkeys(range(PILES), ())
        for number, items in self._shelves.taken():
            del piles[number]
            yield number, _by_file(items)
        for number in piles:
            yield number, {}

    def _lay(self) -> None:
        if self._shelves is None:
            self._shelves = self.room()
        piles: dict[int, list[Any]] = defaultdict(list)
        for key, file, row in self._rows:
            piles[pile(key)].append((file, row))
        for number, items in piles.items():
            self._shelves.put(number, items)
        self._rows.clear()


def pile(key: str) -> int:
    """Return the number of a key's pile."""
    return crc32(key.encode(errors="surrogatepass")) % PILES


def _by_file(items: Iterable[tuple[int, Any]]) -> Rows:
    found: dict[int, list[Any]] = defaultdict(list)
    for file, row in items:
        found[file].append(row)
    return found
