"""
Slurm's GRES index of each device, from the node's own maps and from ``slurmd -G``.

An index is the position of a device among the gpu lines of ``slurmd -G``.  It is not the
``Index=`` printed there: that is only the number at the end of the file's name.
Sources are asked in a fixed order; where two contradict, the index is unknown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol

from exporter.sampling.snapshot import Device, GresIndex

REFRESH: Final = 600.0
"""Seconds between two looks once every device has its index."""
RETRY: Final = 60.0
"""Seconds between two looks while an index is missing."""


Found = Mapping[str, int] | str
"""Index by device UUID, or the reason why a source says nothing."""


class Source(Protocol):
    """Somebody who says which device has which index."""

    @property
    def name(self) -> str:
        """What the page shows as the index's source."""

    def look(self, devices: tuple[Device, ...], now: float) -> Found | None:
        """Return what is known now; None while the answer is on its way."""

    def close(self) -> None:
        """End what still runs."""


class GresMap:
    """Asks the sources, seldom, and keeps their answers; never waits."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = tuple(sources)
        self._found: dict[str, Found] = {}
        self._asked: tuple[tuple[str, str], ...] | None = None
        self._since = 0.0
        self._pause = RETRY
        self._awaited: set[str] = set()

    def indices(self, devices: tuple[Device, ...], now: float) -> tuple[GresIndex, ...]:
        """Return every device's index, or an empty one with the reason; `now` is monotonic.

        Without any sign of Slurm nothing is returned.
        """
        asked = tuple((device.uuid, device.generation) for device in devices)
        if asked != self._asked or now - self._since >= self._pause:
            self._asked, self._since = asked, now
            self._awaited = {source.name for source in self._sources}
        self._ask(devices, now)
        known = {name: found for name, found in self._found.items() if found}
        if not known:
            return ()
        result = _undoubled([_settle(device, known) for device in devices])
        self._pause = REFRESH if all(one.index for one in result) else RETRY
        return result

    def close(self) -> None:
        """End what still runs for a source."""
        for source in self._sources:
            source.close()

    def _ask(self, devices: tuple[Device, ...], now: float) -> None:
        for source in self._sources:
            if source.name in self._awaited and (found := source.look(devices, now)) is not None:
                self._found[source.name] = found
                self._awaited.discard(source.name)


def _settle(device: Device, known: Mapping[str, Found]) -> GresIndex:
    """Take the first source's word unless a later one contradicts it."""
    words = [
        (name, found[device.uuid])
        for name, found in known.items()
        if isinstance(found, Mapping) and device.uuid in found
    ]
    if not words:
        reasons = [found for found in known.values() if isinstance(found, str)]
        reason = "; ".join(reasons) or "no source lists this device"
        return GresIndex(gpu=device.uuid, index="", source=f"unknown: {reason}")
    if len({index for _, index in words}) > 1:
        said = ", ".join(f"{name} says {index}" for name, index in words)
        return GresIndex(gpu=device.uuid, index="", source=f"unknown: {said}")
    return GresIndex(gpu=device.uuid, index=str(words[0][1]), source=words[0][0])


def _undoubled(found: list[GresIndex]) -> tuple[GresIndex, ...]:
    """Take an index away that was given to several devices."""
    times = Counter(one.index for one in found if one.index)
    return tuple(
        one
        if times[one.index] < 2
        else GresIndex(
            gpu=one.gpu,
            index="",
            source=f"unknown: {one.source} gives {one.index} to several devices",
        )
        for one in found
    )


# ------------------------------------------------------------------ folders


@dataclass(frozen=True, slots=True)
class IndexFolder:
    """Our own map: a file per GRES index, holding a UUID, a /dev/nvidiaN or a PCI address."""

    folder: Path
    name: str = "map"

    def look(self, devices: tuple[Device, ...], now: float) -> Found:
        """Read the folder."""
        entries = _files(self.folder)
        if not entries:
            return ""
        named = {word: device.uuid for device in devices for word in _names(device)}
        found = {named.get(text.lower().strip()): int(index) for index, text in entries}
        return {gpu: index for gpu, index in found.items() if gpu is not None}

    def close(self) -> None:
        """Nothing runs: files are read at once."""


class JobFolder:
    """A prolog's folder for another exporter: a file per GPU in use, named by Slurm's index.

    `by` is the device number which the reader of that folder takes the name for: jobstats the
    minor number, dcgm-exporter the NVML index.  What was seen once is kept: files come and go.
    """

    def __init__(self, folder: Path, name: str, by: Literal["minor", "index"]) -> None:
        self.name = name
        self._folder = folder
        self._by = by
        self._seen: set[int] = set()

    def look(self, devices: tuple[Device, ...], now: float) -> Found:
        """Read the folder."""
        self._seen |= {int(index) for index, _ in _files(self._folder)}
        numbers = {_number(device, self._by): device.uuid for device in devices}
        return {numbers[index]: index for index in self._seen if index in numbers} or ""

    def close(self) -> None:
        """Nothing runs: files are read at once."""


def _number(device: Device, by: Literal["minor", "index"]) -> int | None:
    if device.parent:
        return None
    return device.minor if by == "minor" else device.index


def _names(device: Device) -> Iterator[str]:
    yield device.uuid.lower()
    if not device.parent:
        yield device.pci_bus_id.lower()
        if device.minor is not None:
            yield f"/dev/nvidia{device.minor}"


def _files(folder: Path) -> list[tuple[str, str]]:
    """Return (name, text) of the files that are named by a number."""
    if not folder.name:
        return []
    try:
        names = [one for one in folder.iterdir() if one.name.isascii() and one.name.isdigit()]
        return [(one.name, one.read_text(errors="replace")) for one in sorted(names)]
    except OSError:
        return []
