"""A week that is closed is held against the books of the platform; a report says what differs."""

from dataclasses import replace
from datetime import UTC

from reaper.app.books.bookkeeping import Bookkeeper
from reaper.app.past.reconciling import Comparer
from reaper.domain.audit.jobs import RecordedJob, Records
from reaper.domain.audit.reconciliation import RECONCILED
from reaper.domain.money.calendar import Week
from reaper.domain.money.findings import Compared
from reaper.domain.money.ledger import Ledger, Terms
from reaper.edge.clock import JumpingClock
from reaper.ports import SourceError
from reaper.reports import json_page, quality, text_page
from reaper.reports.past import told
from tests.books import HOUR, room, tenure_of, track_of
from tests.reports import context, stored

WEEK = Week(year=2026, number=10, zone=UTC)
BEGIN = WEEK.begin + 10 * HOUR


def books_of(hours: float):
    """Give the reader of a platform that counts a job of one GPU with so many hours."""

    async def recorded(begin: float, end: float) -> Records:
        job = RecordedJob(
            id="1",
            began=BEGIN,
            ended=BEGIN + hours * HOUR,
            seconds=hours * HOUR,
            devices=1,
        )
        return Records(source="sacct", form="sacct text", jobs=(job,))

    return recorded


async def silent(begin: float, end: float) -> Records:
    raise SourceError("slurm: sacct: Slurm accounting storage is disabled; start slurmdbd")


async def closed_with(recorded):
    """Close the week of one job of a hundred hours beside a platform's books."""
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", BEGIN, BEGIN + 100 * HOUR),),
        tracks={"GPU-0": track_of(BEGIN, "A" * 6000)},
        capacity=(room(1, WEEK.begin),),
    )
    store = await stored(ledger, Terms())
    comparer = Comparer(store=store, source="slurm", recorded=recorded, zone="UTC")
    keeper = Bookkeeper(
        store=store,
        clock=JumpingClock(at=WEEK.end + 8 * HOUR),
        epoch=1,
        context=context(Terms()),
        after=8 * HOUR,
        comparer=comparer,
    )
    (week,) = await keeper.turn()
    async with store.reading() as books:
        assert await books.closed_week("UTC", str(WEEK)) == week
    return week


async def test_books_that_agree_are_said_to_and_are_no_finding():
    week = await closed_with(books_of(99))
    report = told(week, context(Terms()))

    assert week.findings == ()
    assert (
        "Reconciled with the books of slurm: 100.0 GPU-h here, 99.0 there, "
        "a difference of +1.01 %." in tuple(quality.lines(report))
    )


async def test_books_that_differ_by_more_than_two_per_cent_are_the_first_finding():
    week = await closed_with(books_of(90))

    assert week.findings[0].kind == RECONCILED
    assert week.compared == Compared(source="slurm", ours=100 * HOUR, theirs=90 * HOUR)
    said = " ".join(quality.lines(told(week, context(Terms()))))
    assert "we count 100.0 GPU-h, the scheduler 90.0, +11.1 % (10.0 GPU-h)" in said


async def test_books_that_cannot_be_read_keep_no_week_open_and_are_named():
    week = await closed_with(silent)

    assert week.findings == ()
    said = " ".join(quality.lines(told(week, context(Terms()))))
    assert "Not reconciled with slurm: slurm: sacct: Slurm accounting storage is disabled" in said


async def test_every_form_for_operators_tells_the_difference():
    report = told(await closed_with(books_of(90)), context(Terms()))

    assert '"difference": 0.111111' in json_page.render(report)
    assert "+11.11 %" in text_page.render(report)


async def test_an_extract_of_a_team_says_nothing_of_the_whole():
    from reaper.reports.audience import extract

    report = told(await closed_with(books_of(90)), context(Terms()))

    assert extract(report, "vision").compared is None
    assert replace(report, compared=None) != report
