"""
GPM: the device's own performance monitor, as means between two samples of it.

Samples closer than 100 ms are not valid, so the base sample is then kept.  Each metric carries a
status of its own.  On MIG the card is asked with the GPU instance's id, which is reused: a new
generation starts with a new base sample.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import pynvml

from exporter.clock import Clock
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal, refusal_of
from exporter.snapshot import Absent

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
_VERSION: Final = 1

_FIRST: Final = Absent(state="stale", reason="the first sample is taken; a mean needs two")
_UNSUPPORTED: Final = Absent(
    state="unsupported", reason="needs a GPU of the Hopper generation or newer, or DCGM"
)

Metrics = dict[int, float | Absent]


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

    def read(self, handle: Handle) -> Metrics | Absent:
        """Return the metrics since the call before, or why there are none."""
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
            request=_request(_IDS if handle.instance is None else _ON_MIG),
        )
        self._pairs[handle.device.uuid] = pair
        return pair

    def _take(self, handle: Handle, sample: Any) -> Any:  # noqa: ANN401 - a foreign buffer
        if handle.instance is None:
            return self._library.call("nvmlGpmSampleGet", handle.raw, sample, target=handle.target)
        return self._library.call(
            "nvmlGpmMigSampleGet", handle.card, handle.instance, sample, target=handle.target
        )

    def _means(self, handle: Handle, pair: _Pair, now: float) -> Metrics | Absent:
        usable = now - pair.at < _OLDEST
        pair.base, pair.spare, pair.at = pair.spare, pair.base, now
        if not usable:
            return _FIRST
        pair.request.sample1, pair.request.sample2 = pair.spare, pair.base
        answer = self._library.call("nvmlGpmMetricsGet", pair.request, target=handle.target)
        if isinstance(answer, Refusal):
            return answer.absent()
        return {metric.metricId: _value(metric) for metric in _entries(pair.request)}

    def keep(self, uuids: Iterable[str]) -> None:
        """Free the samples of every device that is not among these; ask anew who supports GPM."""
        for uuid in self._pairs.keys() - set(uuids):
            self._free(uuid)
        self._supported.clear()

    def _free(self, uuid: str) -> None:
        pair = self._pairs.pop(uuid, None)
        if pair is not None:
            self._library.call("nvmlGpmSampleFree", pair.base)
            self._library.call("nvmlGpmSampleFree", pair.spare)


def _request(ids: tuple[int, ...]) -> Any:  # noqa: ANN401 - the binding has no types
    request = pynvml.c_nvmlGpmMetricsGet_t()
    request.version = _VERSION
    request.numMetrics = len(ids)
    for place, number in enumerate(ids):
        request.metrics[place].metricId = number
    return request


def _entries(request: Any) -> list[Any]:  # noqa: ANN401
    return [request.metrics[place] for place in range(request.numMetrics)]


def _value(metric: Any) -> float | Absent:  # noqa: ANN401
    if metric.nvmlReturn != 0:
        return refusal_of(int(metric.nvmlReturn)).absent()
    return float(metric.value)
