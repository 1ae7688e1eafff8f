"""A drawn scenario as activity: grid, moment, outages, restarts, settings."""

from datetime import UTC, datetime

import pytest

from exporter.contract.scenario import Scenario, ScenarioEvent, ScenarioNode, device_uuid
from exporter.contract.stage import Stage
from reaper.activity import build
from reaper.activity.recorded import RecordedActivity, RecordedSettings
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.reading import between
from reaper.edge.clock import JumpingClock
from reaper.ports import NodeReport, SourceError

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ORIGIN = START.timestamp()


class Drawn:
    """A source that plays, and its clock."""

    def __init__(self, *tracks: str, events: tuple[ScenarioEvent, ...] = (), **given) -> None:
        node = ScenarioNode(name="gpu01", tracks=tracks)
        scenario = Scenario(title="", start=START, step=60, nodes=(node,), events=events)
        self.clock = JumpingClock(at=ORIGIN)
        self.stage = Stage(scenario=scenario, origin=ORIGIN)
        self.activity = RecordedActivity(self.stage, clock=self.clock, **given)

    async def round(self, moment: float) -> NodeReport:
        self.clock.jump(ORIGIN + moment)
        (report,) = (await self.activity.readings(0)).nodes
        return report

    async def ask(self, moment: float) -> NodeReport:
        self.clock.jump(ORIGIN + moment)
        (report,) = (await self.activity.ask(["gpu01"])).nodes
        return report


async def test_a_round_answers_for_the_newest_closed_minute():
    report = await Drawn("A").round(179)

    assert [reading.at for reading in report.readings] == [ORIGIN + 120]
    assert report.as_of == ORIGIN + 179


async def test_a_round_follows_the_pace():
    report = await Drawn("A", pace=Pace(step=2)).round(179)

    assert report.readings[0].at == ORIGIN + 178


async def test_a_direct_question_is_answered_for_this_moment():
    drawn = Drawn("AH")
    earlier = (await drawn.round(60)).readings[0]
    later = (await drawn.ask(90)).readings[0]

    delta = between(earlier, later)
    assert (delta.seconds, delta.active["sm"], delta.memory_used > 0) == (30, 0.0, True)


async def test_a_direct_question_leaves_the_grid_of_rounds_alone():
    drawn = Drawn("A")
    await drawn.ask(100)

    assert (await drawn.round(119)).readings[0].at == ORIGIN + 60


async def test_before_it_begins_nothing_is_known():
    drawn = Drawn("A")
    drawn.clock.at = ORIGIN - 600

    (report,) = (await drawn.activity.readings(0)).nodes
    assert report.readings == ()


async def test_going_back_in_time_counts_anew():
    drawn = Drawn("A")
    later = (await drawn.round(600)).readings[0]
    drawn.clock.at = ORIGIN + 120
    (report,) = (await drawn.activity.readings(0)).nodes

    assert later.observed["sm"] == 600
    assert report.readings[0].observed["sm"] == 120


async def test_a_device_that_does_not_answer_says_so():
    report = await Drawn("A", "A?").round(120)

    states = {(item.gpu, item.state) for item in report.signals if item.signal == "sm"}
    assert states == {(device_uuid("gpu01", 0), "ok"), (device_uuid("gpu01", 1), "lost")}


@pytest.mark.parametrize("node", ["gpu01", ""])
async def test_an_outage_silences_the_node_for_its_time(node):
    outage = ScenarioEvent(at=60, do="outage", node=node, duration=120)
    drawn = Drawn("A", events=(outage,))

    errors = [bool((await drawn.round(moment)).error) for moment in (59, 60, 179, 180)]
    assert errors == [False, True, True, False]


async def test_an_outage_of_another_node_does_not_matter():
    outage = ScenarioEvent(at=0, do="outage", node="gpu02", duration=600)

    assert (await Drawn("A", events=(outage,)).round(60)).error == ""


async def test_a_restart_of_the_exporter_begins_an_epoch():
    restart = ScenarioEvent(at=90, do="restart", node="gpu01")
    drawn = Drawn("A", events=(restart,))
    one, two, three = [await drawn.round(moment) for moment in (60, 120, 180)]

    assert (one.started, two.started) == (ORIGIN, ORIGIN + 90)
    assert between(one.readings[0], two.readings[0]) is None
    assert between(two.readings[0], three.readings[0]) is not None


TEXT = """
version = 1
title = "one"
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
gpus = ["A"]
"""


async def test_the_source_is_built_from_a_scenario_file(tmp_path):
    (tmp_path / "one.toml").write_text(TEXT)
    settings = RecordedSettings(scenario=tmp_path / "one.toml", origin=ORIGIN)
    activity = build(settings, clock=JumpingClock(at=ORIGIN + 60))

    (report,) = (await activity.readings(0)).nodes
    assert report.readings[0].observed["sm"] == 60


def test_a_scenario_with_mistakes_names_its_file(tmp_path):
    (tmp_path / "one.toml").write_text("version = 1")
    with pytest.raises(SourceError, match=r"one\.toml: node"):
        RecordedSettings(scenario=tmp_path / "one.toml").staged()
