"""
What a run's own past says of its present pause: it has come back from one like it before.

A server that works each night, a job that evaluates every few hours, idle between by nature.  A
blip is no return, and a little work inside a pause does not cut it in two: a sign of life in the
past must not bring a release forward.  What is kept begins with work; where it begins otherwise,
nothing is known of what was before, and a pause there may have lasted since the run began.
"""

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from reaper.domain.facts.minute import ACTIVE, IDLE
from reaper.domain.facts.track import LONG_WORK, Track

#: Minutes of work from which on it came back.
RETURN: Final = 2

#: Minutes of idleness from which on it was away.
PAUSE: Final = 60

#: Minutes of work inside a pause with which it is one pause still: no long work.
INSIDE: Final = len(LONG_WORK) - 1

#: How much longer than the longest pause that it came back from one may last; a factor.
LONGER: Final = 1.25

_WORK: Final = re.compile(f"{ACTIVE}{{{RETURN},}}")


@lru_cache(maxsize=256)
def comes_back(track: Track, *, begun: int) -> int | None:
    """
    Return after how many idle minutes a run that `begun` in a minute would have come back.

    None where it never came back from a pause.  Devices that live alike are told of once.
    """
    own = track.since(begun)
    before = 0 if own.letters.startswith(ACTIVE) else own.start - begun
    longest = max(_pauses(own.letters, before), default=0)
    return round(longest * LONGER) if longest else None


def _pauses(letters: str, before: int) -> Iterator[int]:
    """Yield the longest pause before each return; of `before` minutes no letter is kept."""
    begins, worked = deque([(0, 0)]), 0
    for work in _WORK.finditer(letters):
        while worked - begins[0][1] > INSIDE:
            begins.popleft()
        begin, _ = begins[0]
        pause = letters[begin : work.start()]
        if sum(map(pause.count, IDLE)) >= PAUSE:
            yield len(pause) + (0 if begin else before)
        worked += len(work[0])
        begins.append((work.end(), worked))
