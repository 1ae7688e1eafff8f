"""
Letters of an hour that is not over, as the stores keep them: a sheet a minute for many names; pure.

Each name has a number for ever.  A sheet holds the letters of one minute for `SIZE` numbers in a
row, so that a minute of a thousand devices is a thousand letters and not a thousand rows.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.track import Track

#: Numbers on one sheet.
SIZE: Final = 1024

#: Stands where a sheet says nothing of a number: that is no letter.
NOTHING: Final = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The letters of one minute for the numbers from ``sheet * SIZE`` on."""

    minute: int
    sheet: int
    letters: str


def sheets(
    tracks: Mapping[str, Track], numbers: Mapping[str, int], before: Iterable[Sheet] = ()
) -> list[Sheet]:
    """Return the sheets that these tracks are on, laid over what those held `before`."""
    held = {(item.minute, item.sheet): item.letters for item in before}
    found: dict[tuple[int, int], list[str]] = {}
    for name, track in tracks.items():
        sheet, place = divmod(numbers[name], SIZE)
        minute = track.start - 1
        for letter in track.letters:
            minute += 1
            key = minute, sheet
            letters = found.get(key)
            if letters is None:
                letters = found[key] = list(held.get(key, "").ljust(SIZE, NOTHING))
            letters[place] = letter
    return [
        Sheet(minute=minute, sheet=sheet, letters="".join(letters).rstrip(NOTHING))
        for (minute, sheet), letters in sorted(found.items())
    ]


def drawn(found: Iterable[Sheet]) -> Iterator[tuple[int, Track]]:
    """
    Yield each number of which sheets say anything, and its track.

    Minutes between of which nothing is said are ``?``.
    """
    by_sheet: dict[int, dict[int, str]] = {}
    for item in found:
        by_sheet.setdefault(item.sheet, {})[item.minute] = item.letters
    for sheet, minutes in by_sheet.items():
        first, longest = min(minutes), max(map(len, minutes.values()))
        rows = [
            minutes.get(minute, "").ljust(longest, NOTHING)
            for minute in range(first, max(minutes) + 1)
        ]
        for place, column in enumerate(zip(*rows, strict=True)):
            letters = "".join(column)
            said = letters.strip(NOTHING)
            if said:
                start = first + len(letters) - len(letters.lstrip(NOTHING))
                track = Track(start=start, letters=said.replace(NOTHING, UNSEEN))
                yield sheet * SIZE + place, track


def ends(
    found: Iterable[Sheet], names: Iterable[str], numbers: Mapping[str, int]
) -> dict[str, int]:
    """Return the first minute after what sheets say of names; who is not on any is absent."""
    said = {number: track.end for number, track in drawn(found)}
    return {name: said[numbers[name]] for name in names if numbers[name] in said} if said else {}
