"""
Which records of devices are written in a turn: those that a restart or an act could miss.

A record whose stretch goes on says nothing new: its counters since then are told by the next
reading.  It is written again from time to time, so that what a crash forgets stays short, and
always while an act on its run is wanted or under way: that compares the device with its last
closed minute.
"""

from collections.abc import Iterable, Mapping
from typing import Final
from zlib import crc32

from reaper.domain.escalation.decision import Intent, Phase
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.tenant import own_name

#: Minutes after which a record is written again at the latest, each in its own minute of them.
EVERY: Final = 15

#: Names that begin with the same characters lie together in a store, so they are written together:
#: the minute by the two digits after ``GPU-`` or ``MIG-``.
_SLOTS: Final = {f"{digits:02x}": digits * EVERY // 256 for digits in range(256)}

_UNDER_WAY: Final = frozenset((Phase.INTENDED, Phase.BEGUN, Phase.DONE))


def slot(name: str) -> int:
    """Return in which of `EVERY` minutes a record is written: neighbours are in the same one."""
    found = _SLOTS.get(name.partition("-")[2][:2])
    return crc32(name.encode()) % EVERY if found is None else found


def in_turn(names: Iterable[str], *, minute: int) -> list[str]:
    """Return the names whose records are written because it is their minute, which is closed."""
    turn = minute % EVERY
    return [name for name in names if slot(name) == turn]


def due(
    records: Mapping[str, DeviceRecord], before: Mapping[str, DeviceRecord], *, minute: int
) -> list[str]:
    """Return which of a turn's records are written by themselves; it closes `minute`."""
    turn = minute % EVERY
    return [
        name
        for name, record in records.items()
        if slot(name) == turn or _began(before.get(name), record)
    ]


def acted_on(allocations: Iterable[Allocation], intents: Iterable[Intent]) -> frozenset[str]:
    """Return the names of all records of the runs on which an act is under way, or wanted now."""
    runs = {intent.effect.run.key for intent in intents if intent.phase in _UNDER_WAY}
    return frozenset(
        name
        for allocation in allocations
        if runs and allocation.run.key in runs
        for gpu in allocation.gpus
        for name in (gpu, own_name(gpu, allocation.run.key))
    )


def _began(before: DeviceRecord | None, record: DeviceRecord) -> bool:
    """Tell whether something began anew: the stretch, the counters, the device itself."""
    if before is None or before.reading is None or record.reading is None:
        return True
    return (
        before.stretch != record.stretch
        or before.reading.epoch != record.reading.epoch
        or (before.device is not record.device and before.device != record.device)
    )
