"""Every page shows the same figures, and rows add up to totals."""

import csv
import json
from io import StringIO

import pytest

from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.prices.amounts import Amounts
from reaper.reports.pages import PAGES
from reaper.reports.week import WeekReport
from reaper.reports.words import clean, hours, money_range, percent
from tests.books import (
    HOUR,
    MIDNIGHT,
    TEN,
    room,
    tenure_of,
    track_of,
    worked_example,
    worked_terms,
)
from tests.reports import reported


@pytest.fixture
async def report() -> WeekReport:
    """The worked example, whole."""
    return await reported(
        worked_example(), worked_terms(HOUR), now=MIDNIGHT, span=(TEN - 10 * HOUR, MIDNIGHT)
    )


def rows(report: WeekReport) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(PAGES["csv"](report))))


async def test_csv_rows_add_up_to_the_calendar(report: WeekReport):
    states = (name for name, _ in report.identity)
    total = sum(float(row[f"{name}_gpu_hours"]) for name in states for row in rows(report))

    assert total == pytest.approx(112)
    assert sum(float(row["calendar_gpu_hours"]) for row in rows(report)) == 112


async def test_csv_money_adds_up_to_the_range(report: WeekReport):
    low = sum(float(row["wasted_EUR"] or 0) for row in rows(report))
    high = sum(float(row["high_EUR"] or 0) for row in rows(report))

    assert (round(low, 2), round(high, 2)) == (155.83, 165.83)


async def test_json_says_what_the_text_says(report: WeekReport):
    values, text = json.loads(PAGES["json"](report)), PAGES["text"](report)

    assert values["total"]["wasted"] == pytest.approx(62.333, abs=0.001)
    assert values["identity"]["sum"] == values["identity"]["calendar"] == 112
    assert values["total"]["costs"]["wasted"]["EUR"] == pytest.approx(155.83, abs=0.01)
    assert "Wasted 62.3 of 92.0 held GPU-h (68 %) = 155.83–165.83 EUR" in text


async def test_a_name_that_a_spreadsheet_would_compute_is_quoted():
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None, owner="=1+1", team="-x"),),
        tracks={"GPU-0": track_of(TEN, "H" * 60)},
        capacity=(room(1, TEN),),
    )
    report = await reported(ledger, Terms(), now=TEN + HOUR)

    held = next(row for row in rows(report) if row["owner"])
    assert (held["owner"], held["team"]) == ("'=1+1", "'-x")
    assert held["unpriced_gpu_hours"] == "1.000000"


@pytest.mark.parametrize(
    ("ratio", "written"),
    [(None, "–"), (0, "0 %"), (0.001, "< 1 %"), (0.78, "78 %"), (0.999, "> 99 %"), (1, "100 %")],
)
def test_a_percentage_is_never_rounded_to_nothing_or_all(ratio: float | None, written: str):
    assert percent(ratio) == written


def test_hours_have_no_minus_zero():
    assert hours(-0.1) == "0.0"


def test_money_without_a_price_is_a_dash():
    assert money_range(Amounts(), Amounts()) == "–"


def test_a_name_stays_on_its_line():
    assert clean("a\nb\x1b[0m") == "a�b�[0m"
