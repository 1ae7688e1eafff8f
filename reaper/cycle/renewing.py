"""
Which records of devices are written in a turn: those that a restart or an act could miss.

A record whose stretch goes on says nothing new: its counters since then are told by the next
reading.  It is written again from time to time, so that what a crash forgets stays short, and
always while its run has a case: an act compares the device with its last closed minute.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final
from zlib import crc32

from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.tenant import own_name

#: Minutes after which a record is written again at the latest, each in its own minute of them.
EVERY: Final = 15

#: Names that begin with the same characters lie together in a store, so they are written together:
#: ``GPU-`` or ``MIG-`` and two digits, a 256th of the devices.
_NEIGHBOURS: Final = 6


def watched(allocations: Iterable[Allocation], cases: Collection[str]) -> frozenset[str]:
    """Return the names of all records of the runs that have a case."""
    return frozenset(
        name
        for allocation in allocations
        if allocation.run.key in cases
        for gpu in allocation.gpus
        for name in (gpu, own_name(gpu, allocation.run.key))
    )


def renewed(
    records: Mapping[str, DeviceRecord],
    before: Mapping[str, DeviceRecord],
    watched: Collection[str],
    *,
    minute: int,
) -> tuple[DeviceRecord, ...]:
    """Return the records that are written in the turn that closes `minute`."""
    return tuple(
        record
        for name, record in records.items()
        if name in watched
        or (crc32(name[:_NEIGHBOURS].encode()) + minute) % EVERY == 0
        or _began(before.get(name), record)
    )


def _began(before: DeviceRecord | None, record: DeviceRecord) -> bool:
    """Tell whether something began anew: the stretch, the counters, the device itself."""
    if before is None or before.reading is None or record.reading is None:
        return True
    return (
        before.stretch != record.stretch
        or before.reading.epoch != record.reading.epoch
        or before.device != record.device
    )
