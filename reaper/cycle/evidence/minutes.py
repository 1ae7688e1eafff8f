"""Closing minutes: from the board's readings to letters, evidence and learnt power; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import (
    CONTRADICTED,
    EMPTY,
    HELD,
    IDLE,
    Minute,
    letter,
    of_tenant,
    unseen,
)
from reaper.domain.facts.reading import Delta, Reading, between
from reaper.domain.facts.record import IDLE_STRETCH, DeviceRecord, with_minutes
from reaper.domain.facts.tenant import Tenant, own_name
from reaper.domain.facts.thresholds import Thresholds, board_power
from reaper.domain.facts.track import Track

#: Longest interval that is written letter by letter; what is older stays unseen.
_LONGEST: Final = 1440


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """What closing minutes has changed: records and fresh letters, by device."""

    records: Mapping[str, DeviceRecord]
    letters: Mapping[str, Track]


def close(
    known: Mapping[str, DeviceRecord],
    devices: Mapping[str, Device],
    readings: Mapping[str, Sequence[Reading]],
    *,
    pace: Pace,
    thresholds: Thresholds,
    contested: frozenset[str] = frozenset(),
    tenants: Mapping[str, Sequence[Tenant]] = MappingProxyType({}),
    jumped: int | None = None,
) -> Closed:
    """
    Close every minute that newer readings of a device make known, each by its last one.

    `jumped` is the minute from which a clock leapt over others in which nothing changes: what was
    read then and is read now has even minutes between.  An older reading ends a silence.

    Each of `tenants`, by device, gets a record and letters of its own beside the device's.
    """
    records: dict[str, DeviceRecord] = {}
    letters: dict[str, Track] = {}
    for gpu, found in readings.items():
        device = devices.get(gpu)
        if device is None:
            continue
        for reading in _last_of_each(found, pace):
            record = records.get(gpu) or known.get(gpu)
            first = _next(record, pace)
            if record is None or record.reading is None or first is None:
                records[gpu] = _first(record, device, reading)
            elif pace.minute(reading.at) >= first:
                delta = between(record.reading, reading)
                even = jumped is not None and first > jumped
                minute = _minute(record, reading, delta, pace, thresholds, even=even)
                if gpu in contested:
                    minute = replace(minute, letter=CONTRADICTED)
                for tenant in tenants.get(gpu, ()):
                    own = _part(tenant, minute, delta, pace=pace, thresholds=thresholds)
                    name = own_name(gpu, tenant.run_key)
                    before = records.get(name, known.get(name))
                    if before is None and tenant.exclusive:
                        before = record
                    records[name] = _own(before, name, device, reading, own)
                    _append(letters, name, _fresh(first, own))
                records[gpu] = _after(record, device, reading, delta, minute)
                _append(letters, gpu, _fresh(first, minute))
            elif _begins_anew(record.reading, reading):
                records[gpu] = _first(record, device, reading)
    return Closed(records=records, letters=letters)


def _last_of_each(found: Sequence[Reading], pace: Pace) -> Iterable[Reading]:
    """Return the last reading of each minute."""
    return found if len(found) == 1 else {pace.minute(item.at): item for item in found}.values()


def _append(letters: dict[str, Track], name: str, fresh: Track) -> None:
    known = letters.get(name)
    letters[name] = fresh if known is None else known.extend(fresh.start, fresh.letters)


def _part(
    tenant: Tenant, whole: Minute, delta: Delta | None, *, pace: Pace, thresholds: Thresholds
) -> Minute:
    """Return a tenant's part of a device's minute."""
    if delta is None or tenant.alone:
        return whole
    return of_tenant(whole, delta, tenant.key, thresholds=thresholds, pace=pace)


def _next(record: DeviceRecord | None, pace: Pace) -> int | None:
    """Return the first minute that is not closed yet; None before the first reading."""
    return None if record is None or record.reading is None else pace.minute(record.reading.at) + 1


def _begins_anew(last: Reading, reading: Reading) -> bool:
    """Tell whether counters began anew within a minute that is closed: the next minute is whole."""
    return reading.epoch != last.epoch and reading.at >= last.at


def _first(record: DeviceRecord | None, device: Device, reading: Reading) -> DeviceRecord:
    return replace(record or DeviceRecord(device=device), device=device, reading=reading)


def _minute(
    record: DeviceRecord,
    reading: Reading,
    delta: Delta | None,
    pace: Pace,
    thresholds: Thresholds,
    *,
    even: bool,
) -> Minute:
    if delta is None:
        earlier = record.reading
        before = pace.minute(earlier.at) if earlier else pace.minute(reading.at) - 1
        return unseen(pace.minute(reading.at) - before, pace)
    return letter(
        delta,
        thresholds=thresholds,
        pace=pace,
        baseline=record.baseline,
        mig=record.device.is_mig,
        board=board_power(record.device.model),
        even=even,
    )


def _own(
    before: DeviceRecord | None, name: str, device: Device, reading: Reading, minute: Minute
) -> DeviceRecord:
    """Return a tenant's record after a minute."""
    device = replace(device, gpu=name)
    stretch, evidence = _stretch(before or DeviceRecord(device=device), minute)
    return DeviceRecord(device=device, reading=reading, stretch=stretch, evidence=evidence)


def _stretch(record: DeviceRecord, minute: Minute) -> tuple[str, Evidence]:
    stretch = IDLE_STRETCH if minute.letter in IDLE else minute.letter
    goes_on = stretch == record.stretch
    return stretch, (record.evidence if goes_on else Evidence()) + minute.evidence


def _after(
    record: DeviceRecord, device: Device, reading: Reading, delta: Delta | None, minute: Minute
) -> DeviceRecord:
    stretch, evidence = _stretch(record, minute)
    empty, held = record.watts_empty, record.watts_held
    watts = _resting(delta)
    if watts is not None and minute.letter == EMPTY:
        empty = with_minutes(empty, watts, minute.count)
    elif watts is not None and minute.letter == HELD:
        held = with_minutes(held, watts, minute.count)
    return DeviceRecord(
        device=device,
        reading=reading,
        stretch=stretch,
        evidence=evidence,
        watts_empty=empty,
        watts_held=held,
    )


def _resting(delta: Delta | None) -> float | None:
    """Return the power of a minute of zero utilisation, to learn from; None for any other."""
    if delta is None or delta.active.get("engine") != 0.0:
        return None
    return delta.power


def _fresh(first: int, minute: Minute) -> Track:
    skipped = max(0, minute.count - _LONGEST)
    return Track(start=first + skipped, letters=minute.letters[skipped:])
