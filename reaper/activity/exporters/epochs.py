"""What resets the counters of a target's devices, named: its start, and each signal's source."""

from collections.abc import Mapping
from functools import lru_cache
from sys import intern
from typing import Final

from exporter.contract import catalog
from reaper.activity.exporters.plan import Plan

#: Signals that a device counts, each from a source of its own.
_COUNTED: Final = (*catalog.ACTIVITY_SIGNALS, *catalog.LINKS)
_NONE: Final = "none"
_NO_SOURCE: Final = (_NONE,) * len(_COUNTED)

Sources = tuple[str, ...]
"""The source of each of these signals; devices are alike, so equal ones are one object."""


@lru_cache(maxsize=1024)
def _shared(sources: Sources) -> Sources:
    return sources


class Epochs:
    """The epochs of one target's devices; remembers the sources of signals that went away."""

    def __init__(self) -> None:
        self._sources: dict[str, Sources] = {}
        self._names: dict[str, str] = {}
        self._since: tuple[float, dict[str, str]] = (0.0, {})

    def adopt(self, chosen: Plan) -> None:
        """Take over what a layout says of its signals."""
        said: dict[str, dict[str, str]] = {}
        for item in chosen.signals:
            said.setdefault(item.gpu, {})[item.signal] = item.source
        self._sources = {gpu: self._remembered(gpu, found) for gpu, found in said.items()}
        self._names = {
            device.gpu: " ".join(
                (chosen.contract, device.generation, *self._sources.get(device.gpu, _NO_SOURCE))
            )
            for device in chosen.devices
        }
        self._since = (0.0, {})

    def since(self, started: float) -> Mapping[str, str]:
        """Return each device's epoch under an exporter that started then."""
        if self._since[0] != started:
            found = {gpu: intern(f"{started:.3f} {name}") for gpu, name in self._names.items()}
            self._since = (started, found)
        return self._since[1]

    def _remembered(self, gpu: str, said: Mapping[str, str]) -> Sources:
        """Return a device's sources; a signal that is away keeps its last one."""
        before = zip(_COUNTED, self._sources.get(gpu, _NO_SOURCE), strict=True)
        return _shared(
            tuple(
                last if said.get(signal) == _NONE else said.get(signal, _NONE)
                for signal, last in before
            )
        )
