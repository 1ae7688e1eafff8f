"""Phrases that English messages are made of: instants, whose GPUs, where they are."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from reaper.domain.escalation.notice import Story
from reaper.domain.spoken import count
from reaper.notifiers.texts import Reader, local

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def moment(at: float, zone: ZoneInfo) -> str:
    """Write an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
    when: datetime = local(at, zone)
    day = f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"
    return f"{day} {when:%H:%M} {when.tzname()}"


def whose(story: Story, reader: Reader, *, begins: bool = True) -> str:
    """Name the GPUs as their reader's, or as those of whom the reader answers for."""
    gpus = "GPU" if story.devices == 1 else count(story.devices, "GPU")
    if reader.absent:
        return f"{gpus} of {reader.absent}"
    return f"{'Your' if begins else 'your'} {gpus}"


def named(story: Story) -> str:
    """Name the allocation, with the name that its owner gave it."""
    return f"{story.allocation} “{story.name}”" if story.name else story.allocation


def holding(story: Story) -> str:
    """Tell what it holds and where; many nodes are counted."""
    shown, more = story.nodes[:3], len(story.nodes) - 3
    places = ", ".join(shown) + (f" and {count(more, 'more node')}" if more > 0 else "")
    what = f"{story.devices} × {story.model or 'GPU'}"
    return f"{what} on {places}" if places else what
