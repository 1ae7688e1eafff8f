"""Working hours in a zone that is passed in."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from reaper.domain.judgement.policy import Hours

#: Days after which even the longest break is over.
_LONGEST_BREAK: Final = 31


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


def _workday(hours: Hours, day: date) -> bool:
    return day.weekday() in hours.weekdays and day.isoformat() not in hours.holidays


def _oclock(local: datetime) -> float:
    return local.hour + local.minute / 60 + local.second / 3600
