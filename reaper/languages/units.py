"""Spans, instants and numbers as people say them, with the words of a language's `units`."""

from datetime import datetime, tzinfo
from typing import Final, Protocol

from reaper.domain.reason import Value

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400

#: Minutes up to which a span is said in minutes alone.
_SHORT: Final = 90


class Saying(Protocol):
    """Says a message of `units` with its values."""

    def __call__(self, message: str, /, **values: Value) -> str:
        """Return the message."""
        ...


def span(say: Saying, seconds: float) -> str:
    """Say a duration: "1 second", "45 minutes", "2 hours", "1 h 30 min", "2 days 3 h"."""
    whole = max(0, int(seconds))
    if whole < _MINUTE:
        return say("seconds", count=whole)
    if _in_minutes(whole):
        return say("minutes", count=whole // _MINUTE)
    if whole < 2 * _DAY:
        hours, minutes = whole // _HOUR, whole % _HOUR // _MINUTE
        if not minutes:
            return say("hours", count=hours)
        return say("hours-minutes", hours=hours, minutes=minutes)
    days, hours = whole // _DAY, whole % _DAY // _HOUR
    return say("days-hours", count=days, hours=hours) if hours else say("days", count=days)


def _in_minutes(seconds: int) -> bool:
    """Tell whether a span is said in minutes alone; an hour is an hour."""
    minutes = seconds // _MINUTE
    return minutes < _SHORT and minutes != _HOUR // _MINUTE


def moment(say: Saying, at: float, zone: tzinfo) -> str:
    """Say an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
    when = datetime.fromtimestamp(at, zone)
    return say(
        "moment",
        weekday=say("weekdays").split()[when.weekday()],
        day=when.day,
        month=say("months").split()[when.month - 1],
        hour=f"{when:%H:%M}",
        zone=when.tzname() or "",
    )


def number(say: Saying, value: float, form: str) -> str:
    """Write a number in a format of ours, with the decimal mark of the language."""
    return f"{value:{form}}".replace(".", say("decimal-mark"))
