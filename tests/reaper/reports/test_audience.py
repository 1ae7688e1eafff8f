"""What goes round names nobody; an extract names its own team alone and keeps its sums."""

import re
from collections.abc import Iterable

import pytest

from reaper.domain.money.figures import total
from reaper.reports.audience import extract, veiled
from reaper.reports.pages import PAGES
from tests import report_gallery as gallery

PEOPLE = sorted({person for people in gallery.TEAMS.values() for person in people})
PASSED_ON = ("html", "markdown", "json", "csv", "text")


def named(page: str, names: Iterable[str]) -> list[str]:
    """Return the names that stand in a page as words of their own."""
    words = set(re.findall(r"[\w-]+", page))
    return [name for name in names if name in words]


@pytest.fixture
async def report():
    return await gallery.report()


@pytest.mark.parametrize("form", PASSED_ON)
async def test_no_person_job_or_node_is_named_in_a_veiled_report(report, form: str):
    page = PAGES[form](veiled(report))
    names = [run.run.id for run in report.top] + ["gpu01", "gpu07"]

    assert named(page, (*PEOPLE, *names)) == []


async def test_a_veil_changes_no_figure(report):
    hidden = veiled(report)

    assert hidden.total == report.total
    assert hidden.accounts.by("team", "model") == report.accounts.by("team", "model")
    assert [run.figures for run in hidden.top] == [run.figures for run in report.top]


async def test_a_pseudonym_is_one_person_throughout_a_report(report):
    hidden = veiled(report)
    owners = [run.key.owner for run in report.accounts.runs]
    pseudonyms = [run.key.owner for run in hidden.accounts.runs]

    assert len(set(zip(owners, pseudonyms, strict=True))) == len(set(owners))
    assert len(set(pseudonyms)) == len(set(owners))


async def test_an_outcome_follows_its_run_under_the_veil(report):
    hidden = veiled(report)

    for run, shown in zip(report.top, hidden.top, strict=True):
        outcome = report.conduct.outcomes.get(run.run.key)
        assert hidden.conduct.outcomes.get(shown.run.key) == outcome


@pytest.mark.parametrize("form", PASSED_ON)
async def test_an_extract_names_nobody_else(report, form: str):
    page = PAGES[form](extract(report, "vision"))
    others = [name for team in gallery.TEAMS if team != "vision" for name in gallery.TEAMS[team]]

    assert named(page, gallery.TEAMS["vision"]) or form == "markdown"
    assert named(page, others) == []


async def test_extracts_of_all_teams_add_up_to_what_was_held(report):
    teams = [line.name for line in report.by("team")]
    together = total(extract(report, team).total for team in teams)

    assert together.allocated == pytest.approx(report.total.allocated)
    assert together.wasted == pytest.approx(report.total.wasted)
    assert float(together.costs.high.of("EUR")) == pytest.approx(
        float(report.total.costs.high.of("EUR"))
    )


async def test_the_trend_of_an_extract_is_the_teams(report):
    heads = extract(report, "vision").trend

    assert len(heads) == 13
    assert heads[0].total == report.trend[0].teams["vision"]


async def test_the_runs_of_an_extract_are_the_teams_most_wasteful(report):
    assert {run.key.team for run in extract(report, "speech").top} == {"speech"}


async def test_what_looks_only_kept_is_told_with_its_arithmetic_and_under_a_veil_without(report):
    (look,) = report.conduct.looks
    words = "a blip every 30 min for 2 d; it looks as if it only kept its GPU"

    assert words in PAGES["html"](report)
    assert words in PAGES["text"](report)
    assert "it looks as if it only kept its GPU" in PAGES["html"](veiled(report))
    assert look.text not in PAGES["json"](veiled(report))
