"""Byte counters of PCIe and NVLink, as rates since the call before; for devices without GPM."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from exporter.clock import Clock
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal, refusal_of
from exporter.sampling import plausible
from exporter.sampling.snapshot import Absent, Flow

#: Field ids: bytes sent and received over PCIe; KiB sent and received over all NVLinks.
_PCIE: Final = (197, 198)
_NVLINK: Final = (138, 139)
_ALL_LINKS: Final = 0xFFFFFFFF
_KIB: Final = 1024

_FIRST: Final = Absent(state="stale", reason="the first count is taken; a rate needs two")
_WRAPPED: Final = Absent(state="stale", reason="the driver's byte counter began anew")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Count:
    at: float
    sent: int
    received: int


class Links:
    """Keeps the last counts per device and link."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock
        self._counts: dict[tuple[str, str], _Count] = {}

    def read(self, handle: Handle) -> dict[str, Flow | Absent]:
        """Return both links' flows."""
        fields = [*_PCIE, *((number, _ALL_LINKS) for number in _NVLINK)]
        answer = self._library.call(
            "nvmlDeviceGetFieldValues", handle.raw, fields, target=handle.target
        )
        if isinstance(answer, Refusal):
            return dict.fromkeys(("pcie", "nvlink"), answer.absent())
        values = [_number(item) for item in answer]
        return {
            "pcie": self._flow(handle, "pcie", values[0], values[1], 1),
            "nvlink": self._flow(handle, "nvlink", values[2], values[3], _KIB),
        }

    def _flow(
        self, handle: Handle, link: str, sent: int | Absent, received: int | Absent, unit: int
    ) -> Flow | Absent:
        if isinstance(sent, Absent):
            return sent
        if isinstance(received, Absent):
            return received
        key = (handle.device.uuid, link)
        count = _Count(at=self._clock.monotonic(), sent=sent * unit, received=received * unit)
        before = self._counts.get(key)
        self._counts[key] = count
        return _FIRST if before is None else _rate(before, count)

    def keep(self, uuids: Iterable[str]) -> None:
        """Forget every device that is not among these."""
        kept = set(uuids)
        self._counts = {key: count for key, count in self._counts.items() if key[0] in kept}


def _rate(before: _Count, count: _Count) -> Flow | Absent:
    seconds = count.at - before.at
    if count.sent < before.sent or count.received < before.received or seconds <= 0:
        return _WRAPPED
    sent = (count.sent - before.sent) / seconds
    received = (count.received - before.received) / seconds
    if not (plausible.flow(sent) and plausible.flow(received)):
        return plausible.IMPLAUSIBLE
    return Flow(sent=sent, received=received, source="nvml")


def _number(field: Any) -> int | Absent:  # noqa: ANN401 - the binding has no types
    if field.nvmlReturn != 0:
        return refusal_of(int(field.nvmlReturn)).absent()
    kinds = {1: "uiVal", 2: "ulVal", 3: "ullVal", 4: "sllVal", 5: "siVal", 6: "usVal"}
    name = kinds.get(int(field.valueType))
    return plausible.IMPLAUSIBLE if name is None else int(getattr(field.value, name))
