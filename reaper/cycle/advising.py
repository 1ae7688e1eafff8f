"""The daily advice on sizes: an event a day and allocation, while it holds; pure."""

from collections.abc import Mapping, Sequence
from typing import Final

from reaper.cycle.docket import Item
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.judgement.sizing import advice
from reaper.domain.money.entries import Event

#: Kind of the event.
ADVICE: Final = "advice"

_DAY: Final = 86400.0


def advise(
    items: Sequence[Item],
    tracks: Mapping[str, Track],
    records: Mapping[str, DeviceRecord],
    *,
    before: float | None,
    now: float,
) -> tuple[Event, ...]:
    """Return the day's advice in its first turn (UTC); `before` is when the last one was."""
    if before is None or now // _DAY == before // _DAY:
        return ()
    return tuple(
        Event(
            at=now,
            kind=ADVICE,
            run_key=item.allocation.run.key,
            by="gpu-reaper",
            text=f"{item.allocation.run}: {found.text}",
            numbers={"spare": found.spare},
        )
        for item in items
        for found in advice(item.allocation, tracks, records)
    )
