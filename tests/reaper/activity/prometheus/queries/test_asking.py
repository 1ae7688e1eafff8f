"""Before an act the nodes' own exporters are asked, and what they say of people is kept."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from reaper.domain.facts.reading import between
from reaper.edge.clock import JumpingClock
from tests import builders
from tests.pages import Node, serving
from tests.reaper.activity.exporters.conftest import healthy
from tests.reaper.activity.prometheus.conftest import Asking, Scene
from tests.reaper.activity.prometheus.gauges.test_dcgm import DCGM, IDLE, rows, scrape

REPORTED = builders.START + 600


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock(at=REPORTED + 60)


@asynccontextmanager
async def scene_of(asking: Asking, clock: JumpingClock, *nodes: Node) -> AsyncIterator[Scene]:
    """Serve nodes and let the engine have scraped them just before now."""
    async with asking(clock=clock) as scene, serving(*nodes):
        for node in nodes:
            page = node.page()
            assert isinstance(page, bytes)
            scene.engine.scrape(page, REPORTED + 60, job="gpu-exporter", instance=node.address)
        clock.jump(REPORTED + 61)
        yield scene


def engine_scrapes(scene: Scene, at: float) -> None:
    """Let the engine scrape the newest page once more, later."""
    for samples in scene.engine.series.values():
        value = samples[-1][1]
        assert value is not None
        samples.append((at, value + 60 if value > REPORTED else value))


async def test_an_answer_joins_what_the_engine_said(asking: Asking, clock: JumpingClock):
    async with scene_of(asking, clock, healthy(clock)) as scene:
        (before,) = (await scene.activity.readings(0)).nodes
        clock.jump(REPORTED + 90)
        (now,) = (await scene.activity.ask(["gpu01"])).nodes
        deltas = [between(*pair) for pair in zip(before.readings, now.readings, strict=True)]

        assert (before.error, now.error) == ("", "")
        assert [delta.seconds if delta else None for delta in deltas] == [30.0, 30.0]


async def test_only_the_nodes_that_are_meant_are_asked(asking: Asking, clock: JumpingClock):
    nodes = healthy(clock), healthy(clock, "gpu02")
    async with scene_of(asking, clock, *nodes) as scene:
        await scene.activity.readings(0)
        await scene.activity.ask(["gpu02"])

        assert [node.asked for node in nodes] == [[], ["/metrics", "/metrics/people"]]


async def test_people_that_were_seen_come_with_the_next_round(asking: Asking, clock: JumpingClock):
    async with scene_of(asking, clock, healthy(clock)) as scene:
        (before,) = (await scene.activity.readings(0)).nodes
        await scene.activity.ask(["gpu01"])
        engine_scrapes(scene, REPORTED + 120)
        clock.jump(REPORTED + 121)
        (after,) = (await scene.activity.readings(0)).nodes

        assert before.signs == ()
        assert [(item.id, item.sign.kind, item.sign.state) for item in after.signs] == [
            ("101", "shell", "ok")
        ]


async def test_people_on_a_node_that_answers_no_more_are_out_of_reach(
    asking: Asking, clock: JumpingClock
):
    node = healthy(clock)
    async with scene_of(asking, clock, node) as scene:
        await scene.activity.readings(0)
        await scene.activity.ask(["gpu01"])
        node.status = 503
        (silent,) = (await scene.activity.ask(["gpu01"])).nodes
        engine_scrapes(scene, REPORTED + 120)
        clock.jump(REPORTED + 121)
        (after,) = (await scene.activity.readings(0)).nodes

        assert "503" in silent.error
        assert [item.sign.state for item in after.signs] == ["unreachable"]


async def test_a_node_that_only_dcgm_knows_cannot_be_asked(asking: Asking):
    async with asking(DCGM) as scene:
        scrape(scene, rows(IDLE), 55)
        await scene.round(1)
        (report,) = (await scene.activity.ask(["gpu01"])).nodes

        assert "no exporter of ours" in report.error


async def test_a_label_that_is_no_address_is_named(asking: Asking, clock: JumpingClock):
    async with scene_of(asking, clock, healthy(clock)) as scene:
        page = healthy(clock, "gpu09").page()
        assert isinstance(page, bytes)
        scene.engine.scrape(page, REPORTED + 60, job="gpu-exporter", instance="rack 9")
        await scene.activity.readings(0)
        (report,) = (await scene.activity.ask(["gpu09"])).nodes

        assert "list its address under exporters" in report.error


async def test_listed_addresses_go_before_labels(
    asking: Asking, clock: JumpingClock, tmp_path: Path
):
    node, listed = healthy(clock, "127"), tmp_path / "targets.json"
    async with serving(node):
        listed.write_text(json.dumps([{"targets": [node.address]}]), encoding="utf-8")
        async with asking(exporters={"file_sd": [str(listed)]}, clock=clock) as scene:
            page = node.page()
            assert isinstance(page, bytes)
            scene.engine.scrape(page, REPORTED + 60, job="gpu-exporter", instance=node.address)
            clock.jump(REPORTED + 61)
            await scene.activity.readings(0)
            (known,) = (await scene.activity.ask(["127"])).nodes
            (stranger,) = (await scene.activity.ask(["gpu05"])).nodes

        assert known.error == ""
        assert "no exporter of ours" in stranger.error
