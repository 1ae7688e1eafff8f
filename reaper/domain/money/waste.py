"""
What a holding did with its time: seconds by state, and the stretches that were waste.

A letter holds for its minute; holdings are cut to the second.  No idle stretch begins before the
start-up ends, and an unseen or contradicted minute breaks it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, floor
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import (
    ACTIVE,
    CONTRADICTED,
    EMPTY,
    ENGINE_ONLY,
    HELD,
    LETTERS,
    LOW,
    UNSEEN,
)
from reaper.domain.facts.track import Track
from reaper.domain.money.holding import Holding
from reaper.domain.money.spans import Span, clip, merge, subtract

#: A stretch of the threshold's length counts, whatever floating point says of it.
ROUNDING: Final = 1e-6

#: The letter of a minute in which a request waited, on a track of demand.
WAITING: Final = "W"

_IDLE: Final = HELD + EMPTY
_BLIND: Final = UNSEEN + CONTRADICTED
_IDLE_BITS: Final = str.maketrans({letter: str(int(letter in _IDLE)) for letter in LETTERS})
_WAITING_BITS: Final = str.maketrans({WAITING: "1", UNSEEN: "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """How long idleness must last to be waste, by purpose; seconds."""

    by_purpose: Mapping[Purpose, float] = field(
        default_factory=lambda: {Purpose.INTERACTIVE: 1800.0}
    )
    otherwise: float = 3600.0

    def of(self, purpose: Purpose) -> float:
        """Return the threshold of a purpose."""
        return self.by_purpose.get(purpose, self.otherwise)

    @property
    def longest(self) -> float:
        """Return the longest threshold: so far must one look beyond a span to judge its edges."""
        return max((self.otherwise, *self.by_purpose.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Seconds by state of one holding in some span; not yet weighed by its share."""

    active: float = 0.0
    low: float = 0.0
    engine_only: float = 0.0
    idle: float = 0.0
    startup: float = 0.0
    unknown: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A holding with the letters of its device, as far as they are looked at (`window`)."""

    holding: Holding
    track: Track
    pace: Pace
    startup_until: float
    window: Span

    def spent(self, begin: float, end: float) -> Spent:
        """Return the seconds by state in ``[begin, end)``, which must lie in the window."""
        blind = sum(other - one for one, other in clip(self.holding.blind, begin, end))
        seen = subtract(((begin, end),), self.holding.blind)
        young = [clip((span,), begin, self.startup_until) for span in seen]
        grown = [clip((span,), self.startup_until, end) for span in seen]
        before = self._counts(span for spans in young for span in spans)
        after = self._counts(span for spans in grown for span in spans)
        return Spent(
            active=before[ACTIVE] + after[ACTIVE],
            low=after[LOW] + after[ENGINE_ONLY],
            engine_only=after[ENGINE_ONLY],
            idle=after[HELD] + after[EMPTY],
            startup=sum(before[letter] for letter in LOW + ENGINE_ONLY + _IDLE),
            unknown=blind + sum(part[letter] for part in (before, after) for letter in _BLIND),
        )

    @property
    def broken(self) -> bool:
        """Tell whether any of it is unknown, so that an idle stretch may have been broken."""
        letters = self.track.letters
        return bool(self.holding.blind) or any(letter in letters for letter in _BLIND)

    def idle(self, longer_than: float = 0.0) -> tuple[Span, ...]:
        """Return the idle stretches of at least a length, to the second."""
        found = subtract(self._runs(_IDLE, longer_than), self.holding.blind)
        return _at_least(found, longer_than)

    def perhaps_idle(self, longer_than: float = 0.0) -> tuple[Span, ...]:
        """Return the stretches that would be idle if all that is unknown were; joined."""
        blind = clip(self.holding.blind, max(self.window[0], self.startup_until), self.window[1])
        shortest = 0.0 if blind else longer_than
        return _at_least(merge((*self._runs(_IDLE + _BLIND, shortest), *blind)), longer_than)

    def idle_in(self, waiting: Track, begin: float, end: float) -> float:
        """Return the idle seconds of ``[begin, end)`` in the minutes that carry a ``W``."""
        step, found = self.pace.step, 0.0
        grown = [(max(begin, self.startup_until), end)]
        for one, other in subtract(grown, self.holding.blind):
            first, last = ceil(one / step), floor(other / step)
            if first >= last:
                edges = ((one, min(first * step, other)), (min(first * step, other), other))
            else:
                edges = ((one, first * step), (last * step, other))
                found += self._idle_minutes(waiting, first, last) * step
            found += sum(
                self.spent(*edge).idle
                for edge in edges
                if edge[0] < edge[1] and waiting.at(floor(edge[0] / step)) == WAITING
            )
        return found

    def _idle_minutes(self, waiting: Track, first: int, last: int) -> int:
        idle = self.track.clip(first, last).letters.translate(_IDLE_BITS)
        asked = waiting.clip(first, last).letters.translate(_WAITING_BITS)
        return (int(idle, 2) & int(asked, 2)).bit_count()

    def _runs(self, letters: str, longer_than: float) -> Iterable[Span]:
        """Yield the runs of some letters after the start-up that could be so long."""
        begin, end = max(self.window[0], self.startup_until), self.window[1]
        minutes = max(1, ceil(longer_than / self.pace.step - ROUNDING))
        for run in _pattern(letters, minutes).finditer(self.track.letters):
            first, last = self.track.start + run.start(), self.track.start + run.end()
            one, other = max(begin, self.pace.begins(first)), min(end, self.pace.begins(last))
            if other > one:
                yield one, other

    def _counts(self, spans: Iterable[Span]) -> dict[str, float]:
        sums = dict.fromkeys(LETTERS, 0.0)
        for begin, end in spans:
            self._count(begin, end, sums)
        return sums

    def _count(self, begin: float, end: float, sums: dict[str, float]) -> None:
        """Add the seconds by letter of ``[begin, end)``: whole minutes less what is cut off."""
        step = self.pace.step
        first = max(floor(begin / step), self.track.start)
        last = min(ceil(end / step), self.track.end)
        letters = self.track.letters[first - self.track.start : last - self.track.start]
        for letter in set(letters):
            sums[letter] += letters.count(letter) * step
        sums[letters[0]] -= begin - first * step
        sums[letters[-1]] -= last * step - end


def view(
    holding: Holding, track: Track, *, pace: Pace, startup_until: float, within: Span
) -> View | None:
    """Return a holding's view of its track inside a span; None when they do not meet."""
    begin, end = max(holding.begin, within[0]), min(holding.end, within[1])
    if begin >= end:
        return None
    clipped = track.clip(floor(begin / pace.step), ceil(end / pace.step))
    return View(
        holding=holding,
        track=clipped,
        pace=pace,
        startup_until=startup_until,
        window=(begin, end),
    )


def _at_least(spans: Iterable[Span], length: float) -> tuple[Span, ...]:
    return tuple(span for span in spans if span[1] - span[0] >= length - ROUNDING)


@lru_cache(maxsize=64)
def _pattern(letters: str, minutes: int) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(letters)}]{{{minutes},}}")
