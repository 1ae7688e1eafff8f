"""Inputs that come like a clock: what a script types, and no person does."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

#: Inputs from which on their distances say something.
_INPUTS: Final = 10

#: Distances below which people reach for their keys anyway; seconds.
_SHORTEST: Final = 600.0

#: By how much distances may differ: seconds always, and a share of their mean.
_SPREAD: Final = 60.0
_SHARE: Final = 0.05

#: Seconds for which the next input may be late.
_LATE: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cadence:
    """Inputs at distances that hardly differ: their mean and how far they lie apart; seconds."""

    every: float
    times: int
    spread: float
    begin: float
    """When the first of them was; Unix seconds."""


def cadence(inputs: tuple[float, ...], *, now: float, within: float) -> Cadence | None:
    """
    Return the clock by which the newest inputs came, while it goes on; None for no clock.

    `within` is for how long a person must be gone to count as away (seconds): inputs further
    apart keep nothing from being released, and are nobody's trick.
    """
    newest = inputs[-_INPUTS:]
    gaps = [later - earlier for earlier, later in pairwise(newest)]
    if len(newest) < _INPUTS or min(gaps) < _SHORTEST or max(gaps) > within:
        return None
    every, spread = sum(gaps) / len(gaps), max(gaps) - min(gaps)
    if spread > max(_SPREAD, _SHARE * every) or now - newest[-1] > max(gaps) + _LATE:
        return None
    return Cadence(every=every, times=len(newest), spread=spread, begin=newest[0])
