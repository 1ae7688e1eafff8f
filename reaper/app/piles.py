"""
The rows of files in piles: all rows of a job in one, and no pile more than can be held.

Rows that are few stay in one pile as they came.  More are laid out by their key.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from zlib import crc32

from reaper.domain.money.shelves import Room, Shelves

#: Rows that are held.
KEPT: Final = 1 << 15

#: Piles of rows that are more: of ten million each has forty thousand.
PILES: Final = 256

Rows = Mapping[int, Sequence[tuple[int, Sequence[str]]]]
"""By the number of the file: the lines of rows and their fields."""


@dataclass(slots=True)
class Piles:
    """Puts rows of several files in piles."""

    room: Room
    kept: int = KEPT
    _rows: list[tuple[str, int, int, Sequence[str]]] = field(default_factory=list)
    _shelves: Shelves | None = None

    def add(self, file: int, rows: Iterable[tuple[str, int, Sequence[str]]]) -> None:
        """Add the rows of a file: the key of each, its line and its fields."""
        held, kept = self._rows, self.kept
        for key, line, fields in rows:
            held.append((key, file, line, fields))
            if len(held) >= kept:
                self._lay()

    def taken(self) -> Iterator[tuple[int | None, Rows]]:
        """Yield each pile with its number, or all rows without one; the lists hold nothing else."""
        if self._shelves is None:
            yield None, _by_file((file, line, fields) for _, file, line, fields in self._rows)
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
        for key, file, line, fields in self._rows:
            piles[pile(key)].append((file, line, fields))
        for number, items in piles.items():
            self._shelves.put(number, items)
        self._rows.clear()


def pile(key: str) -> int:
    """Return the number of a key's pile."""
    return crc32(key.encode(errors="surrogatepass")) % PILES


def _by_file(items: Iterable[tuple[int, int, Sequence[str]]]) -> Rows:
    found: dict[int, list[tuple[int, Sequence[str]]]] = defaultdict(list)
    for file, line, fields in items:
        found[file].append((line, fields))
    return found
