"""When a run idled on all its devices for long enough that something could happen; pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track

Window = tuple[int, int]
"""Minutes ``[first, end)``."""

#: Letters in which a device does no work: low counts for policies that only warn, a busy engine
#: for servers, which poll.
_LETTERS: Final[Mapping[tuple[bool, bool], str]] = {
    (False, False): "HE",
    (True, False): "HEL",
    (False, True): "HEX",
    (True, True): "HELX",
}


def windows(
    run: PastRun, past: Past, pace: Pace, *, shortest: int, low: bool
) -> tuple[Window, ...]:
    """Return the stretches of at least `shortest` minutes without work on all devices, in order."""
    first = ceil(run.begin / pace.step) - 1
    end = pace.closed(past.end) + 1
    if run.end is not None:
        end = min(end, pace.minute(run.end) + 1)
    tracks = [past.tracks.get(gpu) for gpu in run.allocation.gpus]
    if not tracks or any(track is None for track in tracks):
        return ()
    serves = run.allocation.purpose is Purpose.INFERENCE
    pattern = re.compile(f"[{_LETTERS[low, serves]}]{{{max(1, shortest)},}}")
    common: Sequence[Window] = [(first, end)]
    for track in tracks:
        if track is not None and common:
            common = tuple(_within(common, _stretches(track, pattern, first, end), shortest))
    return tuple(common)


def _stretches(track: Track, pattern: re.Pattern[str], first: int, end: int) -> Iterator[Window]:
    low, high = max(first - track.start, 0), max(end - track.start, 0)
    for found in pattern.finditer(track.letters, low, high):
        yield track.start + found.start(), track.start + found.end()


def _within(
    common: Sequence[Window], stretches: Iterator[Window], shortest: int
) -> Iterator[Window]:
    """Yield what two ordered lists of windows share, where it is long enough."""
    ours = iter(common)
    one = next(ours, None)
    other = next(stretches, None)
    while one is not None and other is not None:
        begin, end = max(one[0], other[0]), min(one[1], other[1])
        if end - begin >= shortest:
            yield begin, end
        if one[1] < other[1]:
            one = next(ours, None)
        else:
            other = next(stretches, None)


def next_change(tracks: Sequence[Track], minute: int) -> int | None:
    """Return the next minute in which some device plays another letter than at `minute`."""
    found = [change for track in tracks if (change := _change(track, minute)) is not None]
    return min(found, default=None)


def _change(track: Track, minute: int) -> int | None:
    offset = minute - track.start
    if offset < 0:
        return track.start
    if offset >= len(track.letters):
        return None
    letter = track.letters[offset]
    other = _OTHER[letter].search(track.letters, offset)
    return track.start + (other.start() if other else len(track.letters))


_OTHER: Final = {letter: re.compile(f"[^{re.escape(letter)}]") for letter in "ALHEX?!"}
