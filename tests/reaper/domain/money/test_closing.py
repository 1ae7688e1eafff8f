"""A restatement is a later version with its differences; figures that did not move make none."""

from dataclasses import replace

from reaper.domain.money.closing import (
    RUNS_A_TEAM,
    Closed,
    kept_runs,
    newest,
    restated,
    restatements,
)
from reaper.domain.money.figures import Figures, Key
from reaper.domain.money.ledger import RunFigures
from tests.books import HOUR, run_of
from tests.closings import MIRA, closed


def moved(week: Closed, **fields: float) -> Closed:
    figures = {**week.figures, MIRA: replace(week.figures[MIRA], **fields)}
    head = replace(week.closing, total=sum(figures.values(), Figures()))
    return replace(week, figures=figures, closing=head)


def test_the_same_figures_are_no_restatement():
    assert restated(closed(9), closed(9)) is None


def test_rounding_is_no_restatement():
    assert restated(closed(9), moved(closed(9), idle=5.5 + 1e-6)) is None


def test_other_figures_are_the_next_version():
    after = restated(closed(9, 3), moved(closed(9), idle=5.5 + HOUR))

    assert after is not None
    assert after.closing.version == 4


def test_other_terms_are_the_next_version_though_no_hour_moved():
    other = replace(closed(9), closing=replace(closed(9).closing, terms="t2"))

    assert restated(closed(9), other) is not None


def test_hours_that_moved_between_owners_are_a_restatement():
    otto = replace(MIRA, owner="otto")
    swapped = {(otto if key == MIRA else key): one for key, one in closed(9).figures.items()}
    large = {key: replace(one, idle=one.idle + HOUR) for key, one in swapped.items()}

    assert restated(closed(9), replace(closed(9), figures=large)) is not None


def test_differences_are_told_from_version_to_version():
    first = closed(9).closing
    second = replace(moved(closed(9), idle=5.5 + HOUR).closing, version=2, as_of=first.as_of + 9)
    third = replace(second, version=3, terms="t2", as_of=second.as_of + 9)

    one, other = restatements([third, first, second])

    assert (one.week, one.version, dict(one.deltas)) == ("2026-W09", 2, {"idle": HOUR})
    assert (other.version, dict(other.deltas), other.priced) == (3, {}, True)


def test_the_newest_version_of_each_week_counts():
    heads = [closed(10).closing, closed(9, 2).closing, closed(9).closing]

    assert [head.name for head in newest(heads)] == ["2026-W09 v2", "2026-W10 v1"]


def test_wasteful_runs_are_kept_for_each_team():
    runs = tuple(
        RunFigures(
            run=run_of(f"{team}{number}", started=0.0),
            key=Key(team=team),
            devices=1,
            nodes=(),
            begin=0.0,
            end=1.0,
            longest=1.0,
            figures=Figures(wasted=9.0, high=9.0 if number < 15 else 0.0),
        )
        for number in range(20)
        for team in ("vision", "speech")
    )
    kept = kept_runs(runs)

    assert len(kept) == 2 * RUNS_A_TEAM
    assert [run for run in kept if not run.figures.high] == []
