"""
Tracks as people read them: letters in rows of whole lengths, equal devices drawn once.

Page and terminal draw from the same values; letters stay letters, so that colour is never needed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from itertools import groupby
from typing import Final

from reaper.domain.picture import DeviceLine
from reaper.languages.language import Language
from reaper.web import words
from reaper.web.languages import ENGLISH

#: Steps in one row: an hour at the normal pace.
ROW: Final = 60

#: Steps between two ticks of a ruler.
TICK: Final = 10

LETTERS: Final = "ALHEX?!"
"""The letters of a track, the busiest first."""

_NAMES: Final = {"?": "unseen", "!": "contradicted"}
"""Letters that can be no part of a message's name."""


def meanings(language: Language = ENGLISH) -> dict[str, str]:
    """Return what each letter of a track says."""
    return {letter: language.text(f"letter_{_NAMES.get(letter, letter)}") for letter in LETTERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Equal letters in a row, as they are written."""

    letter: str
    letters: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row of a track: the instant of its first cell, blank cells before it, its pieces."""

    begin: float
    label: str
    blank: int
    pieces: tuple[Piece, ...]

    @property
    def letters(self) -> str:
        """Return the row as text."""
        return "".join(piece.letters for piece in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The tracks of devices that did the same, drawn once."""

    devices: tuple[DeviceLine, ...]
    begin: float
    pieces: tuple[Piece, ...]
    title: str
    """Which devices these are."""
    spoken: str
    """The track in words, for those who do not see it."""


def drawings(
    devices: Sequence[DeviceLine], step: float, last: int = 0, language: Language = ENGLISH
) -> tuple[Drawing, ...]:
    """Draw devices, those with equal letters once; only the `last` steps where that is given."""
    tracks: dict[tuple[str, float], list[DeviceLine]] = {}
    for device in devices:
        letters = device.letters[-last:] if last else device.letters
        begin = device.letters_begin + (len(device.letters) - len(letters)) * step
        tracks.setdefault((letters, begin), []).append(device)
    return tuple(
        Drawing(
            devices=tuple(same),
            begin=begin,
            pieces=tuple(pieces(letters)),
            title=title(same, language),
            spoken=spoken(letters, step, language),
        )
        for (letters, begin), same in tracks.items()
    )


def title(devices: Sequence[DeviceLine], language: Language = ENGLISH) -> str:
    """Return devices by node and index: ``node07 GPU 0–7``."""
    return " · ".join(_names(devices, language))


def pieces(letters: str) -> Iterator[Piece]:
    """Cut letters where they change."""
    for letter, run in groupby(letters):
        yield Piece(letter=letter, letters="".join(run))


def spoken(letters: str, step: float, language: Language = ENGLISH) -> str:
    """Return a track in words, oldest first."""
    known = meanings(language)
    said = (
        language.text(
            "spoken",
            letter=known.get(piece.letter, piece.letter),
            span=language.duration(len(piece.letters) * step),
        )
        for piece in pieces(letters)
    )
    return "; ".join(said) or language.text("nothing_recorded")


def lines(drawing: Drawing, step: float, zone: tzinfo = UTC) -> Iterator[Line]:
    """Lay a drawing out in rows that begin at whole hours (of the pace), oldest first."""
    letters = "".join(piece.letters for piece in drawing.pieces)
    first = round(drawing.begin / step)
    blank = first % ROW
    while letters:
        here, letters = letters[: ROW - blank], letters[ROW - blank :]
        begin = (first - blank) * step
        yield Line(
            begin=begin,
            label=words.second(begin, zone)[: 5 if step >= 60 else 8],
            blank=blank,
            pieces=tuple(pieces(here)),
        )
        first += len(here)
        blank = 0


def ruler(step: float) -> str:
    """Return the scale above rows: how long after its beginning each tenth cell stands."""
    ticks = (_tick(cell, step) for cell in range(0, ROW, TICK))
    return "".join(f"{tick:<{TICK}}" for tick in ticks).rstrip()


def _tick(cell: int, step: float) -> str:
    return f":{cell:02d}" if step == 60 else f"+{cell * step:g}s"


def _names(devices: Iterable[DeviceLine], language: Language) -> Iterator[str]:
    for node, here in groupby(devices, key=lambda device: device.node):
        indices = [device.index for device in here]
        known = sorted(index for index in indices if index is not None)
        whole = len(known) == len(indices)
        named = language.text("gpu_numbers", numbers=", ".join(_spans(known)))
        shown = named if whole else language.text("devices", count=len(indices))
        yield f"{words.plain(node)} {shown}"


def _spans(indices: Sequence[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
