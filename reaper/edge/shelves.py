"""Shelves on disk: a file without a name, which is gone when nobody holds it any more."""

import marshal
import tempfile
import weakref
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from reaper.ports import ReaperError


@dataclass(slots=True, eq=False, weakref_slot=True)
class DiskShelves:
    """
    Shelves in a file of the folder for what is temporary; made when something is laid there.

    Raises ReaperError where it cannot be written.
    """

    folder: str | None = None
    """Where the file lies; None for the usual folder."""
    _file: BinaryIO | None = None
    _places: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def put(self, shelf: int, items: Sequence[Any]) -> None:
        """Lay items behind those that a shelf has."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115 - below
                weakref.finalize(self, self._file.close)
            place = self._file.seek(0, 2)
            self._places[shelf].append((place, self._file.write(marshal.dumps(list(items)))))
        except OSError as error:
            where = f"{self.folder or tempfile.gettempdir()}: {error.strerror}"
            cure = "make room there, or name another folder in TMPDIR"
            raise ReaperError(
                f"what does not fit into memory cannot be kept in {where}; {cure}"
            ) from error

    def taken(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield each shelf that has any with its items, the lowest number first."""
        for shelf in sorted(self._places):
            yield shelf, [item for place in self._places[shelf] for item in self._read(*place)]

    def _read(self, place: int, size: int) -> list[Any]:
        assert self._file is not None  # noqa: S101 - something was put there
        self._file.seek(place)
        items: list[Any] = marshal.loads(self._file.read(size))  # noqa: S302 - what this process wrote
        return items
