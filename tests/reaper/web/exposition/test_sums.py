"""The metrics and the report tell the same figures, to rounding."""

from collections.abc import Iterator
from dataclasses import fields

import pytest
from prometheus_client.parser import text_string_to_metric_families

from reaper.app.books.summing import Summing
from reaper.domain.money.figures import ALLOCATED, FREE, Costs, Figures, Key
from reaper.edge.clock import JumpingClock
from reaper.reports.past import of_week
from reaper.web.exposition.metrics import Scene, render
from reaper.web.exposition.sums import LINES, OTHERS, sums
from tests import report_gallery as gallery
from tests.books import HOUR
from tests.builders_picture import picture

Sample = tuple[dict[str, str], float]


@pytest.fixture
async def told():
    """The metrics page and the report of one closed week and the one after it so far."""
    store = await gallery.store(weeks=1)
    now = gallery.NOW + 20 * HOUR
    summing = Summing(store=store, clock=JumpingClock(at=now), context=gallery.context())
    await summing.turn()
    page = render(Scene(picture=picture(), now=now, version="1", weeks=summing.weeks()))
    async with store.reading() as books:
        week = await of_week(books, gallery.context(), "2026-W10", now=now)
        this = await of_week(books, gallery.context(), "", now=now)
    return page.decode(), {"last_week": week, "this_week": this}


def samples(page: str, name: str) -> Iterator[Sample]:
    for family in text_string_to_metric_families(page):
        for one in family.samples:
            if one.name == f"gpureaper_{name}":
                yield one.labels, one.value


def summed(page: str, name: str, **labels: str) -> float:
    return sum(value for found, value in samples(page, name) if labels.items() <= found.items())


@pytest.mark.parametrize("span", ["last_week", "this_week"])
async def test_states_add_up_to_those_of_the_report(told, span):
    page, reports = told
    for state in (*ALLOCATED, *FREE):
        expected = getattr(reports[span].total, state)
        assert summed(page, "week_gpu_seconds", span=span, state=state) == pytest.approx(expected)
    assert summed(page, "week_gpu_seconds", span=span) == pytest.approx(
        reports[span].total.calendar
    )


@pytest.mark.parametrize("figure", ["wasted", "high", "avoidable", "reclaimed", "unpriced"])
async def test_figures_add_up_to_those_of_the_report(told, figure):
    page, reports = told

    found = summed(page, "week_figure_gpu_seconds", span="last_week", figure=figure)

    assert found == pytest.approx(getattr(reports["last_week"].total, figure))


async def test_costs_are_those_of_the_report_by_currency(told):
    page, reports = told
    for part in fields(Costs):
        amounts = getattr(reports["last_week"].total.costs, part.name)
        for currency in amounts.currencies:
            found = summed(page, "week_cost", span="last_week", figure=part.name, currency=currency)
            assert found == pytest.approx(float(amounts.of(currency)), abs=0.005)


async def test_a_team_of_the_metrics_is_that_of_the_report(told):
    page, reports = told
    lines = {line.name: line.figures for line in reports["last_week"].by("team")}

    for team, one in lines.items():
        found = summed(page, "week_gpu_seconds", span="last_week", state="idle", team=team)
        assert found == pytest.approx(one.idle)


async def test_the_page_says_which_week_and_closing_a_span_is(told):
    page, _ = told

    assert dict(samples_of_info(page)) == {
        "last_week": ("2026-W10", "1"),
        "this_week": ("2026-W11", "0"),
    }


def samples_of_info(page: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for labels, _ in samples(page, "week_info"):
        yield labels["span"], (labels["week"], labels["closing"])


def test_many_teams_are_summed_together_and_none_is_lost():
    figures = {
        Key(team=f"team{number}", owner="x", model="A100"): Figures(idle=float(number + 1))
        for number in range(LINES + 50)
    }

    found = sums(span="last_week", week="2026-W10", version=1, as_of=0.0, figures=figures)

    assert len(found.lines) == LINES + 1
    assert sum(one.idle for one in found.lines.values()) == sum(range(1, LINES + 51))
    assert found.lines[OTHERS, "", "A100"].idle == sum(range(1, 51))
