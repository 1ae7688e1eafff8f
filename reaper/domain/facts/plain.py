"""
The letter of a minute at a glance, where it is plain: work, or rest without a sign of anything.

What it reads of the thresholds it reads as :func:`reaper.domain.facts.minute.letter` does, whose
answer it gives sooner; a property holds both alike.  Both readings of a glance are of the very same
counters, none of which went backwards: :func:`reaper.domain.facts.reading.grows`.
"""

from collections.abc import Iterator
from functools import lru_cache

from reaper.domain.facts import evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import EMPTY, HELD
from reaper.domain.facts.reading import PROFILED, Reading, mean_power
from reaper.domain.facts.thresholds import Thresholds


def works(
    earlier: Reading, later: Reading, *, thresholds: Thresholds, pace: Pace, rested: float
) -> bool:
    """
    Tell whether a minute is one of work without any witness of idleness; False says nothing.

    `rested` is no less than any baseline, in watts.
    """
    seconds, active, before = later.at - earlier.at, later.active, earlier.active
    seen = later.observed.get("sm", 0.0) - earlier.observed.get("sm", 0.0)
    if seen <= 0 or seconds - seen > pace.unseen or later.processes == 0:
        return False
    watts = drawn(earlier, later)
    if watts is not None and watts <= rested * (1 + thresholds.power_margin):
        return False
    worked = active.get("sm", 0.0) - before.get("sm", 0.0)
    return worked / seen >= max(thresholds.sm_active, thresholds.noise) and (
        "engine" not in active or active["engine"] > before["engine"]
    )


def rests(
    earlier: Reading, later: Reading, *, thresholds: Thresholds, pace: Pace, board: float | None
) -> str:
    """
    Return the letter of a minute in which no counter of work moved; none where it is not plain.

    `board` is what the device may draw at most, in watts.
    """
    if earlier.active != later.active or earlier.above != later.above or not _usual(thresholds):
        return ""
    seconds = later.at - earlier.at
    seen = later.observed.get("sm", 0.0) - earlier.observed.get("sm", 0.0)
    if "sm" not in later.active or seconds - seen > pace.unseen:
        return ""
    before = earlier.links
    moved = [at - before[link] for link, at in later.links.items()]
    if moved and max(moved) / seconds >= thresholds.link_noise:
        return ""
    watts = drawn(earlier, later)
    if board is not None and watts is not None and watts >= board * thresholds.power_works:
        return ""
    held = bool(later.processes) or (later.memory_used or 0.0) > thresholds.context_bytes
    return HELD if held else EMPTY


def drawn(earlier: Reading, later: Reading) -> float | None:
    """Return the mean power between two readings, in watts; None where energy was not read."""
    if earlier.joules is None or later.joules is None:
        return None
    seen = _seen(earlier, later, "power") if "power" in later.observed else None
    return mean_power(later.joules - earlier.joules, seen, later.at - earlier.at)


def witnesses(
    earlier: Reading, later: Reading, *, thresholds: Thresholds, idle: float | None, mig: bool
) -> Iterator[str]:
    """Yield the families that say idle of such a minute of rest; `idle` is its learnt power."""
    needed = (later.at - earlier.at) * evidence.FULL
    profiled = _seen(earlier, later, "sm") >= needed
    watts = drawn(earlier, later)
    if profiled:
        yield evidence.PROFILING
    if "engine" in later.active and not mig and _seen(earlier, later, "engine") >= needed:
        yield evidence.UTILISATION
    if idle is not None and watts is not None and watts <= idle * (1 + thresholds.power_margin):
        yield evidence.POWER
    used = later.memory_used
    if later.processes == 0 and used is not None and used <= thresholds.context_bytes:
        yield evidence.CONTEXT
    if mig and profiled and any(later.active.get(signal, 0.0) > 0 for signal in PROFILED):
        yield evidence.HISTORY


def _seen(earlier: Reading, later: Reading, signal: str) -> float:
    return later.observed.get(signal, 0.0) - earlier.observed.get(signal, 0.0)


@lru_cache(maxsize=8)
def _usual(thresholds: Thresholds) -> bool:
    """Tell whether nothing at all lies below every bound, and every noise below its bound."""
    bounds = (
        thresholds.noise,
        thresholds.sm_active,
        thresholds.tensor_active,
        thresholds.dram_active,
        thresholds.codec_active,
        thresholds.engine_latched,
    )
    return min(bounds) > 0 and thresholds.link_noise <= thresholds.link_active
