"""Closing minutes: from the board's readings to letters, evidence and learnt power; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import CONTRADICTED, IDLE, Minute, letter, unseen
from reaper.domain.facts.reading import Delta, Reading, between
from reaper.domain.facts.record import IDLE_STRETCH, DeviceRecord
from reaper.domain.facts.thresholds import Thresholds
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
) -> Closed:
    """Close every minute that newer readings of a device make known, each by its last one."""
    records: dict[str, DeviceRecord] = {}
    letters: dict[str, Track] = {}
    for gpu, found in readings.items():
        device = devices.get(gpu)
        if device is None:
            continue
        for reading in {pace.minute(item.at): item for item in found}.values():
            record = records.get(gpu, known.get(gpu))
            first = _next(record, pace)
            if record is None or record.reading is None or first is None:
                records[gpu] = _first(record, device, reading)
            elif pace.minute(reading.at) >= first:
                minute = _minute(record, reading, pace, thresholds)
                if gpu in contested:
                    minute = replace(minute, letter=CONTRADICTED)
                records[gpu] = _after(record, device, reading, minute)
                fresh = _fresh(first, minute)
                letters[gpu] = letters.get(gpu, fresh).extend(fresh.start, fresh.letters)
            elif _begins_anew(record.reading, reading):
                records[gpu] = _first(record, device, reading)
    return Closed(records=records, letters=letters)


def _next(record: DeviceRecord | None, pace: Pace) -> int | None:
    """Return the first minute that is not closed yet; None before the first reading."""
    return None if record is None or record.reading is None else pace.minute(record.reading.at) + 1


def _begins_anew(last: Reading, reading: Reading) -> bool:
    """Tell whether counters began anew within a minute that is closed: the next minute is whole."""
    return reading.epoch != last.epoch and reading.at >= last.at


def _first(record: DeviceRecord | None, device: Device, reading: Reading) -> DeviceRecord:
    return replace(record or DeviceRecord(device=device), device=device, reading=reading)


def _minute(record: DeviceRecord, reading: Reading, pace: Pace, thresholds: Thresholds) -> Minute:
    earlier = record.reading
    delta = between(earlier, reading) if earlier else None
    if earlier is None or delta is None:
        before = pace.minute(earlier.at) if earlier else pace.minute(reading.at) - 1
        return unseen(pace.minute(reading.at) - before, pace)
    return letter(delta, thresholds=thresholds, pace=pace, baseline=record.baseline)


def _after(record: DeviceRecord, device: Device, reading: Reading, minute: Minute) -> DeviceRecord:
    stretch = IDLE_STRETCH if minute.letter in IDLE else minute.letter
    goes_on = stretch == record.stretch
    evidence = (record.evidence if goes_on else Evidence()) + minute.evidence
    learnt = replace(record, device=device, reading=reading, stretch=stretch, evidence=evidence)
    delta = between(record.reading, reading) if record.reading else None
    return _learn(learnt, delta, minute)


def _learn(record: DeviceRecord, delta: Delta | None, minute: Minute) -> DeviceRecord:
    """Count a minute of zero utilisation by its power, apart for held and empty."""
    if delta is None or delta.power is None or delta.active.get("engine") != 0.0:
        return record
    if minute.letter == "E":
        return replace(record, watts_empty=_count(record.watts_empty, delta.power, minute.count))
    if minute.letter == "H":
        return replace(record, watts_held=_count(record.watts_held, delta.power, minute.count))
    return record


def _count(
    counts: tuple[tuple[int, int], ...], watts: float, minutes: int
) -> tuple[tuple[int, int], ...]:
    table = dict(counts)
    table[round(watts)] = table.get(round(watts), 0) + minutes
    return tuple(sorted(table.items()))


def _fresh(first: int, minute: Minute) -> Track:
    skipped = max(0, minute.count - _LONGEST)
    return Track(start=first + skipped, letters=minute.letter * (minute.count - skipped))
