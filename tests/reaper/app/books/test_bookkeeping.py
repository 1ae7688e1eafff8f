"""Weeks are closed once, late enough, caught up after an outage, and restated when news came."""

from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from reaper.app.books.bookkeeping import Bookkeeper
from reaper.domain.money.calendar import Week
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.money.waste import Waits
from reaper.edge.clock import JumpingClock
from reaper.ports import LostLeadershipError
from reaper.store.memory import MemoryStore
from tests.books import HOUR, priced, room, tenure_of, track_of
from tests.reports import context, stored

WEEK = Week(year=2026, number=10, zone=UTC)
DAY = 24 * HOUR
AFTER = 8 * HOUR


def ledger(weeks: int = 1) -> Ledger:
    """One GPU that is idle from the last day of a week on, known for so many weeks before."""
    begin = WEEK.end - DAY
    return Ledger(
        tenures=(tenure_of("1", "GPU-0", begin, None),),
        tracks={"GPU-0": track_of(begin, "H" * 1440)},
        capacity=(room(1, WEEK.end - weeks * 7 * DAY),),
    )


def keeper(store: MemoryStore, now: float, terms: Terms | None = None, **fields) -> Bookkeeper:
    return Bookkeeper(
        store=store,
        clock=JumpingClock(at=now),
        epoch=1,
        context=context(terms or Terms(), **fields),
        after=AFTER,
    )


async def names(books: Bookkeeper) -> list[str]:
    return [one.closing.name for one in await books.turn()]


@pytest.fixture
async def store() -> MemoryStore:
    return await stored(ledger(), Terms())


async def test_a_week_is_not_closed_before_its_time(store):
    assert await names(keeper(store, WEEK.end + AFTER - 1)) == []


async def test_a_week_is_closed_in_time(store):
    assert await names(keeper(store, WEEK.end + AFTER)) == ["2026-W10 v1"]


async def test_a_threshold_longer_than_that_makes_it_later(store):
    terms = Terms(waits=Waits(by_purpose={}, otherwise=12 * HOUR))
    late = 12 * HOUR + terms.pace.startup + terms.pace.fresh

    assert await names(keeper(store, WEEK.end + late - 1, terms)) == []
    assert await names(keeper(store, WEEK.end + late, terms)) == ["2026-W10 v1"]


async def test_a_week_is_closed_once(store):
    books = keeper(store, WEEK.end + AFTER)
    await books.turn()

    assert await names(books) == []
    assert await names(keeper(store, WEEK.end + AFTER + HOUR)) == []


async def test_weeks_of_an_outage_are_caught_up_in_order():
    store = await stored(ledger(weeks=3), Terms())

    found = await names(keeper(store, WEEK.end + AFTER))

    assert found == ["2026-W08 v1", "2026-W09 v1", "2026-W10 v1"]


async def test_no_week_before_the_books_is_closed():
    store = await stored(ledger(weeks=2), Terms())

    assert (await names(keeper(store, WEEK.end + AFTER)))[0] == "2026-W09 v1"


async def test_what_came_late_restates_the_weeks_before(store):
    await keeper(store, WEEK.end + AFTER).turn()
    late = tenure_of("2", "GPU-1", WEEK.begin, WEEK.begin + HOUR, node="node2")
    async with store.transaction(1) as books:
        await books.keep_tenures([late])
        await books.keep_capacity([replace(room(1, WEEK.begin), node="node2")])

    found = await names(keeper(store, WEEK.end + 7 * DAY + AFTER))

    assert found == ["2026-W10 v2", "2026-W11 v1"]


async def test_a_week_without_news_is_not_restated(store):
    await keeper(store, WEEK.end + AFTER).turn()

    assert await names(keeper(store, WEEK.end + 7 * DAY + AFTER)) == ["2026-W11 v1"]


async def test_other_prices_restate_a_week(store):
    await keeper(store, WEEK.end + AFTER).turn()

    found = await names(keeper(store, WEEK.end + 7 * DAY + AFTER, Terms(rates=priced("2"))))

    assert found == ["2026-W10 v2", "2026-W11 v1"]


async def test_a_week_older_than_four_stays_as_it_was(store):
    await keeper(store, WEEK.end + AFTER).turn()
    for later in range(1, 5):
        await keeper(store, WEEK.end + later * 7 * DAY + AFTER).turn()

    found = await names(keeper(store, WEEK.end + 5 * 7 * DAY + AFTER, Terms(rates=priced("2"))))

    assert "2026-W10 v2" not in found
    assert found == ["2026-W11 v2", "2026-W12 v2", "2026-W13 v2", "2026-W14 v2", "2026-W15 v1"]


@pytest.mark.parametrize(
    ("zone", "year", "number", "hours"),
    [
        ("Europe/Berlin", 2026, 13, 167),
        ("Europe/Berlin", 2026, 43, 169),
        ("America/New_York", 2026, 10, 167),
        ("America/New_York", 2026, 44, 169),
        ("Australia/Lord_Howe", 2026, 14, 168.5),
        ("Australia/Lord_Howe", 2026, 40, 167.5),
    ],
)
async def test_a_week_in_which_the_clocks_change_has_its_real_hours(zone, year, number, hours):
    week = Week(year=year, number=number, zone=ZoneInfo(zone))
    store = await stored(Ledger(capacity=(room(1, week.begin),)), Terms())

    (found,) = await keeper(store, week.end + AFTER, zone=ZoneInfo(zone)).turn()

    assert found.closing.week == str(week)
    assert found.closing.total.calendar == hours * HOUR
    assert found.closing.total.states == found.closing.total.calendar


async def test_what_failed_is_tried_again_a_little_later(store):
    books = keeper(store, WEEK.end + AFTER)
    books.epoch = 7
    with pytest.raises(LostLeadershipError):
        await books.turn()
    books.epoch = 1

    assert await names(books) == [], "not at once"
    books.clock.jump(WEEK.end + AFTER + 900)
    assert await names(books) == ["2026-W10 v1"]


async def test_closing_needs_the_lead(store):
    await store.lead("another", 2.0)
    books = keeper(store, WEEK.end + AFTER)

    with pytest.raises(LostLeadershipError, match="epoch 1 is over"):
        await books.turn()
