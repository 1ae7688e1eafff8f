"""A closed week is told from its figures, the same as from its tracks, beside the weeks before."""

from decimal import Decimal

import pytest

from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.prices.amounts import Amounts
from reaper.domain.prices.rates import Rate, RateCard
from reaper.reports.past import of_week
from reaper.reports.story import headline
from tests import report_gallery as gallery
from tests.books import HOUR, TEN, room, tenure_of, track_of
from tests.reports import reported, stored


async def told(name: str, *, now: float = gallery.NOW, weeks: int = 13):
    store = await gallery.store(weeks)
    async with store.reading() as books:
        return await of_week(books, gallery.context(), name, now=now)


async def test_a_closed_week_is_the_same_from_figures_and_from_tracks():
    closed = await told("2026-W10")
    open_store = await stored(gallery.ledger(), gallery.terms())
    async with open_store.reading() as books:
        made = await of_week(books, gallery.context(), "2026-W10", now=gallery.NOW)

    assert (closed.version, made.version) == (1, 0)
    assert closed.total == made.total
    assert closed.accounts.figures == made.accounts.figures
    assert closed.top == made.top
    assert closed.actions == made.actions


async def test_a_closed_week_needs_no_tracks():
    store = await gallery.store(weeks=1)
    async with store.transaction(2) as books:
        later = gallery.NOW + 900 * 24 * HOUR
        await books.prune(inputs_before=later, tracks_before=later)
    async with store.reading() as books:
        report = await of_week(books, gallery.context(), "2026-W10", now=gallery.NOW)

    assert report.total.active > 0


async def test_without_a_name_this_week_so_far_is_told():
    report = await told("", now=gallery.NOW)

    assert (report.week, report.whole, report.version) == ("2026-W11", False, 0)


async def test_the_trend_is_the_weeks_before_in_their_newest_versions():
    report = await told("2026-W10")

    assert len(report.trend) == 13
    assert [head.name for head in report.trend[-3:]] == [
        "2026-W07 v1",
        "2026-W08 v2",
        "2026-W09 v1",
    ]


async def test_restatements_are_told_with_their_differences():
    (one,) = (await told("2026-W10")).restated

    assert (one.week, one.version) == ("2026-W08", 2)
    assert one.deltas["wasted"] > 0


async def test_a_line_is_compared_with_that_of_the_week_before():
    report = await told("2026-W10")
    lines = report.accounts.by("team", "model")

    assert lines.keys() <= report.before.keys()
    assert (await told("2026-W10", weeks=0)).before == {}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("2026-10", "is no ISO week"),
        ("2026-W54", "2026-W54 is no week: the weeks of a year are 01 to 52 or 53"),
        ("2027-W01", "has not begun: name an earlier week, for example 2026-W10"),
    ],
)
async def test_what_is_no_week_is_refused(name: str, says: str):
    with pytest.raises(ValueError, match=says):
        await told(name)


async def test_a_price_change_and_two_currencies_in_one_week_stay_apart():
    report = await told("2026-W10")
    models = {line.name: line.figures for line in report.by("model")}

    def euros(amounts: Amounts) -> float:
        return float(amounts.of("EUR"))

    a100 = models["NVIDIA A100-SXM4-80GB"]
    hours = a100.allocated / HOUR
    assert 2.10 * hours < euros(a100.costs.allocated) < 2.30 * hours
    assert a100.unpriced == 0
    assert models["NVIDIA L40S"].unpriced == models["NVIDIA L40S"].allocated
    assert models["NVIDIA L40S"].costs.allocated == Amounts()
    assert report.at_least


async def test_a_currency_that_changes_in_a_week_is_summed_apart():
    middle = TEN + HOUR
    rates = RateCard(
        rates=(
            Rate(amount=Decimal(2), currency="EUR", end=middle),
            Rate(amount=Decimal(3), currency="USD", begin=middle),
        )
    )
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None),),
        tracks={"GPU-0": track_of(TEN, "H" * 180)},
        capacity=(room(1, TEN),),
    )
    report = await reported(ledger, Terms(rates=rates), now=TEN + 3 * HOUR)

    assert headline(report)[1] == "2.00 EUR + 6.00 USD"
    assert not report.at_least
