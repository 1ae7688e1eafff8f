"""
The hardware's own cycle counters: exact means between two looks, where driver and card have them.

Drivers from R595 on offer them as GPM metrics.  Each device is asked once a generation; an older
driver refuses the unknown numbers, so they travel in a request of their own.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from exporter.nvml import cycles
from exporter.nvml.cycles import Cycles
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal, metrics_request
from exporter.sampling.snapshot import Absent

_ELAPSED: Final = 248
_ACTIVE: Final[Mapping[str, int]] = {"sm": 249, "tensor": 250}
_IDS: Final = (_ELAPSED, *_ACTIVE.values())

#: What a driver answers that does not know these numbers.
_UNKNOWN_NUMBER: Final = 2
#: Counters that fail so often in a row do not count what they should.
_PATIENCE: Final = 10

_FIRST: Final = Absent(
    state="stale", reason="the cycle counters are read for the first time; a ratio needs two"
)

Ratios = dict[str, float | Absent]


@dataclass(slots=True)
class _Known:
    """What is known of one device's counters; `signals` is None until that is found out."""

    generation: str
    request: Any
    signals: tuple[str, ...] | None = None
    before: Cycles | None = None
    misses: int = 0


class CycleCounters:
    """Remembers per device whether there are counters, and their last reading."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._devices: dict[str, _Known] = {}

    def read(self, handle: Handle, first: Any, second: Any) -> Ratios:  # noqa: ANN401
        """Return the ratios since the call before by signal; empty without counters.

        `first` and `second` are two samples that the monitor took; the counts are the second's.
        """
        known = self._known(handle)
        if known.signals == ():
            return {}
        known.request.sample1, known.request.sample2 = first, second
        answer = self._library.call("nvmlGpmMetricsGet", known.request, target=handle.target)
        if isinstance(answer, Refusal):
            # The monitor makes the same call for its own metrics and may well be answered.
            self._library.retry("nvmlGpmMetricsGet", handle.target)
            return self._refused(known, answer)
        counts = _counts(known.request)
        if known.signals is None:
            known.signals = _found(counts)
        return self._ratios(known, counts)

    def _known(self, handle: Handle) -> _Known:
        known = self._devices.get(handle.device.uuid)
        if known is None or known.generation != handle.device.generation:
            known = _Known(generation=handle.device.generation, request=metrics_request(_IDS))
            self._devices[handle.device.uuid] = known
        return known

    def _refused(self, known: _Known, refusal: Refusal) -> Ratios:
        known.before = None
        if known.signals is None:
            if refusal.lasting or refusal.code == _UNKNOWN_NUMBER:
                known.signals = ()
            return {}
        return dict.fromkeys(known.signals, refusal.absent())

    def _ratios(self, known: _Known, counts: Mapping[int, float]) -> Ratios:
        signals = known.signals or ()
        after = Cycles(
            elapsed=counts[_ELAPSED], active={name: counts[_ACTIVE[name]] for name in signals}
        )
        before, known.before = known.before, after
        if before is None:
            return dict.fromkeys(signals, _FIRST)
        found = cycles.ratios(before, after)
        failed = signals and isinstance(found["sm"], Absent)
        known.misses = known.misses + 1 if failed else 0
        if known.misses >= _PATIENCE:
            known.signals = ()
        return found

    def forget(self, uuid: str) -> None:
        """Drop a device's last reading: the next ratio would cover time nobody asked for."""
        if uuid in self._devices:
            self._devices[uuid].before = None

    def keep(self, uuids: frozenset[str]) -> None:
        """Forget every device that is not among these."""
        self._devices = {uuid: one for uuid, one in self._devices.items() if uuid in uuids}


def _counts(request: Any) -> dict[int, float]:  # noqa: ANN401 - the binding has no types
    """Return each count; NaN for what the driver did not count."""
    entries = (request.metrics[place] for place in range(request.numMetrics))
    return {
        int(entry.metricId): float(entry.value) if entry.nvmlReturn == 0 else math.nan
        for entry in entries
    }


def _found(counts: Mapping[int, float]) -> tuple[str, ...]:
    """Return the signals that are counted; without elapsed and SM cycles there are none."""
    there = {number for number, count in counts.items() if math.isfinite(count) and count >= 0}
    if not {_ELAPSED, _ACTIVE["sm"]} <= there or not counts[_ELAPSED]:
        return ()
    return tuple(name for name, number in _ACTIVE.items() if number in there)
