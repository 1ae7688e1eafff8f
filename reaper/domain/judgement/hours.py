"""Working hours in a zone that is passed in."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from math import inf
from typing import Final

from reaper.domain.judgement.policy import Hours

#: Days after which even the longest break is over.
_LONGEST_BREAK: Final = 31

#: O'clock at which people have begun to work in the morning.
_MORNING: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """The working hours that last, or come next, and when those after them begin; Unix seconds."""

    begin: float
    end: float
    after: float

    def holds(self, at: float) -> bool:
        """Tell whether an instant lies in them."""
        return self.begin <= at < self.end


#: Hours that never end, and hours of which nothing is known.
ALWAYS: Final = Shift(begin=-inf, end=inf, after=inf)
NEVER: Final = Shift(begin=inf, end=inf, after=inf)


def shift(hours: Hours, now: float, zone: tzinfo) -> Shift:
    """Return the working hours that last at `now`, or come next."""
    lasts = working(hours, now, zone)
    begin = _at(hours.begin, _day(now, zone), zone) if lasts else next_opening(hours, now, zone)
    end = _at(hours.end, _day(begin, zone), zone)
    return Shift(begin=begin, end=end, after=next_opening(hours, end, zone))


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
        opening = _at(hours.begin, day, zone)
        if opening > now and _workday(hours, day):
            return opening
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
            return _at(oclock, day, zone)
    return now + _LONGEST_BREAK * 86400.0


def opening_after(hours: Hours, at: float, days: int, zone: tzinfo) -> float:
    """Return when work begins on so many working days after the day of an instant."""
    local = datetime.fromtimestamp(at, tz=UTC).astimezone(zone)
    for number in range(1, _LONGEST_BREAK + days):
        day = (local + timedelta(days=number)).date()
        days -= _workday(hours, day)
        if not days:
            return _at(hours.begin, day, zone)
    return at + _LONGEST_BREAK * 86400.0


def timely(hours: Hours, now: float, zone: tzinfo, *, grace: float, lead: float) -> float:
    """
    Return from when on a grace (seconds) ends in working hours, `lead` after they began or later.

    It begins in working hours too, where any of the next weeks have such a pair.
    """
    days = [_day(now, zone) + timedelta(days=number) for number in range(_LONGEST_BREAK)]
    shifts = [
        (_at(hours.begin, day, zone), _at(hours.end, day, zone))
        for day in days
        if _workday(hours, day)
    ]
    begins = [
        (max(now, begin + lead - grace), end - grace)
        for begin, end in shifts
        if end - grace > now and begin + lead < end
    ]
    inside = (
        max(first, begin)
        for first, last in begins
        for begin, end in shifts
        if max(first, begin) < min(last, end)
    )
    return min(inside, default=min((first for first, _ in begins), default=now))


def _day(at: float, zone: tzinfo) -> date:
    return datetime.fromtimestamp(at, tz=UTC).astimezone(zone).date()


def _at(oclock: float, day: date, zone: tzinfo) -> float:
    """Return when a clock on that wall shows so many hours on a day; Unix seconds."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    return (midnight + timedelta(hours=oclock)).timestamp()


def _workday(hours: Hours, day: date) -> bool:
    return day.weekday() in hours.weekdays and day.isoformat() not in hours.holidays


def _oclock(local: datetime) -> float:
    return local.hour + local.minute / 60 + local.second / 3600
