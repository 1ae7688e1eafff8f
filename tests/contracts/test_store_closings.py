"""What every store owes closed weeks: heads of every version, the newest figures, handovers."""

from dataclasses import replace

import pytest

from reaper.domain.money.closing import Closed, Handover
from reaper.domain.money.figures import Figures, Key
from reaper.store.sql.repositories import closings
from tests.closings import MIRA, WEEK, closed


async def keep(store, epoch: int, *weeks: Closed) -> None:
    async with store.transaction(epoch) as books:
        for week in weeks:
            await books.keep_closed(week)


async def fail(store, epoch: int, week: Closed) -> None:
    async with store.transaction(epoch) as books:
        await books.keep_closed(week)
        raise RuntimeError


async def test_a_week_is_nothing_before_it_was_closed(store):
    async with store.reading() as books:
        assert await books.closed_week("UTC", "2026-W09") is None
        assert await books.closings("UTC", 0.0, 1e12) == []


async def test_a_closed_week_comes_back_as_it_was(store, epoch):
    await keep(store, epoch, closed(9))

    async with store.reading() as books:
        assert closed(9) == await books.closed_week("UTC", "2026-W09")


async def test_figures_of_a_restatement_replace_those_before(store, epoch):
    gone = replace(MIRA, owner="otto")
    first = replace(closed(9), figures={**closed(9).figures, gone: Figures(idle=7.0)})
    await keep(store, epoch, first, closed(9, 2, idle=6.5))

    async with store.reading() as books:
        assert closed(9, 2, idle=6.5) == await books.closed_week("UTC", "2026-W09")


async def test_the_heads_of_every_version_stay(store, epoch):
    await keep(store, epoch, closed(10), closed(9), closed(9, 2, idle=6.5))

    async with store.reading() as books:
        heads = await books.closings("UTC", 9 * WEEK, 11 * WEEK)
    assert [head.name for head in heads] == ["2026-W09 v1", "2026-W09 v2", "2026-W10 v1"]
    assert [head.total.idle for head in heads] == [5.5, 6.5, 5.5]


async def test_weeks_are_found_by_their_begin_and_zone(store, epoch):
    await keep(store, epoch, closed(8), closed(9), closed(10), closed(9, zone="Europe/Berlin"))

    async with store.reading() as books:
        heads = await books.closings("UTC", 9 * WEEK, 10 * WEEK)
        other = await books.closed_week("Europe/Berlin", "2026-W09")
    assert [(head.week, head.zone) for head in heads] == [("2026-W09", "UTC")]
    assert other is not None
    assert other.closing.zone == "Europe/Berlin"


async def test_a_closing_that_fails_leaves_the_week_as_it_was(store, epoch):
    await keep(store, epoch, closed(9))
    with pytest.raises(RuntimeError):
        await fail(store, epoch, closed(9, 2, idle=6.5))

    async with store.reading() as books:
        assert closed(9) == await books.closed_week("UTC", "2026-W09")


async def test_a_report_is_handed_over_once_a_version_and_recipient(store, epoch):
    to = Handover(zone="UTC", week="2026-W09", version=1, recipient="folder /reports", at=5.0)
    other = replace(to, version=2)
    async with store.transaction(epoch) as books:
        for handover in (to, to, other, replace(to, week="2026-W10")):
            await books.keep_handover(handover)

    async with store.reading() as books:
        assert await books.handed_over("UTC", "2026-W09") == {to, other}


def test_every_field_of_a_key_is_a_column():
    names = {name.replace("purpose", "class").replace("cluster", "of") for name in Key.__slots__}

    assert names <= set(closings.FIGURES.c.keys())
