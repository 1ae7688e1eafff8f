"""Weeks are ISO weeks of a zone with their real length."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.money.calendar import Week, week_named, week_of
from tests.books import HOUR, at

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("zone", "week", "hours"),
    [
        pytest.param("Europe/Berlin", "2026-W13", 167, id="Berlin springs forward"),
        pytest.param("Europe/Berlin", "2026-W43", 169, id="Berlin falls back"),
        pytest.param("America/New_York", "2026-W10", 167, id="New York springs forward"),
        pytest.param("America/New_York", "2026-W44", 169, id="New York falls back"),
        pytest.param("Australia/Lord_Howe", "2026-W40", 167.5, id="Lord Howe moves half an hour"),
        pytest.param("Australia/Lord_Howe", "2026-W14", 168.5, id="and half an hour back"),
        pytest.param("Europe/Berlin", "2026-W20", 168, id="other weeks are plain"),
    ],
)
def test_a_week_has_its_real_length(zone: str, week: str, hours: float):
    found = week_named(week, ZoneInfo(zone))

    assert found.hours == hours
    assert sum(end - begin for begin, end in found.days()) == hours * HOUR


def test_a_week_begins_at_midnight_of_its_zone():
    assert week_named("2026-W11", BERLIN).begin == at("2026-03-08 23:00")


def test_weeks_follow_each_other_without_a_gap():
    week = week_named("2026-W53", BERLIN)

    assert str(week.shifted(1)) == "2027-W01"
    assert week.end == week.shifted(1).begin
    assert week.shifted(1).shifted(-1) == week


def test_a_week_is_half_open():
    week = week_named("2026-W11", UTC)

    assert week_of(week.begin, UTC) == week
    assert week_of(week.end, UTC) == week.shifted(1)
    assert week_of(week.end - 1, UTC) == week


def test_an_instant_lies_in_the_week_of_the_zone():
    late_sunday = at("2026-03-08 23:30")

    assert str(week_of(late_sunday, UTC)) == "2026-W10"
    assert str(week_of(late_sunday, BERLIN)) == "2026-W11"


def test_the_first_days_of_a_year_may_belong_to_the_last():
    assert week_of(at("2027-01-02 12:00"), UTC) == Week(year=2026, number=53)


@pytest.mark.parametrize("text", ["2026-11", "2026-W54", "W11", "2026-W1", ""])
def test_what_is_no_week_is_refused(text: str):
    with pytest.raises(ValueError, match=r"week"):
        week_named(text, UTC)
