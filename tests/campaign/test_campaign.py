"""A short campaign: nothing that any signal shows in use is ever released."""

import ast
from pathlib import Path

import pytest

from exporter.contract.scenario import load
from tests.campaign.__main__ import campaign, report
from tests.campaign.drawing import text
from tests.campaign.drawing_lots import cluster
from tests.campaign.due import due_at
from tests.campaign.judge import Figures, judged
from tests.campaign.playing import Step, played
from tests.campaign.truth import HOUR, Cluster, Doing, Held
from tests.project import ROOT

HERE = ROOT / "tests/campaign"

#: What the judge and what it judges by may import beside each other and the standard library.
KNOWN = ("exporter.contract.scenario",)
DOORS = ("playing.py", "__main__.py", "test_campaign.py")


@pytest.mark.parametrize("first", range(1, 41, 8))
def test_nothing_that_a_signal_shows_in_use_is_released(first: int) -> None:
    found = Figures()
    for seed in range(first, first + 8):
        drawn = cluster(seed)
        found.add(judged(drawn, played(text(drawn))))

    assert found.clusters == 8
    assert found.harms == []


def imports(path: Path) -> set[str]:
    """Return the modules of the project that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name for name in found if name.startswith(("exporter", "reaper", "tests"))}


def test_the_judge_imports_nothing_of_the_deciding_code() -> None:
    """Nor does what it imports: only one module of the campaign is a door to the program."""
    for path in HERE.glob("*.py"):
        if path.name not in DOORS:
            other = {name for name in imports(path) if not name.startswith("tests.campaign.")}
            assert other <= set(KNOWN), path.name
            assert "tests.campaign.playing" not in imports(path)


def test_a_seed_draws_the_same_cluster_every_time_and_the_format_reads_it() -> None:
    drawn = text(cluster(7))

    assert drawn == text(cluster(7)) != text(cluster(8))
    assert len(load(drawn).allocations) == len(cluster(7).held)


def shell(*doings: Doing, length: int = 24 * HOUR, **changes: object) -> Cluster:
    """Return a cluster of one GPU behind a shell; it begins on a Monday at 09:00."""
    given = {"inputs": (0,), "session": "shell", "purpose": "interactive"} | changes
    held = Held(id="1", user="ada", places=((0, 0),), begin=-60, end=None, doings=doings, **given)
    start = cluster(1).start.replace(year=2026, month=3, day=2, hour=9)
    return Cluster(seed=0, start=start, length=length, gpus=(1,), held=(held,))


def doing(begin: int, end: int, use: str = "use", **looks: object) -> Doing:
    return Doing(begin=begin, end=end, what="something", use=use, **looks)


WORKS = doing(-60, 1440, cores=4.0)
ENDED = doing(60, 1440, use="abandoned")
RELEASE = Step(at=7200.0, kind="release", allocation="1")


def test_a_release_of_what_its_host_shows_at_work_harms() -> None:
    (harm,) = judged(shell(WORKS), [RELEASE]).harms

    assert (harm.shown, harm.at) == ("host", 120)


def test_a_release_of_a_job_that_nothing_measures_harms_and_one_behind_a_person_is_told_apart() -> (
    None
):
    (harm,) = judged(shell(WORKS, measured=False, purpose="training"), [RELEASE]).harms
    (apart,) = judged(shell(WORKS, measured=False), [RELEASE]).mistakes

    assert harm.shown == "not measured"
    assert (apart.harms, apart.shown) == (False, "no signal: interactive, host not measured")


@pytest.mark.parametrize(
    "doings",
    [
        (doing(-60, 60), ENDED),
        (doing(-60, 1440),),
        (doing(-60, 119, use="abandoned"), doing(119, 1440, letter="A")),
    ],
)
def test_a_release_of_what_nobody_uses_or_no_signal_shows_does_not(
    doings: tuple[Doing, ...],
) -> None:
    assert judged(shell(*doings), [RELEASE]).harms == []


def test_what_was_abandoned_is_due_an_hour_and_a_half_later_in_working_hours() -> None:
    drawn = shell(doing(-60, 60), ENDED)

    assert due_at(drawn, drawn.held[0]) == 60 + 90


def test_what_was_abandoned_late_is_due_half_an_hour_into_the_next_working_day() -> None:
    abandoned = doing(8 * HOUR, 30 * HOUR, use="abandoned")
    drawn = shell(doing(-60, 8 * HOUR), abandoned, length=30 * HOUR)

    assert due_at(drawn, drawn.held[0]) == 24 * HOUR + 30


def test_a_release_in_time_is_found_whole_and_a_late_one_in_part() -> None:
    drawn = shell(doing(-60, 60), ENDED)
    late = Step(at=(150 + 60) * 60.0, kind="release", allocation="1")
    in_time = Step(at=151 * 60.0, kind="release", allocation="1")
    whole = (1440 - 150) / HOUR

    assert judged(drawn, [in_time]).found == pytest.approx(whole)
    assert judged(drawn, [late]).found == pytest.approx(whole - 1)
    assert judged(drawn, []).found == 0.0


def test_its_figures_are_printed_with_what_is_wanted() -> None:
    lines = list(report(judged(shell(WORKS), [RELEASE])))

    assert "| release | something | host | 1 |" in lines
    assert any("nothing measured it | 1 | 0 |" in line for line in lines)


def test_two_processes_come_to_the_same_figures_as_one() -> None:
    seeds = [3, 4]

    assert campaign(seeds, processes=2) == campaign(seeds, processes=1)
