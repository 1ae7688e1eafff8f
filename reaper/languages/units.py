"""Spans, instants and numbers as people say them, with the words of a language's `units`."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final, Protocol

from reaper.domain.reason import Value

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400

#: Days from which on a day is named by its date.
_WEEK: Final = 7

#: Seconds by which an instant may lie ahead: clocks of two machines differ.
AHEAD: Final = 5.0

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


def brief(symbols: Sequence[str], seconds: float) -> str:
    """
    Write a duration in its two largest units; `symbols` are those of s, min, h and d.

    >>> brief(("s", "min", "h", "d"), 11520)
    '3 h 12 min'
    """
    second, minute, hour, day = symbols
    if seconds < _MINUTE:
        return f"{max(0, round(seconds))} {second}"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE:.0f} {minute}"
    if seconds < 2 * _DAY:
        return _pair(seconds, (_HOUR, hour), (_MINUTE, minute))
    return _pair(seconds, (_DAY, day), (_HOUR, hour))


def _pair(seconds: float, large: tuple[int, str], small: tuple[int, str]) -> str:
    rest = seconds % large[0] // small[0]
    tail = f" {rest:.0f} {small[1]}" if rest else ""
    return f"{seconds // large[0]:.0f} {large[1]}{tail}"


def clocked(say: Saying, seconds: float) -> str:
    """Write a duration in hours and minutes: "3 h 05 min", "40 min"."""
    minutes = round(seconds / _MINUTE)
    if minutes < _MINUTE:
        return f"{minutes} {say('symbols').split()[1]}"
    return say("hours-minutes", hours=minutes // _MINUTE, minutes=f"{minutes % _MINUTE:02}")


def short(say: Saying, seconds: float) -> str:
    """Say a duration in few letters: "42 min", "3 h 05 min"."""
    if seconds < 2 * _MINUTE:
        return say("short-seconds", count=f"{seconds:.0f}")
    minutes = round(seconds / _MINUTE)
    if minutes < 120:
        return say("short-minutes", count=minutes)
    return say("short-hours", hours=minutes // 60, minutes=f"{minutes % 60:02d}")


def moment(say: Saying, at: float, zone: tzinfo) -> str:
    """Say an instant with its weekday and zone: "Tue 1 Dec 14:05 CET"."""
    when = datetime.fromtimestamp(at, zone)
    return say(
        "moment",
        weekday=weekday(say, when),
        day=when.day,
        month=say("months").split()[when.month - 1],
        hour=f"{when:%H:%M}",
        zone=when.tzname() or "",
    )


def instant(say: Saying, at: float, now: float, zone: tzinfo) -> str:
    """Say the hour of an instant, with the day where it is not today's."""
    when, today = (datetime.fromtimestamp(one, tz=UTC).astimezone(zone) for one in (at, now))
    away = abs((when.date() - today.date()).days)
    if not away:
        return f"{when:%H:%M}"
    day = weekday(say, when) if away < _WEEK else f"{when:{say('date')}}"
    return f"{day} {when:%H:%M}"


def weekday(say: Saying, when: datetime) -> str:
    """Name the day of the week in short."""
    return say("weekdays").split()[when.weekday()]


def number(say: Saying, value: float, form: str) -> str:
    """Write a number in a format of ours, with the decimal mark of the language."""
    return f"{value:{form}}".replace(".", say("decimal-mark"))
