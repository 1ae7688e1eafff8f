"""
How busy each process kept a card, from the driver's own short history.

The driver hands out rows younger than a time stamp of its own; the stamp of the youngest row is
remembered per card, so that no row counts twice.  Old rows, rows of impossible processes and
rows of the future come back again and again and are left out.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from exporter.clock import Clock
from exporter.nvml.identity import Handle
from exporter.nvml.library import NOT_FOUND, Library, Refusal
from exporter.sampling import plausible
from exporter.sampling.snapshot import Absent

_CALL: Final = "nvmlDeviceGetProcessUtilization"
#: How the binding and the driver say that no process was busy.
_NONE_BUSY: Final = frozenset({0, NOT_FOUND})
_HIGHEST_PID: Final = 2**22
_MICRO: Final = 1e6
_FUTURE: Final = 60.0

_ON_MIG: Final = Absent(state="unsupported", reason="processes are not told apart on MIG")
_FIRST: Final = Absent(state="stale", reason="the first look at processes; a mean needs two")


class ProcessUtilisation:
    """Remembers the youngest row of each card."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock
        self._seen: dict[str, int] = {}

    def read(self, handle: Handle) -> Mapping[int, float] | Absent:
        """Return the busy processes since the call before, as ratios of 0 to 1 by pid."""
        if handle.instance is not None or handle.sliced:
            return _ON_MIG
        uuid = handle.device.uuid
        since = self._seen.get(uuid)
        answer = self._library.call(_CALL, handle.raw, since or 0, target=handle.target)
        if isinstance(answer, Refusal):
            if answer.code not in _NONE_BUSY:
                self._seen.pop(uuid, None)
                return answer.absent()
            answer = []
        rows = [row for row in answer if self._believable(row, since or 0)]
        self._seen[uuid] = max((int(row.timeStamp) for row in rows), default=since or 0)
        return _FIRST if since is None else _busy(rows)

    def _believable(self, row: Any, since: int) -> bool:  # noqa: ANN401 - a foreign structure
        latest = (self._clock.wall() + _FUTURE) * _MICRO
        return bool(0 < row.pid <= _HIGHEST_PID and since < row.timeStamp <= latest)

    def keep(self, uuids: Iterable[str]) -> None:
        """Forget every card that is not among these."""
        kept = set(uuids)
        self._seen = {uuid: stamp for uuid, stamp in self._seen.items() if uuid in kept}


def _busy(rows: Iterable[Any]) -> Mapping[int, float] | Absent:
    """One row that cannot be true makes the answer worthless: its process would seem at rest."""
    busy: dict[int, float] = {}
    for row in rows:
        if not 0 <= row.smUtil <= 100:
            return plausible.IMPLAUSIBLE
        pid = int(row.pid)
        busy[pid] = max(busy.get(pid, 0.0), row.smUtil / 100)
    return busy
