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


def opening_after(hours: Hours, at: float, days: int, zone: tzinfo) -> float:
    """Return when work begins on so many working days after the day of an instant."""
    local = datetime.fromtimestamp(at, tz=UTC).astimezone(zone)
    for number in range(1, _LONGEST_BREAK + days):
        day = (local + timedelta(days=number)).date()
        days -= _workday(hours, day)
        if not days:
            opening = datetime(day.year, day.month, day.day, tzinfo=zone)
            return (opening + timedelta(hours=hours.begin)).timestamp()
    return at + _LONGEST_BREAK * 86400.0


def _workday(hours: Hours, day: date) -> bool:
    return day.weekday() in hours.weekdays and day.isoformat() not in hours.holidays


def _oclock(local: datetime) -> float:
    return local.hour + local.minute / 60 + local.second / 3600
