"""Phrases that English messages are made of: spans, instants, whose GPUs, where they are."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from reaper.domain.escalation.notice import Story
from reaper.notifiers.texts import Reader, local

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def lasting(seconds: float) -> str:
    """Write a duration as it is said: "45 minutes", "1 h 30 min", "2 days 3 h"."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return f"{int(seconds)} seconds"
    if minutes == 60:
        return "1 hour"
    if minutes < 90:
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    hours, minutes = divmod(minutes, 60)
    days, rest = divmod(hours, 24)
    if days >= 2:
        return f"{days} days {rest} h" if rest else f"{days} days"
    return f"{hours} h {minutes} min" if minutes else f"{hours} hours"


def moment(at: float, zone: ZoneInfo) -> str:
    """Write an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
    when: datetime = local(at, zone)
    day = f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"
    return f"{day} {when:%H:%M} {when.tzname()}"


def whose(story: Story, reader: Reader, *, begins: bool = True) -> str:
    """Name the GPUs as their reader's, or as those of whom the reader answers for."""
    gpus = "GPU" if story.devices == 1 else f"{story.devices} GPUs"
    if reader.absent:
        return f"{gpus} of {reader.absent}"
    return f"{'Your' if begins else 'your'} {gpus}"


def named(story: Story) -> str:
    """Name the allocation, with the name that its owner gave it."""
    return f"{story.allocation} “{story.name}”" if story.name else story.allocation


def holding(story: Story) -> str:
    """Tell what it holds and where; many nodes are counted."""
    shown, more = story.nodes[:3], len(story.nodes) - 3
    places = ", ".join(shown) + (
        f" and {more} more node{'' if more == 1 else 's'}" if more > 0 else ""
    )
    what = f"{story.devices} × {story.model or 'GPU'}"
    return f"{what} on {places}" if places else what
