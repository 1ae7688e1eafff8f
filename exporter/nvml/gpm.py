"""
GPM: the device's own performance monitor, as means between two samples of it.

Samples closer than 100 ms are not valid, so the base sample is then kept.  Each metric carries a
status of its own.  On MIG the card is asked with the GPU instance's id, which is reused: a new
generation starts with a new base sample.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from exporter.clock import Clock
from exporter.nvml.counters import CycleCounters, Ratios
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal, metrics_request, refusal_of
from exporter.sampling.snapshot import Absent

GRAPHICS: Final = 1
SM: Final = 2
TENSOR: Final = 5
DRAM: Final = 10
PCIE_SENT: Final = 20
PCIE_RECEIVED: Final = 21
NVLINK_RECEIVED: Final = 60
NVLINK_SENT: Final = 61
DECODERS: Final = tuple(range(30, 38))
_IDS: Final = (
    GRAPHICS,
    SM,
    TENSOR,
    DRAM,
    PCIE_SENT,
    PCIE_RECEIVED,
    NVLINK_RECEIVED,
    NVLINK_SENT,
)
_ON_MIG: Final = (GRAPHICS, SM, TENSOR, DRAM, *DECODERS)

_CLOSEST: Final = 0.1
#: After such a gap (seconds) a mean would cover time that nobody wants to know of.
_OLDEST: Final = 600.0

_FIRST: Final = Absent(state="stale", reason="the first sample is taken; a mean needs two")
_UNSUPPORTED: Final = Absent(
    state="unsupported",
    reason="needs a GPU of the Hopper generation or newer, or dcgm-exporter (--dcgm-url)",
)

Metrics = dict[int, float | Absent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What the monitor says of the time since the call before.

    `metrics` are by number, in the driver's units; `cycles` are ratios by signal from the
    hardware's own counters, empty where there are none.
    """

    metrics: Metrics
    cycles: Ratios


@dataclass(slots=True)
class _Pair:
    """Two sample buffers of one device; `base` is the older one, taken `at`."""

    generation: str
    base: Any
    spare: Any
    request: Any
    at: float = float("-inf")


class Gpm:
    """Keeps a pair of samples per device and frees them."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock
        self._pairs: dict[str, _Pair] = {}
        self._supported: dict[str, bool] = {}
        self._counters = CycleCounters(library)

    def read(self, handle: Handle) -> Means | Absent:
        """Return the means since the call before, or why there are none."""
        refused = self._refused(handle)
        if refused is not None:
            return refused
        pair = self._pair(handle)
        if isinstance(pair, Refusal):
            return pair.absent()
        now = self._clock.monotonic()
        if now - pair.at < _CLOSEST:
            return Absent(state="stale", reason="two samples were less than 100 ms apart")
        taken = self._take(handle, pair.spare)
        if isinstance(taken, Refusal):
            pair.at = float("-inf")
            return taken.absent()
        return self._means(handle, pair, now)

    def _refused(self, handle: Handle) -> Absent | None:
        key = handle.device.parent or handle.device.uuid
        if key not in self._supported:
            answer = self._library.call(
                "nvmlGpmQueryDeviceSupport", handle.card, target=handle.target
            )
            if isinstance(answer, Refusal) and not answer.lasting:
                return answer.absent()
            self._supported[key] = not isinstance(answer, Refusal) and bool(
                answer.isSupportedDevice
            )
        return None if self._supported[key] else _UNSUPPORTED

    def _pair(self, handle: Handle) -> "_Pair | Refusal":
        known = self._pairs.get(handle.device.uuid)
        if known is not None and known.generation == handle.device.generation:
            return known
        self._free(handle.device.uuid)
        base = self._library.call("nvmlGpmSampleAlloc")
        if isinstance(base, Refusal):
            return base
        spare = self._library.call("nvmlGpmSampleAlloc")
        if isinstance(spare, Refusal):
            self._library.call("nvmlGpmSampleFree", base)
            return spare
        pair = _Pair(
            generation=handle.device.generation,
            base=base,
            spare=spare,
            request=metrics_request(_IDS if handle.instance is None else _ON_MIG),
        )
        self._pairs[handle.device.uuid] = pair
        return pair

    def _take(self, handle: Handle, sample: Any) -> Any:  # noqa: ANN401 - a foreign buffer
        if handle.instance is None:
            return self._library.call("nvmlGpmSampleGet", handle.raw, sample, target=handle.target)
        answer = self._library.call(
            "nvmlGpmMigSampleGet", handle.card, handle.instance, sample, target=handle.target
        )
        self._forgive("nvmlGpmMigSampleGet", handle)
        return answer

    def _forgive(self, name: str, handle: Handle) -> None:
        """What one instance is refused, its sisters on the card may well be given."""
        if handle.instance is not None:
            self._library.retry(name, handle.target)

    def _means(self, handle: Handle, pair: _Pair, now: float) -> Means | Absent:
        usable = now - pair.at < _OLDEST
        pair.base, pair.spare, pair.at = pair.spare, pair.base, now
        if not usable:
            self._counters.forget(handle.device.uuid)
            return _FIRST
        pair.request.sample1, pair.request.sample2 = pair.spare, pair.base
        answer = self._library.call("nvmlGpmMetricsGet", pair.request, target=handle.target)
        self._forgive("nvmlGpmMetricsGet", handle)
        if isinstance(answer, Refusal):
            return answer.absent()
        return Means(
            metrics={metric.metricId: _value(metric) for metric in _entries(pair.request)},
            cycles=self._counters.read(handle, pair.spare, pair.base),
        )

    def keep(self, uuids: Iterable[str]) -> None:
        """Free the samples of every device that is not among these; ask anew who supports GPM."""
        kept = frozenset(uuids)
        for uuid in self._pairs.keys() - kept:
            self._free(uuid)
        self._counters.keep(kept)
        self._supported.clear()

    def _free(self, uuid: str) -> None:
        pair = self._pairs.pop(uuid, None)
        if pair is not None:
            self._library.call("nvmlGpmSampleFree", pair.base)
            self._library.call("nvmlGpmSampleFree", pair.spare)


def _entries(request: Any) -> list[Any]:  # noqa: ANN401
    return [request.metrics[place] for place in range(request.numMetrics)]


def _value(metric: Any) -> float | Absent:  # noqa: ANN401
    if metric.nvmlReturn != 0:
        return refusal_of(int(metric.nvmlReturn)).absent()
    return float(metric.value)
