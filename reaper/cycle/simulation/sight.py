"""What a turn of the past could see of some runs: their devices' letters so far; pure."""

from collections.abc import Iterable
from typing import Final

from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import PROFILING, UTILISATION, Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import HORIZON, LONG_WORK, LONGEST, Track

#: Letters tell that a minute was idle, not who said so: where that is not kept, two witnesses are
#: taken for granted.
_WITNESSES: Final = (PROFILING, UTILISATION)

_NO_WORK: Final = "HEX"


def sight(
    runs: Iterable[PastRun], past: Past, pace: Pace, minute: int
) -> tuple[dict[str, Track], dict[str, DeviceRecord]]:
    """Return tracks up to and with `minute`, and records with the evidence of their stretches."""
    tracks: dict[str, Track] = {}
    records: dict[str, DeviceRecord] = {}
    for run in runs:
        kept = run.kept(minute)
        places = {gpu: place for place, gpu in enumerate(sorted(run.allocation.gpus))}
        for device in run.allocation.devices:
            whole = past.tracks.get(device.gpu)
            if whole is not None and device.gpu not in tracks:
                tracks[device.gpu] = _until(whole, minute)
                said = (
                    kept.of_device(places[device.gpu]).witnesses
                    if kept
                    else past.witnesses(device.gpu, minute)
                )
                records[device.gpu] = _record(
                    device, whole, minute, pace, _WITNESSES if said is None else said
                )
    return tracks, records


def _until(whole: Track, minute: int) -> Track:
    begin = max(whole.start, minute + 1 - LONGEST)
    letters = whole.letters[begin - whole.start : max(0, minute + 1 - whole.start)]
    return Track(start=begin, letters=letters).recent(LONG_WORK)


def _record(
    device: Device, whole: Track, minute: int, pace: Pace, witnesses: tuple[str, ...]
) -> DeviceRecord:
    end = max(0, minute + 1 - whole.start)
    seconds = _tail(whole.letters, end) * pace.step
    return DeviceRecord(
        device=device,
        evidence=Evidence(seconds=seconds, witnesses=dict.fromkeys(witnesses, seconds)),
    )


def _tail(letters: str, end: int) -> int:
    """Count the minutes without work before `end`, looking back no further than they reach."""
    reach = HORIZON
    while True:
        begin = max(0, end - reach)
        part = letters[begin:end]
        tail = len(part) - len(part.rstrip(_NO_WORK))
        if tail < len(part) or begin == 0:
            return tail
        reach *= 4
