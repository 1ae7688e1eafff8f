"""
Letters of tracks as the stores keep them: in hours while a day is open, then packed; pure.

A day is 1,440 minutes of the grid, an hour 60, whatever the grid's step.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.track import Track

DAY: Final = 1440
HOUR: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Letters of one device from `start` on, within one span (an hour or a day)."""

    gpu: str
    span: int
    start: int
    letters: str


def fresh(tracks: Mapping[str, Track], ends: Mapping[str, int]) -> dict[str, Track]:
    """Return what of the tracks is not recorded yet, given each device's first unknown minute."""
    found = {}
    for gpu, track in tracks.items():
        done = ends[gpu] - track.start if gpu in ends else 0
        if done < len(track.letters):
            found[gpu] = track.since(track.start + done) if done > 0 else track
    return found


def pieces(tracks: Mapping[str, Track], ends: Mapping[str, int], *, size: int) -> Iterator[Piece]:
    """
    Cut fresh tracks at the spans of `size` minutes.

    A gap within a span is filled with ``?``, so that a piece joins what its span already holds.
    """
    for gpu, track in tracks.items():
        minute = track.start
        while minute < track.end:
            span = minute // size
            stop = min((span + 1) * size, track.end)
            known = ends.get(gpu, minute)
            begin = known if span * size < known else minute
            letters = track.letters[minute - track.start : stop - track.start]
            yield Piece(
                gpu=gpu, span=span, start=begin, letters=UNSEEN * (minute - begin) + letters
            )
            minute = stop


def lay(found: Iterable[tuple[int, str]], first: int, end: int) -> Track:
    """Return the minutes ``[first, end)`` from pieces ``(start, letters)`` in order of start."""
    parts, at = [], first
    for start, letters in found:
        inside = letters[max(0, at - start) : max(0, end - start)]
        if inside:
            parts.append(UNSEEN * (max(start, at) - at))
            parts.append(inside)
            at = max(start, at) + len(inside)
    parts.append(UNSEEN * (end - at))
    return Track(start=first, letters="".join(parts))


def pack(letters: str) -> bytes:
    """Return a day's letters compressed; `tests/bench` prints the bytes of a device-day."""
    return zlib.compress(letters.encode("ascii"), 9)


def unpack(packed: bytes) -> str:
    """Return the letters of a packed day; zlib.error where it is damaged."""
    return zlib.decompress(packed).decode("ascii")
