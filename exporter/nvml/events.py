"""Critical Xid events, taken from the driver's queue without waiting."""

import ctypes
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from exporter.clock import Clock
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal

_XID: Final = 0x8
#: More events than this in one turn are a storm, and the rest waits for the next turn.
_MOST: Final = 64


class XidEvents:
    """Listens on every card; hands out what was heard per device."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock
        self._queue: Any = None
        self._uuids: dict[int, str] = {}
        self._heard: dict[str, list[tuple[int, float]]] = defaultdict(list)

    def listen(self, handles: Iterable[Handle]) -> None:
        """Register the cards that are not registered."""
        if self._queue is None:
            queue = self._library.call("nvmlEventSetCreate")
            if isinstance(queue, Refusal):
                return
            self._queue = queue
        for handle in handles:
            key = _address(handle.raw)
            if handle.instance is None and key and key not in self._uuids:
                answer = self._library.call(
                    "nvmlDeviceRegisterEvents",
                    handle.raw,
                    _XID,
                    self._queue,
                    target=handle.target,
                )
                if not isinstance(answer, Refusal):
                    self._uuids[key] = handle.device.uuid

    def take(self, uuid: str) -> tuple[tuple[int, float], ...]:
        """Return the (Xid, wall time) pairs heard of a device since the call before."""
        self._drain()
        return tuple(self._heard.pop(uuid, ()))

    def _drain(self) -> None:
        for _ in range(_MOST if self._queue is not None else 0):
            event = self._library.call("nvmlEventSetWait", self._queue, 0)
            if isinstance(event, Refusal):
                return
            uuid = self._uuids.get(_address(event.device))
            if uuid is not None and int(event.eventType) == _XID:
                self._heard[uuid].append((int(event.eventData), self._clock.wall()))

    def close(self) -> None:
        """Free the queue."""
        if self._queue is not None:
            self._library.call("nvmlEventSetFree", self._queue)
        self._queue = None
        self._uuids.clear()


def _address(raw: Any) -> int:  # noqa: ANN401 - a foreign pointer
    return 0 if raw is None else ctypes.cast(raw, ctypes.c_void_p).value or 0
