"""
How runs ended: idle on every device until the end, and what windows and limits had made of it.

Only the last stretch of a run counts here, one that no work followed: giving back what lay in it
would have hurt nobody.  So the sums are lower bounds of what a shorter window would return.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.minute import ACTIVE, LOW
from reaper.domain.money.booking import Booked, together
from reaper.domain.money.ledger import Cut, Tail
from reaper.domain.money.spans import Span, overlap

HOUR: Final = 3600.0

#: Windows of idleness and limits of a run's time that are tried; seconds.
WINDOWS: Final = (0.5 * HOUR, 1 * HOUR, 2 * HOUR, 4 * HOUR)
LIMITS: Final = (4 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR)

#: A stretch that ends so shortly before its run had no work after it.
_CLOSE: Final = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ending:
    """One run: its last stretch, empty where it worked to the end, its devices and its age."""

    tail: Span
    weight: float
    started: float
    worked: float
    """When it was last seen at work; minus infinity where it never was."""
    until: float


def tails(runs: Mapping[str, Sequence[Booked]], within: Span) -> tuple[Tail, ...]:
    """Return what runs left idle at their end in a span, by class and partition."""
    groups: dict[tuple[str, str], list[_Ending]] = defaultdict(list)
    for booked in runs.values():
        tenure = booked[0].holding.tenure
        groups[str(tenure.purpose), tenure.partition].append(_ending(booked))
    return tuple(
        _tail(*name, groups[name], within)
        for name in sorted(groups)
        if any(one.tail[1] > one.tail[0] for one in groups[name])
    )


def _tail(purpose: str, partition: str, ended: Sequence[_Ending], within: Span) -> Tail:
    idle = [one for one in ended if _left(one, one.tail[0], within) > 0]
    return Tail(
        purpose=purpose,
        partition=partition,
        runs=len(ended),
        idle_runs=len(idle),
        windows=tuple(
            (window, sum(_left(one, one.tail[0] + window, within) for one in idle))
            for window in WINDOWS
        ),
        limits=tuple(_cut(limit, ended, within) for limit in LIMITS),
    )


def _cut(limit: float, ended: Iterable[_Ending], within: Span) -> Cut:
    longer = [one for one in ended if one.until > one.started + limit]
    returned = [_left(one, max(one.tail[0], one.started + limit), within) for one in longer]
    return Cut(
        limit=limit,
        returned=sum(returned),
        ended=sum(1 for one in returned if one > 0),
        working=sum(1 for one in longer if one.worked > one.started + limit),
    )


def _left(one: _Ending, begin: float, within: Span) -> float:
    """Return the device-seconds of a tail from an instant on."""
    return overlap(((begin, one.tail[1]),), *within) * one.weight if begin < one.tail[1] else 0.0


def _ending(booked: Sequence[Booked]) -> _Ending:
    until = max(one.view.window[1] for one in booked)
    last = max(together(booked), default=(until, until))
    reaches = last[1] >= until - _CLOSE
    return _Ending(
        tail=last if reaches else (until, until),
        weight=sum(one.holding.parts[-1].weight for one in booked),
        started=booked[0].holding.tenure.run.started,
        worked=max(_worked(one) for one in booked),
        until=until,
    )


def _worked(one: Booked) -> float:
    """Return the end of the last minute in which a device worked."""
    letters = one.view.track.letters
    last = max(letters.rfind(letter) for letter in ACTIVE + LOW)
    return one.view.pace.begins(one.view.track.start + last + 1) if last >= 0 else float("-inf")
