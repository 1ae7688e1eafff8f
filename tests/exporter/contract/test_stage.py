"""Who holds what at a time, and what a release changes for every program that plays along."""

from dataclasses import replace
from datetime import UTC, datetime
from math import inf

import pytest

from exporter.contract.scenario import Scenario, ScenarioAllocation, ScenarioEvent, ScenarioNode
from exporter.contract.stage import Stage
from exporter.simulation.play import Play

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ORIGIN = START.timestamp()
SHELL = ScenarioAllocation(
    id="101", user="mira", holds=(("gpu01", 0), ("gpu01", 1)), begin=60, end=600
)
BATCH = ScenarioAllocation(id="102", user="otto", holds=(("gpu01", 1),), begin=300, limit=900)
SCENARIO = Scenario(
    title="two",
    start=START,
    step=60,
    nodes=(ScenarioNode(name="gpu01", tracks=("H", "A")),),
    allocations=(SHELL, BATCH),
)


def stage(tmp_path=None) -> Stage:
    return Stage(scenario=SCENARIO, origin=ORIGIN, state=tmp_path)


def running(on: Stage, moment: float) -> list[str]:
    return [item.id for item in on.running(ORIGIN + moment)]


@pytest.mark.parametrize(
    ("moment", "ids"),
    [(0, []), (59, []), (60, ["101"]), (300, ["101", "102"]), (600, ["102"]), (900, [])],
)
def test_an_allocation_runs_from_its_begin_to_its_end_or_limit(moment, ids):
    assert running(stage(), moment) == ids


@pytest.fixture(params=["memory", "folder"])
def either(request, tmp_path) -> Stage:
    return stage(tmp_path if request.param == "folder" else None)


def test_a_released_allocation_no_longer_runs(either):
    either.release("101", ORIGIN + 120)

    assert running(either, 300) == ["102"]
    assert either.released_at("101") == ORIGIN + 120


def test_a_second_release_changes_nothing(either):
    either.release("101", ORIGIN + 120)
    either.release("101", ORIGIN + 180)

    assert either.releases() == (ORIGIN + 120,)


def test_a_release_can_be_taken_back(either):
    either.release("101", ORIGIN + 120)
    either.restore("101")

    assert running(either, 300) == ["101", "102"]
    assert either.releases() == ()


def test_a_device_is_empty_once_all_that_hold_it_were_released(either):
    either.release("101", ORIGIN + 120)

    letters = [either.letter("gpu01", gpu, ORIGIN + at) for gpu, at in ((0, 119), (0, 120))]
    shared = [either.letter("gpu01", 1, ORIGIN + at) for at in (120, 300)]
    assert (letters, shared) == (["H", "E"], ["E", "A"])


def test_a_device_follows_its_track_again_after_a_released_allocation_would_have_ended(either):
    either.release("101", ORIGIN + 120)

    assert either.letter("gpu01", 0, ORIGIN + 600) == "H"


def test_the_exporters_of_the_scenario_see_the_same_release(tmp_path):
    play = Play(stage=stage(tmp_path), node="gpu01")
    stage(tmp_path).release("101", ORIGIN + 120)

    assert [item.id for item in play.allocations(ORIGIN + 300)] == ["102"]
    assert play.letter(0, ORIGIN + 130) == "E"


def test_another_program_sees_the_release_in_the_folder(tmp_path):
    stage(tmp_path).release("101", ORIGIN + 120)

    assert stage(tmp_path).released_at("101") == ORIGIN + 120


def test_a_file_that_a_person_made_counts_as_a_release(tmp_path):
    (tmp_path / "released").mkdir()
    (tmp_path / "released" / "101").touch()

    assert running(stage(tmp_path), 300) == ["102"]


@pytest.mark.parametrize("name", ["..", ".", "", "../101", "a/b"])
def test_an_id_that_names_no_file_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="names no file"):
        stage(tmp_path).release(name, ORIGIN)

    assert stage(tmp_path).released_at(name) is None


@pytest.mark.parametrize(
    ("drawn", "silences"),
    [
        ([], []),
        ([(60, 60), (300, 60)], [(60, 120), (300, 360)]),
        ([(60, 240), (120, 60)], [(60, 300)]),
        ([(120, 240), (60, 120)], [(60, 360)]),
        ([(60, 60), (120, 60)], [(60, 180)]),
        ([(60, inf), (120, 60)], [(60, inf)]),
    ],
    ids=["none", "apart", "within", "overlapping", "touching", "for good"],
)
def test_silences_that_overlap_are_one(drawn, silences):
    events = tuple(ScenarioEvent(at=at, do="deaf", duration=lasts) for at, lasts in drawn)
    played = Stage(scenario=replace(SCENARIO, events=events), origin=ORIGIN)

    assert list(played.silences) == silences


def test_a_silence_of_one_owner_is_nobody_elses():
    events = (ScenarioEvent(at=60, do="deaf", duration=60, allocation="101"),)

    assert Stage(scenario=replace(SCENARIO, events=events), origin=ORIGIN).silences == ()
