"""Grafana and the report agree: what panels of a real Prometheus show is what a report prints."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from math import fsum

import pytest

from dashboards import build
from reaper.domain.money.figures import ALLOCATED, FREE
from reaper.reports.week import WeekReport
from reaper.reports.words import hours, money
from reaper.web.exposition.metrics import Scene, render
from reaper.web.exposition.sums import sums
from tests import report_gallery as gallery
from tests.builders_picture import NOW, picture
from tests.components import require
from tests.real.prometheus_server import Prometheus, pages, prometheus

CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 900ms}}
scrape_configs:
  - job_name: gpu-reaper
    honor_labels: true
    static_configs: [{{targets: ['{page}'], labels: {{cluster: aurora}}}}]
"""
HOUR = 3600.0


@pytest.fixture(scope="module")
def report() -> WeekReport:
    return asyncio.run(gallery.report())


@pytest.fixture(scope="module")
def server(report: WeekReport, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """Give a Prometheus that scrapes the metrics of that report's week."""
    require("prometheus")
    weeks = tuple(
        sums(
            span=span,
            week=report.week,
            version=report.version,
            as_of=report.accounts.as_of,
            figures=report.accounts.figures,
        )
        for span in ("this_week", "last_week")
    )
    page = render(Scene(picture=picture(), now=NOW, version="0", weeks=weeks))
    with (
        pages({"/metrics": lambda: page}) as address,
        prometheus(
            tmp_path_factory.mktemp("prometheus"), CONFIGURATION.format(page=address)
        ) as running,
    ):
        running.until(lambda: running.query("gpureaper_week_gpu_seconds"))
        yield running


def shown(server: Prometheus, board: str, title: str, *labels: str) -> Mapping[str, float]:
    """Return what a panel shows, by its labels."""
    (asked,) = [item for item in build.DASHBOARDS if item.name == board]
    content = json.loads(build.path(asked).read_text(encoding="utf-8"))
    (panel,) = [item for item in content["panels"] if item["title"] == title]
    (target,) = panel["targets"]
    expression = target["expr"]
    for variable in ("cluster", "team", "model"):
        expression = expression.replace(f"${variable}", ".*")
    return {
        " ".join(item["metric"].get(name, "") for name in labels): float(item["value"][1])
        for item in server.query(expression)
    }


def printed(found: Mapping[str, float]) -> dict[str, str]:
    return {name: hours(value * HOUR) for name, value in found.items()}


def test_the_states_of_the_week_are_the_identity_of_the_report(server, report):
    states = (*ALLOCATED, *FREE)
    told = {name: getattr(report.total, name) for name in states}
    found = shown(server, "fleet", "The week's GPU-hours by state", "state")

    assert printed(found) == {name: hours(value) for name, value in told.items() if value}
    assert hours(fsum(found.values()) * HOUR) == hours(report.total.calendar)


def test_the_wasted_hours_are_those_of_the_headline(server, report):
    assert printed(shown(server, "fleet", "Wasted this week")) == {"": hours(report.total.wasted)}


def test_the_cost_is_the_low_end_of_the_range_to_the_cent(server, report):
    found = shown(server, "fleet", "What that cost", "currency")

    assert [f"{value:,.2f} {name}" for name, value in found.items()] == [
        money(report.total.costs.wasted)
    ]


def test_what_the_week_came_to_is_the_reports_figure_for_figure(server, report):
    found = shown(server, "fleet", "What the week came to", "figure")

    assert {"wasted", "high", "avoidable", "reclaimed", "reused", "given_back"} <= found.keys()
    assert printed(found) == {name: hours(getattr(report.total, name)) for name in found}


def test_teams_waste_what_the_report_lists(server, report):
    found = printed(shown(server, "team", "Wasted this week by team", "team"))

    assert found == {
        line.name: hours(line.figures.wasted) for line in report.by("team") if line.figures.wasted
    }


def test_classes_hold_what_the_report_lists(server, report):
    found = printed(shown(server, "team", "GPU-hours by class", "class"))

    assert found == {line.name: hours(line.figures.allocated) for line in report.by("purpose")}


def test_the_cost_of_a_team_is_the_reports_to_the_cent(server, report):
    found = shown(server, "team", "What it cost", "team", "currency")
    told = {
        f"{line.name} {currency}": f"{line.figures.costs.wasted.of(currency):.2f}"
        for line in report.by("team")
        for currency in line.figures.costs.wasted.currencies
    }

    assert {name: f"{value:.2f}" for name, value in found.items()} == told
