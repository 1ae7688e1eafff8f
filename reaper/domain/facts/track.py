"""A device's letters on the grid, one a minute, and the stretches they form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from reaper.domain.facts.minute import ACTIVE, BLIND, IDLE, UNSEEN

#: Minutes of a track that are remembered before its newest long work.
HORIZON: Final = 1440

#: Work of a device that is long: a shorter sign of life makes nothing of its past forgotten.
LONG_WORK: Final = ACTIVE * 11

#: Minutes that are remembered at most, of what has not worked since: windows of two weeks.
LONGEST: Final = 21600


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A maximal run of equal letters: minutes ``[start, end)``."""

    letter: str
    start: int
    end: int

    @property
    def minutes(self) -> int:
        """Return its length in minutes."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """Letters of the minutes ``[start, start + len(letters))``; nothing is known outside."""

    start: int
    letters: str = ""

    def __len__(self) -> int:
        return len(self.letters)

    @property
    def end(self) -> int:
        """Return the first minute of which nothing is recorded."""
        return self.start + len(self.letters)

    def at(self, minute: int) -> str:
        """Return a minute's letter; ``?`` outside the track."""
        offset = minute - self.start
        return self.letters[offset] if 0 <= offset < len(self.letters) else UNSEEN

    def first(self, letter: str, begin: int, end: int) -> int | None:
        """Return the first minute of ``[begin, end)`` that carries a letter; None for none."""
        last = max(end - self.start, 0)
        offset = self.letters.find(letter, max(begin - self.start, 0), last)
        return None if offset < 0 else self.start + offset

    def clip(self, first: int, end: int) -> "Track":
        """Return exactly the minutes ``[first, end)``, filled with ``?`` where nothing is known."""
        if end <= first:
            return Track(start=first)
        left = min(max(self.start - first, 0), end - first)
        inside = self.letters[max(first - self.start, 0) : max(end - self.start, 0)]
        right = (end - first) - left - len(inside)
        return Track(start=first, letters=UNSEEN * left + inside + UNSEEN * right)

    def extend(self, minute: int, letters: str) -> "Track":
        """
        Return the track with letters from `minute` on; a gap becomes ``?``.

        What is recorded is never rewritten: letters of recorded minutes are ignored.
        """
        if not self.letters:
            return Track(start=minute, letters=letters)
        gap = UNSEEN * max(0, minute - self.end)
        fresh = letters[max(0, self.end - minute) :]
        return Track(start=self.start, letters=self.letters + gap + fresh)

    def since(self, minute: int) -> "Track":
        """Return the track without the minutes before `minute`."""
        if minute <= self.start:
            return self
        return Track(start=minute, letters=self.letters[minute - self.start :])

    def recent(self, work: str) -> "Track":
        """
        Return what of the track is remembered: a day before its newest `work`, and all since.

        It begins with work, never within a rest, so that how long that was stays known; but what
        is older than two weeks is cut.
        """
        oldest = max(0, len(self.letters) - LONGEST)
        worked = self.letters.rfind(work, oldest)
        first = max(oldest, worked + len(work) - HORIZON) if worked >= 0 else oldest
        begun = self.letters.rfind(work[0], oldest, first + 1)
        return self.since(self.start + max(begun, oldest))

    def stretches(self) -> Iterator[Stretch]:
        """Yield the maximal runs of equal letters, in order."""
        yield from _runs(self.start, self.letters)

    def idle_stretches(self) -> Iterator[Stretch]:
        """Yield the maximal runs of ``H`` and ``E`` taken together, in order."""
        joined = "".join("i" if letter in IDLE else "." for letter in self.letters)
        yield from (run for run in _runs(self.start, joined) if run.letter == "i")

    def idle_tail(self) -> int:
        """Return how many minutes at the end are idle without a break."""
        return tail(self.letters, "HE")

    def count(self, letters: str) -> int:
        """Return how many minutes carry one of the letters."""
        return sum(self.letters.count(letter) for letter in letters)

    @property
    def coverage(self) -> float:
        """Return the share of minutes that were seen, 1.0 for an empty track."""
        if not self.letters:
            return 1.0
        blind = sum(map(self.letters.count, BLIND))
        return 1 - blind / len(self.letters) if blind else 1.0


@lru_cache(maxsize=64)
def tail(letters: str, of: str) -> int:
    """Return how many letters at the end are among some; most devices are asked several times."""
    return len(letters) - len(letters.rstrip(of))


def _runs(start: int, letters: str) -> Iterator[Stretch]:
    for letter, group in groupby(letters):
        length = sum(1 for _ in group)
        yield Stretch(letter=letter, start=start, end=start + length)
        start += length


def short(letters: str) -> str:
    """Write letters short: ``QQQQB`` becomes ``Q*4 B*1``."""
    if letters and letters.count(letters[0]) == len(letters):
        return f"{letters[0]}*{len(letters)}"
    runs = (match[0] for match in re.finditer(r"(.)\1*", letters))
    return " ".join(f"{run[0]}*{len(run)}" for run in runs)


def whole(drawn: str) -> str:
    """Write short letters out: the inverse of :func:`short`."""
    pairs = (word.partition("*") for word in drawn.split())
    return "".join(letter * int(count) for letter, _, count in pairs)
