"""How fast a demonstration runs: as is wished, and never faster than the machine follows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Final

from exporter.contract.tempo import Piece, Score, Tempo, text
from reaper.edge.clock import PacedClock, SystemClock

#: The slowest that a demonstration is told at: a minute of its clock in half a minute.
SLOWEST: Final = 2.0

#: The rate at which what is late catches up: that of the world, so that hardly anything is due.
BRAKE: Final = 1.0

#: Real seconds from the first process to the last on a machine that has nothing else to do.
USUAL: Final = 6.0

#: Shares of a step by which samples and turns may be late: above the one the clock is slowed, long
#: before anything is unseen; below the other it may run faster.
LATE: Final = 0.3
EARLY: Final = 0.15

#: By what the rate is changed, and for how many real seconds it must have gone well before.
_SLOWER: Final = 0.6
_FASTER: Final = 1.4
_PROVEN: Final = 6.0

#: The share of a rate that was too much which is tried again, and real seconds until more is.
_TOP: Final = 0.75
_FORGOTTEN: Final = 45.0


def first(wanted: float, took: float) -> float:
    """Return the rate to begin with, by the real seconds that starting everything took."""
    return _within(wanted * min(1.0, USUAL / max(took, 0.1)), wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How fast the clock runs now, and the rate that it is to keep: less while it catches up."""

    rate: float
    keeps: float
    top: float = inf
    """Above this it was late before; it rises only after a long while without trouble."""

    def following(self, wanted: float, *, behind: float, since: float) -> "Course":
        """Return the course to go on with; `behind` in steps, `since` real seconds of this one."""
        if self.rate < self.keeps:
            return replace(self, rate=self.keeps) if behind < EARLY else self
        if behind > LATE:
            keeps = _within(self.keeps * _SLOWER, wanted)
            return Course(rate=min(BRAKE, keeps), keeps=keeps, top=max(SLOWEST, self.rate * _TOP))
        top = self.top if since < _FORGOTTEN else self.top * _FASTER
        faster = max(self.rate, _within(min(top, self.rate * _FASTER), wanted))
        if behind < EARLY and since >= _PROVEN and faster > self.rate:
            return Course(rate=faster, keeps=faster, top=top)
        return self


def _within(rate: float, wanted: float) -> float:
    return round(min(wanted, max(min(SLOWEST, wanted), rate)), 1)


@dataclass(slots=True)
class Pacer:
    """Writes the tempo that all processes of a demonstration read; begins as slow as the world."""

    path: Path
    epoch: float
    wanted: float
    course: Course = Course(rate=BRAKE, keeps=BRAKE)
    _tempo: Tempo | None = None
    _begun: float = 0.0
    _changed: float = 0.0

    def begin(self) -> PacedClock:
        """Let the clock run like the world's from now on, and return it."""
        self._begun = SystemClock().elapsed()
        piece = Piece(since=self._begun, at=self.epoch, rate=BRAKE)
        self._write(Tempo(pieces=(piece,)))
        return PacedClock(score=Score(str(self.path)))

    def go(self) -> float:
        """Go over to the first rate, by what starting took until now, and return it."""
        rate = first(self.wanted, SystemClock().elapsed() - self._begun)
        self._over(Course(rate=rate, keeps=rate))
        return rate

    def follow(self, behind: float, say: Callable[[str], None]) -> None:
        """Run slower where samples and turns are late, faster again where they are not."""
        since = SystemClock().elapsed() - self._changed
        course = self.course.following(self.wanted, behind=behind, since=since)
        if course.keeps < self.course.keeps:
            say(f"This machine does not keep up: the clock runs {course.keeps:g} times as fast.")
        if course != self.course:
            self._over(course)

    def _over(self, course: Course) -> None:
        assert self._tempo is not None  # noqa: S101 - it begins before it goes on
        self.course = course
        self._write(self._tempo.changed(SystemClock().elapsed(), course.rate))

    def _write(self, tempo: Tempo) -> None:
        draft = self.path.with_suffix(".draft")
        draft.write_text(text(tempo), encoding="ascii")
        draft.replace(self.path)
        self._tempo, self._changed = tempo, SystemClock().elapsed()
