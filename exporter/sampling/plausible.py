"""What a number must look like to be believed; pure.

Blank and unknown values of drivers are huge; ratios a little above one were seen on MIG and are
cut, everything else is refused.
"""

import math
from dataclasses import dataclass
from typing import Final

from exporter.contract.catalog import SignalSource
from exporter.sampling.snapshot import Absent, Measured

#: Ratios up to this are cut to 1; SM activity of 1.29 was seen on MIG instances.
_CUT: Final = 1.5
_LARGEST_MEMORY: Final = 2**50
_LARGEST_POWER: Final = 20_000.0
_LARGEST_FLOW: Final = 1e14
_LARGEST_ENERGY: Final = 1e12

NOT_A_NUMBER: Final = Absent(state="stale", reason="the driver gave no number")
IMPLAUSIBLE: Final = Absent(state="stale", reason="the driver gave an implausible value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A ratio that was looked at; `touched` when it was cut or refused."""

    value: Measured | Absent
    touched: bool = False


def ratio(value: float, source: SignalSource) -> Judged:
    """Believe a ratio of 0 to 1, cut a slight excess, refuse the rest."""
    if math.isnan(value):
        return Judged(value=NOT_A_NUMBER)
    if 0 <= value <= 1:
        return Judged(value=Measured(value=value, source=source))
    if 1 < value <= _CUT:
        return Judged(value=Measured(value=1.0, source=source), touched=True)
    return Judged(value=IMPLAUSIBLE, touched=True)


def memory(used: int, total: int) -> bool:
    """Say whether an amount of memory (bytes) can be true."""
    return 0 <= used <= total <= _LARGEST_MEMORY and total > 0


def power(watts: float) -> bool:
    """Say whether a board's power can be true."""
    return 0 <= watts < _LARGEST_POWER


def energy(joules: float) -> bool:
    """Say whether a board's energy meter can be true."""
    return 0 <= joules < _LARGEST_ENERGY


def flow(rate: float) -> bool:
    """Say whether a link's bytes per second can be true; NaN cannot."""
    return 0 <= rate < _LARGEST_FLOW


def temperature(celsius: float) -> bool:
    """Say whether a chip can be so warm."""
    return -50 < celsius < 200
