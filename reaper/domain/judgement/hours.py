"""Working hours in a zone that is passed in."""

from datetime import UTC, datetime, timedelta, tzinfo

from reaper.domain.judgement.policy import Hours


def working(hours: Hours, now: float, zone: tzinfo) -> bool:
    """Tell whether an instant lies in working hours, by the clock on that wall."""
    local = datetime.fromtimestamp(now, tz=UTC).astimezone(zone)
    return local.weekday() in hours.weekdays and hours.begin <= _oclock(local) < hours.end


def next_opening(hours: Hours, now: float, zone: tzinfo) -> float:
    """Return when working hours begin next, `now` while they last."""
    if working(hours, now, zone):
        return now
    local = datetime.fromtimestamp(now, tz=UTC).astimezone(zone)
    for days in range(8):
        day = (local + timedelta(days=days)).date()
        opening = datetime(day.year, day.month, day.day, tzinfo=zone)
        opening += timedelta(hours=hours.begin)
        if opening.timestamp() > now and day.weekday() in hours.weekdays:
            return opening.timestamp()
    return now + 8 * 86400.0


def _oclock(local: datetime) -> float:
    return local.hour + local.minute / 60 + local.second / 3600
