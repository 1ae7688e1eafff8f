"""Working hours in a zone that is passed in."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from reaper.domain.judgement.policy import Hours

#: Days after which even the longest break is over.
_LONGEST_BREAK: Final = 31

#: O'clock at which people have begun to work in the morning.
_MORNING: Final = 10.0


def working(hours: Hours, now: float, zone: tzinfo) -> bool:
    """Tell whether an instant lies in working hours, by the clock on that wall."""
    local = datetime.fromtimestamp(now, tz=UTC).astimezone(zone)
    return _workday(hours, local.date()) and hours.begin <= _oclock(local) < hours.end


def next_opening(hours: Hours, now: float, zone: tzinfo) -> float:
    """Return when working hours begin next, `now` while they last."""
    if working(hours, now, zone):
        return now
    local = datetime.fromtimestamp(now, tz=UTC).astimezone(zone)
    for days in range(_LONGEST_BREAK):
        day = (local + timedelta(days=days)).date()
        opening = datetime(day.year, day.month, day.day, tzinfo=zone)
        opening += timedelta(hours=hours.begin)
        if opening.timestamp() > now and _workday(hours, day):
            return opening.timestamp()
    return now + _LONGEST_BREAK * 86400.0


def next_morning(hours: Hours, now: float, zone: tzinfo) -> float:
    """
    Return ten o'clock of the next working day, or when work begins if that is later.

    Before work begins on a working day, the next working day is that day.
    """
    local = datetime.fromtimestamp(now, tz=UTC).astimezone(zone)
    oclock = max(_MORNING, hours.begin)
    for days in range(0 if _oclock(local) < hours.begin else 1, _LONGEST_BREAK):
        day = (local + timedelta(days=days)).date()
        if _workday(hours, day):
            morning = datetime(day.year, day.month, day.day, tzinfo=zone)
            return (morning + timedelta(hours=oclock)).timestamp()
    return now + _LONGEST_BREAK * 86400.0


def working_days(hours: Hours, begin: float, end: float, zone: tzinfo) -> int:
    """Return how many working days lie after the day of `begin`, up to the day of `end`."""
    first, last = (
        datetime.fromtimestamp(at, tz=UTC).astimezone(zone).date() for at in (begin, end)
    )
    days = range(1, min((last - first).days, _LONGEST_BREAK) + 1)
    return sum(1 for number in days if _workday(hours, first + timedelta(days=number)))


def _workday(hours: Hours, day: date) -> bool:
    return day.weekday() in hours.weekdays and day.isoformat() not in hours.holidays


def _oclock(local: datetime) -> float:
    return local.hour + local.minute / 60 + local.second / 3600
