"""Right-sizing: what a smaller request would do as well; advice, never an act."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.minute import ACTIVE
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.reason import Reason, because

#: Minutes of one state from which on it is worth a word.
_LONG: Final = 60

#: Minutes of an idle stretch that is no short pause, and how many a day are a habit.
_PAUSE: Final = 30
_OFTEN: Final = 3
_DAY_MINUTES: Final = 1440

#: What a seventh of a card offers: compute and memory, as shares of the card.
_SLICE: Final = 1 / 7
_SLICE_MEMORY: Final = 1 / 8

#: Memory of the cards that can be cut, by a part of their name; bytes.
_CUTTABLE: Final = (
    ("A30", 24e9),
    ("A100-SXM4-40", 40e9),
    ("A100", 80e9),
    ("H100", 80e9),
    ("H200", 141e9),
)

#: Mean SM activity from which on missing tensor activity says something.
_BUSY_SM: Final = 0.2
_LOW_TENSOR: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What would do as well: `spare` GPUs (or parts of one) less, and why."""

    kind: str
    text: Reason
    spare: float = 0.0


def advice(
    allocation: Allocation,
    tracks: Mapping[str, Track],
    records: Mapping[str, DeviceRecord],
) -> tuple[Advice, ...]:
    """Return every advice on an allocation whose devices are all known."""
    known = [gpu for gpu in allocation.gpus if gpu in tracks and gpu in records]
    if allocation.doubt or len(known) < allocation.expected:
        return ()
    return tuple(
        found
        for found in (
            _partial(allocation, tracks),
            _pauses(allocation, tracks),
            *_slices(allocation, tracks, records),
            _tensor(allocation, tracks, records),
        )
        if found is not None
    )


def _partial(allocation: Allocation, tracks: Mapping[str, Track]) -> Advice | None:
    idle = _spare(allocation, tracks)
    if not idle:
        return None
    total, spare = len(allocation.gpus), len(idle)
    minutes = min(idle.values())
    text = because(
        "advice-partial", spare=spare, devices=total, minutes=minutes, left=total - spare
    )
    return Advice(kind="partial", text=text, spare=float(spare))


def _spare(allocation: Allocation, tracks: Mapping[str, Track]) -> dict[str, int]:
    """Return for how many minutes GPUs have idled beside others at work."""
    tails = {gpu: tracks[gpu].idle_tail() for gpu in allocation.gpus}
    idle = {gpu: tail for gpu, tail in tails.items() if tail >= _LONG}
    return idle if len(idle) < len(tails) else {}


def _pauses(allocation: Allocation, tracks: Mapping[str, Track]) -> Advice | None:
    """Short idleness that comes back all day: each alone is no case, together it is a habit."""
    found = [_stretches(tracks[gpu]) for gpu in allocation.gpus]
    fewest = min(found, key=len)
    if len(fewest) < _OFTEN:
        return None
    text = because("advice-pauses", times=len(fewest), minutes=_PAUSE, total=sum(fewest))
    return Advice(kind="pauses", text=text)


def _stretches(track: Track) -> list[int]:
    """Return the minutes of a day's idle stretches that are no short pause and are over."""
    day = track.since(track.end - _DAY_MINUTES)
    return [
        stretch.minutes
        for stretch in day.idle_stretches()
        if stretch.minutes >= _PAUSE and stretch.end < track.end
    ]


def _slices(
    allocation: Allocation, tracks: Mapping[str, Track], records: Mapping[str, DeviceRecord]
) -> Iterator[Advice | None]:
    """A whole card behind a session that a slice of it would serve; one to spare is none."""
    if allocation.purpose is not Purpose.INTERACTIVE:
        return
    spare = _spare(allocation, tracks)
    for device in (item for item in allocation.devices if item.gpu not in spare):
        record = records[device.gpu]
        card = next((size for name, size in _CUTTABLE if name in device.model), None)
        used = record.reading.memory_used if record.reading else None
        seconds = record.evidence.seen.get("sm", 0.0)
        if device.is_mig or card is None or used is None or seconds < _LONG * 60:
            continue
        sm = record.evidence.active.get("sm", 0.0) / seconds
        if sm < _SLICE and used < card * _SLICE_MEMORY:
            text = because(
                "advice-slice",
                used=f"{used / 1e9:.1f}",
                card=round(card / 1e9),
                percent=round(100 * sm),
                model=device.model,
                slice=f"{card * _SLICE_MEMORY / 1e9:.0f}",
            )
            yield Advice(kind="slice", text=text, spare=1 - _SLICE)


def _tensor(
    allocation: Allocation, tracks: Mapping[str, Track], records: Mapping[str, DeviceRecord]
) -> Advice | None:
    """Long work on the SMs without their tensor cores."""
    if allocation.purpose is not Purpose.TRAINING:
        return None
    shares = []
    for gpu in allocation.gpus:
        evidence = records[gpu].evidence
        seconds = evidence.seen.get("tensor", 0.0)
        long_work = tracks[gpu].letters[-1:] == ACTIVE and seconds >= _LONG * 60
        if not long_work or evidence.active.get("sm", 0.0) / seconds < _BUSY_SM:
            return None
        shares.append(evidence.active.get("tensor", 0.0) / seconds)
    mean = sum(shares) / len(shares) if shares else 1.0
    if mean >= _LOW_TENSOR:
        return None
    return Advice(kind="tensor", text=because("advice-tensor", percent=f"{100 * mean:.1f}"))
