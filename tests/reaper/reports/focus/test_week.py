"""The rows of a whole week add up to its report, and break no rule."""

import csv
from io import StringIO

import pytest

from reaper.reports.focus.charge import charges
from reaper.reports.focus.columns import VERSIONS, columns
from reaper.reports.focus.page import render
from reaper.reports.focus.rules import problems
from reaper.reports.past import of_week
from tests import report_gallery as gallery
from tests.books import HOUR

WEEK = (gallery.WEEK.begin, gallery.WEEK.end)


async def table(version: str = "1.2"):
    """Give the rows of the gallery's week, and its report."""
    store = await gallery.store(weeks=0)
    async with store.reading() as books:
        found = await charges(books, gallery.context(), WEEK, now=gallery.NOW)
        report = await of_week(books, gallery.context(), str(gallery.WEEK), now=gallery.NOW)
    text = render(found, gallery.context(), version=version)
    return list(csv.DictReader(StringIO(text))), report


@pytest.mark.parametrize("version", VERSIONS)
async def test_no_rule_is_broken(version: str):
    rows, _ = await table(version)

    assert problems(columns(version), rows, version=version) == []


async def test_hours_and_costs_are_those_of_the_report():
    rows, report = await table()
    total = report.total

    def quantity(state: str) -> float:
        return sum(float(row["PricingQuantity"]) for row in rows if row["x_GpuState"] == state)

    for state in ("active", "low", "idle", "startup", "unknown"):
        assert quantity(state) == pytest.approx(getattr(total, state) / HOUR, abs=1e-4), state
    cost = sum(float(row["EffectiveCost"] or 0) for row in rows)
    assert cost == pytest.approx(float(total.costs.allocated.of("EUR")), abs=0.01)
    wasted = sum(float(row["x_WastedQuantity"]) for row in rows)
    assert wasted == pytest.approx(total.wasted / HOUR, abs=1e-4)
    bare = sum(float(row["PricingQuantity"]) for row in rows if row["x_Unpriced"] == "true")
    assert bare == pytest.approx(total.unpriced / HOUR, abs=1e-4)
