"""
When a node's word is not believed: its clock is off, or a counter grows faster than time.

Pure.  What is not believed is unknown, never idle.
"""

from collections.abc import Mapping
from typing import Final

from reaper.activity.exporters.fetch import Fetched
from reaper.activity.exporters.page import MOST, Page
from reaper.domain.facts.keyed import SKEW
from reaper.domain.facts.reading import Reading, between

#: A counter may outgrow time by this part and these seconds: an interval is added at its end.
_GROWTH: Final = 1.5
_LATE: Final = 5.0
#: Signals that are sampled every 5 or 15 s; an interval may last three times as long.
_LATE_SLOW: Final[Mapping[str, float]] = {"memory": 15.0, "power": 15.0, "processes": 45.0}
#: Observed seconds below which a ratio of two counters says nothing.
_TOO_FEW: Final = 1.0


class ClockError(ValueError):
    """The node's clock cannot be believed; nothing of its page can be placed in time."""


def skew(page: Page, fetched: Fetched) -> float:
    """
    Return the node's clock minus ours, 0 within the time of the request; raise ClockError.

    The page's own samples tell it.  Samples may also be old because the driver hangs: then the
    server's `Date` decides, and the readings are only old.
    """
    if page.clock is None:
        return 0.0
    offset = _offset(page.clock, page.clock, fetched)
    if offset < -SKEW and fetched.date is not None:
        # A `Date` is cut to whole seconds.
        offset = _offset(fetched.date, fetched.date + 1, fetched)
    if abs(offset) > SKEW:
        raise ClockError(f"node clock is off by {offset:+.0f} s; check its time service")
    return offset


def _offset(earliest: float, latest: float, fetched: Fetched) -> float:
    """Return how far a time lies outside the request's own time."""
    if latest < fetched.sent:
        return latest - fetched.sent
    return max(0.0, earliest - fetched.received)


def refuse_step_back(before: Page | None, page: Page) -> None:
    """Raise ClockError when the same exporter's clock went back between two pages."""
    if before is None or before.clock is None or page.clock is None:
        return
    step = page.clock - before.clock
    if page.started == before.started and step < -_LATE:
        raise ClockError(f"node clock went back by {-step:.0f} s; check its time service")


def implausible(before: Reading | None, reading: Reading) -> str:
    """Return why a reading cannot be meant, or nothing."""
    return _share(reading.observed, reading.active) or _grown(before, reading)


def _grown(before: Reading | None, reading: Reading) -> str:
    if before is None or not _fast(before, reading):
        return ""
    delta = between(before, reading)
    if delta is None:
        return ""
    for signal, seconds in delta.observed.items():
        late = _LATE_SLOW.get(signal, _LATE)
        if seconds > delta.seconds * _GROWTH + late:
            return f"{signal} was observed for {seconds:.0f} s within {delta.seconds:.0f} s"
    return _share(delta.observed, delta.active)


def _fast(before: Reading, reading: Reading) -> bool:
    """Tell whether any counter outgrew its bound, reset or not: hardly ever, and told cheaply."""
    most = max(0.0, reading.at - before.at) * _GROWTH
    bound, now, then = most + _LATE, reading.observed, before.observed
    for signal, seconds in now.items():
        growth = seconds - then.get(signal, seconds)
        if growth > bound and growth > most + _LATE_SLOW.get(signal, _LATE):
            return True
    earlier = before.active
    for signal, seconds in reading.active.items():
        growth = seconds - earlier.get(signal, seconds)
        if growth > _TOO_FEW:
            seen = now.get(signal)
            more = 0.0 if seen is None else seen - then.get(signal, seen)
            if growth > more * MOST + _TOO_FEW:
                return True
    return False


def _share(observed: Mapping[str, float], active: Mapping[str, float]) -> str:
    for signal, seconds in active.items():
        seen = observed.get(signal, 0.0)
        if seconds > seen * MOST + _TOO_FEW:
            return f"{signal} was active for {seconds:.0f} s of {seen:.0f} s observed"
    return ""
