"""Working hours, the next morning and working days, by the clock on a wall."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.judgement.hours import next_morning, working_days
from reaper.domain.judgement.policy import Hours

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp()


@pytest.mark.parametrize(
    ("now", "morning"),
    [
        ("2026-03-09T17:30", "2026-03-10T10:00"),
        ("2026-03-10T02:00", "2026-03-10T10:00"),
        ("2026-03-10T09:30", "2026-03-11T10:00"),
        ("2026-03-13T19:00", "2026-03-16T10:00"),
        ("2026-03-14T12:00", "2026-03-16T10:00"),
        ("2026-03-28T12:00", "2026-03-30T10:00"),
    ],
    ids=["evening", "night", "at work", "Friday", "weekend", "over the change of the clocks"],
)
def test_the_next_morning_is_ten_oclock_of_the_next_working_day(now: str, morning: str) -> None:
    assert next_morning(Hours(), at(now), BERLIN) == at(morning)


def test_a_holiday_is_no_working_day() -> None:
    hours = Hours(holidays=("2026-03-10", "2026-03-11"))

    assert next_morning(hours, at("2026-03-09T17:30"), BERLIN) == at("2026-03-12T10:00")


def test_who_begins_later_is_awaited_later() -> None:
    assert next_morning(Hours(begin=12.5), at("2026-03-09T18:00"), BERLIN) == at("2026-03-10T12:30")


def test_where_nobody_ever_works_it_still_ends() -> None:
    assert next_morning(Hours(weekdays=()), 0.0, BERLIN) == 31 * 86400.0


@pytest.mark.parametrize(
    ("begin", "end", "days"),
    [
        ("2026-03-09T09:00", "2026-03-09T18:00", 0),
        ("2026-03-09T18:00", "2026-03-12T08:00", 3),
        ("2026-03-12T18:00", "2026-03-16T08:00", 2),
        ("2026-03-14T08:00", "2026-03-15T08:00", 0),
    ],
    ids=["the same day", "three nights", "over a weekend", "within a weekend"],
)
def test_working_days_are_counted_after_the_day_it_began(begin: str, end: str, days: int) -> None:
    assert working_days(Hours(), at(begin), at(end), BERLIN) == days


def test_working_days_of_years_are_not_counted_for_ever() -> None:
    assert working_days(Hours(), 0.0, 1e10, BERLIN) <= 31
