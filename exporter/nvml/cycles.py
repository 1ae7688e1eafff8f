"""
Cycle counters as ratios: what two readings of them say; pure.

Whether the driver counts one multiprocessor or sums over all is nobody's business here: only
active over elapsed is used, both from the same two readings.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from exporter.sampling.snapshot import Absent

ANEW: Final = Absent(state="stale", reason="the driver's cycle counter began anew")
STILL: Final = Absent(state="stale", reason="the driver's cycle counter stands still")
_UNCOUNTED: Final = Absent(state="stale", reason="the driver gave no count of cycles")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycles:
    """Cycles since boot by the driver's word, all of one sample: elapsed, and active by signal."""

    elapsed: float
    active: Mapping[str, float]


def ratios(before: Cycles, after: Cycles) -> dict[str, float | Absent]:
    """Return the active share of the cycles between two readings, or why there is none."""
    elapsed = after.elapsed - before.elapsed
    if math.isnan(elapsed):
        return dict.fromkeys(after.active, _UNCOUNTED)
    if elapsed <= 0:
        return dict.fromkeys(after.active, ANEW if elapsed < 0 else STILL)
    return {
        name: _ratio(before.active.get(name, math.nan), count, elapsed)
        for name, count in after.active.items()
    }


def _ratio(before: float, after: float, elapsed: float) -> float | Absent:
    active = after - before
    if math.isnan(active):
        return _UNCOUNTED
    return ANEW if active < 0 else active / elapsed
