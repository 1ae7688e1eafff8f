"""The report of a week is read from the books with all the margins its figures need."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Event
from reaper.domain.money.ledger import Ledger, Terms
from tests.books import (
    GPUS,
    HOUR,
    MIDNIGHT,
    MINUTE,
    TEN,
    priced,
    room,
    tenure_of,
    track_of,
    worked_example,
    worked_terms,
)
from tests.reports import reported

WEEK = (MIDNIGHT - 7 * 24 * HOUR, MIDNIGHT)
TERMS = worked_terms(HOUR)


def hours(seconds: float) -> float:
    return round(seconds / HOUR, 3)


def small(letters: str, **fields: object) -> Ledger:
    """One job on one device since TEN, with its letters."""
    return Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None, **fields),),
        tracks={"GPU-0": track_of(TEN, letters)},
        capacity=(room(1, TEN),),
    )


async def test_the_worked_example_survives_the_store():
    report = await reported(worked_example(), TERMS, now=MIDNIGHT + HOUR, span=WEEK)

    assert hours(report.total.calendar) == 112
    assert hours(report.total.wasted) == 62.333
    assert hours(report.total.reclaimed) == 32
    assert hours(report.total.reused) == 12
    assert abs(report.difference) < 1e-3


async def test_the_week_after_a_release_still_books_what_came_back():
    after = (MIDNIGHT, MIDNIGHT + 7 * 24 * HOUR)
    report = await reported(worked_example(), TERMS, now=after[1], span=after)

    assert hours(report.total.reclaimed) == 80


async def test_without_a_span_the_week_so_far_is_told():
    report = await reported(small("H" * 90), Terms(), now=TEN + 90 * MINUTE)

    assert (report.week, report.whole) == ("2026-W10", False)
    assert (report.accounts.begin, report.accounts.end) == (TEN, TEN + 90 * MINUTE)


async def test_a_week_that_is_over_is_whole():
    report = await reported(worked_example(), TERMS, now=MIDNIGHT, span=WEEK)

    assert (report.week, report.whole) == ("2026-W10", True)


async def test_the_week_is_that_of_the_zone():
    report = await reported(
        small("H" * 60), Terms(), now=TEN + HOUR / 2, zone=ZoneInfo("Pacific/Auckland")
    )

    assert report.week == "2026-W10"
    assert report.asked[0] == TEN - (6 * 24 + 23) * HOUR


async def test_hours_before_the_first_inventory_are_not_in_the_books():
    long_ago = replace(small("H" * 60), tenures=(tenure_of("1", "GPU-0", TEN - 9 * HOUR, None),))
    report = await reported(long_ago, Terms(), now=TEN + HOUR)

    assert hours(report.total.calendar) == 1
    assert report.accounts.findings == ()


async def test_the_minutes_that_always_lag_are_no_blindness():
    report = await reported(small("H" * 60), Terms(), now=TEN + HOUR + 100)

    assert report.total.unknown == 0
    assert report.accounts.end == TEN + HOUR


async def test_a_longer_silence_is_blindness():
    report = await reported(small("H" * 60), Terms(), now=TEN + 2 * HOUR)

    assert report.total.unknown == HOUR - 3 * MINUTE


async def test_a_stretch_from_last_week_is_judged_whole():
    before = 40
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", MIDNIGHT - 90 * MINUTE, None),),
        tracks={"GPU-0": track_of(MIDNIGHT - before * MINUTE, "H" * (before + 30))},
        capacity=(room(1, MIDNIGHT - 90 * MINUTE),),
    )
    report = await reported(ledger, Terms(), now=MIDNIGHT + 30 * MINUTE)

    assert hours(report.total.wasted) == 0.5


async def test_an_avoidable_week_began_before_it():
    ledger = replace(
        small("H" * 900), events=(Event(at=TEN + HOUR, kind="would release", run_key="1+0"),)
    )
    report = await reported(ledger, Terms(), now=MIDNIGHT + HOUR, span=(MIDNIGHT, MIDNIGHT + HOUR))

    assert hours(report.total.avoidable) == 1


@pytest.mark.parametrize(
    ("letters", "price", "at_least"),
    [
        pytest.param("H" * 80 + "?" * 20, "2", False, id="well seen and priced"),
        pytest.param("H" * 79 + "?" * 20 + "H", "2", False, id="eighty per cent is enough"),
        pytest.param("H" * 40 + "?" * 20 + "H" * 19, "2", True, id="seen too little"),
        pytest.param("H" * 80, None, True, id="unpriced"),
    ],
)
async def test_money_is_a_lower_bound_where_much_is_unseen_or_unpriced(
    letters: str, price: str | None, at_least: bool
):
    terms = Terms(rates=priced(price)) if price else Terms()
    report = await reported(small(letters), terms, now=TEN + len(letters) * MINUTE)

    assert report.at_least is at_least


async def test_lines_begin_with_the_most_wasteful():
    ledger = Ledger(
        tenures=(
            tenure_of("1", "GPU-0", TEN, None, owner="mira"),
            tenure_of("2", "GPU-1", TEN, None, owner="otto", purpose=Purpose.INTERACTIVE),
        ),
        tracks={"GPU-0": track_of(TEN, "A" * 100), "GPU-1": track_of(TEN, "H" * 100)},
        capacity=(room(2, TEN),),
    )
    report = await reported(ledger, Terms(), now=TEN + 100 * MINUTE)

    assert [line.name for line in report.by("owner")] == ["otto", "mira"]
    assert [line.name for line in report.by("purpose")] == ["interactive", "training"]
    assert [run.key.owner for run in report.top] == ["otto"]


async def test_events_are_counted_and_the_routine_is_left_out():
    events = tuple(
        Event(at=TEN + second, kind=kind, run_key="1+0", text=kind)
        for second, kind in enumerate(("run began", "keep", "would release", "keep"))
    )
    report = await reported(replace(small("H" * 60), events=events), Terms(), now=TEN + HOUR)

    assert dict(report.actions) == {"keep": 2, "would release": 1}
    assert [event.kind for event in report.latest] == ["keep", "would release", "keep"]


async def test_empty_books_give_an_empty_report():
    report = await reported(Ledger(), Terms(), now=TEN)

    assert (report.total.calendar, report.total.coverage, report.by("owner")) == (0, None, ())


async def test_a_faster_pace_counts_its_own_minutes():
    pace = Pace(step=1.0, startup=20.0)
    letters = "A" * 10 + "H" * 90
    ledger = replace(small(""), tracks={"GPU-0": Track(start=int(TEN), letters=letters)})
    report = await reported(ledger, Terms(pace=pace), now=TEN + 100)

    assert (report.total.active, report.total.idle) == (10, 90)


async def test_devices_are_named_in_the_books_by_their_uuid():
    report = await reported(worked_example(), TERMS, now=MIDNIGHT, span=WEEK)

    assert report.top[0].devices == len(GPUS)
