"""What every store owes closed weeks: heads of every version, the newest figures, handovers."""

from dataclasses import replace
from decimal import Decimal

import pytest

from reaper.domain.facts.allocation import Run
from reaper.domain.money.amounts import Amounts
from reaper.domain.money.closing import Closed, Closing, Handover
from reaper.domain.money.conduct import Conduct, Demanded, Outcome
from reaper.domain.money.figures import Costs, Figures, Key
from reaper.domain.money.findings import Finding
from reaper.domain.money.ledger import Cut, RunFigures, Tail
from reaper.store.sql import closings
from tests import stored

WEEK = 7 * 86400.0
MIRA = Key(cluster="alpha", owner="mira", team="vision", purpose="training", model="A100")
FREE = Key(cluster="alpha", model="A100", site="north")


def costly(amount: str, idle: float) -> Figures:
    return Figures(
        idle=idle,
        costs=Costs(wasted=Amounts(by_currency={"EUR": Decimal(amount), "USD": Decimal(1)})),
    )


def closed(number: int, version: int = 1, *, zone: str = "UTC", idle: float = 5.5) -> Closed:
    """Give an invented week."""
    begin = number * WEEK
    figures = {
        FREE: Figures(calendar=9.0, unallocated=3.5),
        MIRA: costly("1.2345678901234567", idle),
    }
    run = Run(cluster="alpha", platform="slurm", id=stored.ODD, key="41+0", started=3.0)
    return Closed(
        closing=Closing(
            week=f"2026-W{number:02}",
            zone=zone,
            version=version,
            begin=begin,
            end=begin + WEEK,
            asked=(begin, begin + WEEK),
            as_of=begin + 2 * WEEK,
            total=figures[FREE] + figures[MIRA],
            terms="t1",
            rates="r1",
            policies=("notebooks v1 (act)",),
        ),
        figures=figures,
        runs=(
            RunFigures(
                run=run, key=MIRA, devices=2, nodes=("n1",), begin=1.0, end=None, longest=3.0,
                figures=figures[MIRA],
            ),
        ),
        findings=(Finding(kind="overlap", subject="GPU-0", seconds=1.5, text="twice"),),
        tails=(
            Tail(
                purpose="training", partition="gpu", runs=3, idle_runs=1, windows=((1800.0, 5.0),),
                limits=(Cut(limit=3600.0, returned=1.0, ended=1, working=0),),
            ),
        ),
        conduct=Conduct(
            actions={"warning": 2}, warned=1, idle_before_release=None,
            outcomes={"41+0": Outcome(warned=1, text="released")},
            demand=Demanded(asked=1.5, share=0.25, peak=4),
        ),
    )  # fmt: skip


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
