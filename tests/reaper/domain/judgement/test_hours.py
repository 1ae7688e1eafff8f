"""The next morning, and working days, by the clock on a wall."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.judgement.hours import next_morning, opening_after, timely
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
    ("begin", "opening"),
    [
        ("2026-03-09T18:00", "2026-03-12T09:00"),
        ("2026-03-12T08:00", "2026-03-17T09:00"),
        ("2026-03-14T12:00", "2026-03-18T09:00"),
    ],
    ids=["three nights", "over a weekend", "from a weekend"],
)
def test_working_days_are_counted_after_the_day_it_began(begin: str, opening: str) -> None:
    assert opening_after(Hours(), at(begin), 3, BERLIN) == at(opening)


def test_working_days_that_never_come_are_not_awaited_for_ever() -> None:
    assert opening_after(Hours(weekdays=()), 0.0, 3, BERLIN) == 31 * 86400.0


@pytest.mark.parametrize(
    ("now", "grace", "begins"),
    [
        pytest.param(
            "2026-03-02T10:00",
            12,
            "2026-03-02T21:30",
            id="over night, as no working hours hold both",
        ),
        pytest.param(
            "2026-03-02T10:00", 16, "2026-03-02T17:30", id="in the afternoon, to end in the morning"
        ),
        pytest.param("2026-03-02T10:00", 24, "2026-03-02T10:00", id="now"),
        pytest.param(
            "2026-03-06T10:00", 24, "2026-03-09T09:30", id="on Monday rather than through a weekend"
        ),
        pytest.param(
            "2026-03-06T10:00",
            72,
            "2026-03-06T10:00",
            id="through a weekend, where it ends after it",
        ),
    ],
)
def test_a_long_grace_begins_so_that_it_ends_in_working_hours(
    now: str, grace: float, begins: str
) -> None:
    assert timely(Hours(), at(now), BERLIN, grace=grace * 3600.0, lead=1800.0) == at(begins)
