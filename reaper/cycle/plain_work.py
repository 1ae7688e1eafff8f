"""A minute of plain work after another, which most devices have most of the time; pure."""

from collections.abc import Sequence
from functools import lru_cache

from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import ACTIVE, plainly_active
from reaper.domain.facts.reading import Reading, grows
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.thresholds import Thresholds
from reaper.domain.facts.track import Track


def worked_on(
    record: DeviceRecord | None,
    device: Device,
    found: Sequence[Reading],
    *,
    pace: Pace,
    thresholds: Thresholds,
) -> DeviceRecord | None:
    """
    Return the record after one more minute of plain work; None where it must be looked at closely.

    It is the record that taking every counter apart would come to.
    """
    last, newest = record.reading if record else None, found[-1]
    if record is None or last is None or record.stretch != ACTIVE:
        return None
    if pace.minute(newest.at) != pace.minute(last.at) + 1 or not _summed(record.evidence, newest):
        return None
    if found[0] is not last and found[0].at <= last.at:
        return None
    if not grows(last, newest) or not plainly_active(
        last, newest, thresholds=thresholds, pace=pace, rested=record.most_rested
    ):
        return None
    return DeviceRecord(
        device=device,
        reading=newest,
        stretch=ACTIVE,
        evidence=record.evidence.with_work(pace.step, last, newest),
        watts_empty=record.watts_empty,
        watts_held=record.watts_held,
    )


@lru_cache(maxsize=8)
def work(minute: int) -> Track:
    """Return a minute of work: it is the same one for all devices."""
    return Track(start=minute, letters=ACTIVE)


def _summed(evidence: Evidence, newest: Reading) -> bool:
    """Tell whether evidence holds sums of the same counters as a reading."""
    return (
        evidence.seconds > 0
        and evidence.seen.keys() == newest.observed.keys()
        and evidence.active.keys() == newest.active.keys()
        and len(evidence.above) == len(newest.above)
    )
