"""What is kept of every device, and the closing of its minutes: at a glance where that is plain."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeVar, overload

from reaper.cycle.evidence import minutes
from reaper.cycle.evidence.going_on import GoingOn
from reaper.cycle.evidence.minutes import Closed
from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.tenant import Tenant
from reaper.domain.facts.thresholds import Thresholds
from reaper.domain.facts.track import Track

T = TypeVar("T")

_NOBODY: Final[Mapping[str, Sequence[Tenant]]] = MappingProxyType({})


class Records(Mapping[str, DeviceRecord]):
    """
    Records by device; those of devices that go on are made when somebody asks for them.

    Who asks for all of them every minute asks for a glance instead.
    """

    __slots__ = ("_known",)

    def __init__(self, records: Iterable[DeviceRecord] = ()) -> None:
        self._known: dict[str, DeviceRecord | GoingOn] = {one.device.gpu: one for one in records}

    def __getitem__(self, name: str) -> DeviceRecord:
        """Return the record of a device."""
        known = self._known[name]
        return known if isinstance(known, DeviceRecord) else known.record

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the devices."""
        return iter(self._known)

    def __len__(self) -> int:
        """Count the devices."""
        return len(self._known)

    def __contains__(self, name: object) -> bool:
        """Tell whether a device is known."""
        return name in self._known

    @overload
    def get(self, key: str, /) -> DeviceRecord | None: ...
    @overload
    def get(self, key: str, /, default: DeviceRecord | T) -> DeviceRecord | T: ...
    def get(self, key: str, /, default: T | None = None) -> DeviceRecord | T | None:
        """Return the record of a device, if it is known."""
        return self[key] if key in self._known else default

    def glance(self, name: str) -> DeviceRecord | GoingOn | None:
        """Return what is at hand of a device: its reading, its evidence and who testified."""
        return self._known.get(name)

    def evidence(self, name: str) -> Evidence:
        """Return the evidence of a device's present stretch."""
        return self._known[name].evidence

    def devices(self) -> Iterator[Device]:
        """Yield the devices as they were seen last."""
        return (known.device for known in self._known.values())

    def update(self, records: Mapping[str, DeviceRecord]) -> None:
        """Take over the records that closing minutes has changed."""
        self._known.update(records)

    def rest(self) -> None:
        """Forget what only one turn asks for."""
        for known in self._known.values():
            if isinstance(known, GoingOn):
                known.forget()

    def settle(self, names: Iterable[str]) -> None:
        """Make records of devices that are about to be written: from these a restart goes on."""
        for name in names:
            self._known[name] = self[name]

    def close(
        self,
        devices: Mapping[str, Device],
        readings: Mapping[str, Sequence[Reading]],
        *,
        pace: Pace,
        thresholds: Thresholds,
        contested: frozenset[str] = frozenset(),
        tenants: Mapping[str, Sequence[Tenant]] = _NOBODY,
        jumped: int | None = None,
    ) -> Closed:
        """Close minutes as :func:`minutes.close` does; told are the records that did not go on."""
        letters: dict[str, Track] = {}
        left: dict[str, Sequence[Reading]] = {}
        for gpu, found in readings.items():
            device = devices.get(gpu)
            if device is not None and gpu not in tenants and gpu not in contested:
                going = self._going_on(gpu, pace)
                letter = going.goes_on(device, found, pace, thresholds) if going else ""
                if going and letter:
                    self._known[gpu] = going
                    letters[gpu] = _minute(letter, going.minute)
                    continue
            left[gpu] = found
        closed = minutes.close(
            self,
            devices,
            left,
            pace=pace,
            thresholds=thresholds,
            contested=contested,
            tenants=tenants,
            jumped=jumped,
        )
        return Closed(records=closed.records, letters={**letters, **closed.letters})

    def _going_on(self, gpu: str, pace: Pace) -> GoingOn | None:
        known = self._known.get(gpu)
        return GoingOn.of(known, pace) if isinstance(known, DeviceRecord) else known


def evidence_of(records: Mapping[str, DeviceRecord], name: str) -> Evidence:
    """Return the evidence of a known device's present stretch, without making its record."""
    if isinstance(records, Records):
        return records.evidence(name)
    return records[name].evidence


@lru_cache(maxsize=16)
def _minute(letter: str, minute: int) -> Track:
    """Return a minute with its letter: it is the same one for all devices."""
    return Track(start=minute, letters=letter)
