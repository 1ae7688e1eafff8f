"""When a drawn GPU may show something else: found by search, so that long drawings stay quick."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from exporter.contract.parts import ScenarioNode

_RUN: Final = re.compile(r"(.)\1*")


@dataclass(slots=True, kw_only=True)
class Changes:
    """
    The changes of one GPU: of its letters, a `step` each, and at `others` (seconds from start).

    Letters of a track that begins again change where it does, too.
    """

    node: ScenarioNode
    gpu: int
    step: float
    others: Sequence[float] = ()
    _places: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        track = self.node.tracks[self.gpu]
        self._places = tuple(run.start() for run in _RUN.finditer(track))
        self.others = sorted({at for at in self.others if abs(at) != inf})

    def after(self, moment: float) -> float:
        """Return the first change after a moment, in seconds from start; never is infinite."""
        place = bisect_right(self.others, moment)
        other = self.others[place] if place < len(self.others) else inf
        return min(other, self._letter(int(moment // self.step)) * self.step)

    def _letter(self, place: int) -> float:
        """Return the step of the first other letter after a step."""
        if place < 0:
            return 0
        length = len(self.node.tracks[self.gpu])
        whole = place // length * length if self.node.then == "loop" else 0
        following = bisect_right(self._places, place - whole)
        if following < len(self._places):
            return whole + self._places[following]
        return whole + length if self.node.then == "loop" else inf


def edges(spans: Iterable[tuple[float, float]]) -> tuple[float, ...]:
    """Return where spans begin and end."""
    return tuple(at for span in spans for at in span)
