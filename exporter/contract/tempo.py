"""
How fast a demonstration's clock runs, as a file that all of its processes read.

A line is ``since at rate``: from the machine's monotonic second `since` on, when the clock showed
Unix second `at`, it runs `rate` times as fast.  A change is written before it begins, so that
every process reads the same time through it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Real seconds before a change begins: longer than any reader takes to look again.
AHEAD: Final = 0.6

#: Real seconds for which a reader need not look at the file again.
LOOK: Final = 0.05


class TempoError(ValueError):
    """The text is no tempo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """From a monotonic second on, a clock that shows `at` runs at a rate."""

    since: float
    at: float
    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tempo:
    """Pieces in their order; before the first the clock runs as its first piece does."""

    pieces: tuple[Piece, ...]

    def wall(self, real: float) -> float:
        """Return the clock's Unix second at a monotonic second."""
        piece = self._of(real)
        return piece.at + (real - piece.since) * piece.rate

    def elapsed(self, real: float) -> float:
        """Return the clock's seconds since it began."""
        return self.wall(real) - self.pieces[0].at

    def rate(self, real: float) -> float:
        """Return how fast it runs at a monotonic second."""
        return self._of(real).rate

    def changed(self, real: float, rate: float) -> "Tempo":
        """Return the tempo that goes over to another rate a little after a monotonic second."""
        since = real + AHEAD
        piece = Piece(since=since, at=self.wall(since), rate=rate)
        return Tempo(pieces=(*(one for one in self.pieces if one.since < since), piece))

    def _of(self, real: float) -> Piece:
        begun = (piece for piece in reversed(self.pieces) if piece.since <= real)
        return next(begun, self.pieces[0])


def text(tempo: Tempo) -> str:
    """Write a tempo."""
    lines = (f"{one.since!r} {one.at!r} {one.rate!r}" for one in tempo.pieces)
    return "".join(f"{line}\n" for line in lines)


def read(written: str) -> Tempo:
    """Read a tempo; raise TempoError."""
    try:
        rows = [tuple(map(float, line.split())) for line in written.splitlines()]
        pieces = tuple(Piece(since=since, at=at, rate=rate) for since, at, rate in rows)
    except ValueError:
        raise TempoError("a line of a tempo is: since at rate") from None
    if not pieces or any(piece.rate <= 0 for piece in pieces):
        raise TempoError("a tempo has a line at least, and every rate is above zero")
    return Tempo(pieces=pieces)


@dataclass(slots=True)
class Score:
    """Reads a tempo's file again when it changed; asked with the machine's monotonic seconds."""

    path: str
    _tempo: Tempo | None = None
    _stamp: int = -1
    _looked: float = float("-inf")

    def tempo(self, real: float) -> Tempo:
        """Return the tempo in force; raise OSError, TempoError where there never was one."""
        if self._tempo is None or real - self._looked >= LOOK:
            self._tempo = self._fresh(self._tempo)
            self._looked = real
        return self._tempo

    def _fresh(self, known: Tempo | None) -> Tempo:
        path = Path(self.path)
        try:
            stamp = path.stat().st_mtime_ns
            if known is not None and stamp == self._stamp:
                return known
            found = read(path.read_text(encoding="ascii"))
        except (OSError, TempoError):
            if known is None:
                raise
            return known
        self._stamp = stamp
        return found
