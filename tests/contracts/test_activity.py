"""Every source of activity says the same of the same devices: drawn letters come back as drawn."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

import pytest

from exporter.contract.distortion import LOOKS, model
from exporter.contract.scenario import (
    Scenario,
    ScenarioAllocation,
    ScenarioNode,
    ScenarioSession,
    device_uuid,
)
from exporter.contract.stage import Stage
from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.prometheus.activity import PrometheusActivity
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.activity.recorded import RecordedActivity
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.minute import Baseline, letter, unseen
from reaper.domain.facts.reading import Reading, between
from reaper.domain.facts.thresholds import DEFAULT
from reaper.edge.clock import JumpingClock
from reaper.ports import Activity, Readings
from tests.pages import Node, metrics, people, serving
from tests.real.engines import flush
from tests.remote_write import Scraper

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ORIGIN = START.timestamp()
H100 = model("H100")
LEARNT = Baseline(empty=LOOKS["E"].power * H100.power, held=LOOKS["H"].power * H100.power)


@dataclass
class Playing:
    """A source that plays a scenario, and the clock it plays by."""

    activity: Activity
    clock: JumpingClock
    stage: Stage


Play = Callable[[Scenario], AsyncIterator[Playing]]


@asynccontextmanager
async def play_recorded(scenario: Scenario) -> AsyncIterator[Playing]:
    clock = JumpingClock(at=ORIGIN)
    stage = Stage(scenario=scenario, origin=ORIGIN)
    yield Playing(RecordedActivity(stage, clock=clock), clock, stage)


@asynccontextmanager
async def play_exporters(scenario: Scenario) -> AsyncIterator[Playing]:
    """Serve what the scenario's nodes would show, each page written when it is asked for."""
    clock = JumpingClock(at=ORIGIN)
    stage = Stage(scenario=scenario, origin=ORIGIN)
    nodes = [_node(stage, clock, index) for index in range(len(scenario.nodes))]
    async with AsyncExitStack() as stack:
        addresses = await stack.enter_async_context(serving(*nodes))
        settings = ExporterSettings(targets=addresses)
        activity = await stack.enter_async_context(ExporterActivity(settings, clock=clock))
        yield Playing(activity, clock, stage)


def _node(stage: Stage, clock: JumpingClock, index: int) -> Node:
    source = RecordedActivity(stage, clock=clock)

    async def page() -> bytes:
        return metrics((await source.readings(0)).nodes[index])

    async def people_page() -> bytes:
        return people((await source.readings(0)).nodes[index])

    return Node(page=page, people=people_page)


@asynccontextmanager
async def play_engine(scenario: Scenario, *, address: str) -> AsyncIterator[Playing]:
    """Write what the nodes would show into a real engine, a page for every minute that ends."""
    clock = JumpingClock(at=ORIGIN)
    stage = Stage(scenario=scenario, origin=ORIGIN)
    nodes = [_node(stage, clock, index) for index in range(len(scenario.nodes))]
    job = f"exporters {uuid4().hex}"
    async with AsyncExitStack() as stack:
        addresses = await stack.enter_async_context(serving(*nodes))
        scrapers = [Scraper(address, {"job": job, "instance": item}) for item in addresses]
        engine = {"url": f"http://{address}", "match": {"job": job}}
        settings = PrometheusSettings.model_validate({"engines": [engine], "delay": "0s"})
        asked = await stack.enter_async_context(PrometheusActivity(settings, clock=clock))
        source = RecordedActivity(stage, clock=clock)
        yield Playing(Scraped(asked, source, scrapers, clock, address), clock, stage)


@dataclass
class Scraped:
    """An engine's source whose engine scrapes just before it is asked."""

    asked: PrometheusActivity
    source: RecordedActivity
    scrapers: list[Scraper]
    clock: JumpingClock
    address: str
    name: str = "prometheus"
    sees_people: bool = False

    async def readings(self, minute: int) -> Readings:
        reports = (await self.source.readings(minute)).nodes
        end = NORMAL.ends(NORMAL.closed(self.clock.now()))
        for scraper, report in zip(self.scrapers, reports, strict=True):
            await asyncio.to_thread(scraper.scrape, metrics(report), end)
        await asyncio.to_thread(flush, self.address)
        return await self.asked.readings(minute)

    async def ask(self, nodes: Sequence[str]) -> Readings:
        return await self.asked.ask(nodes)


@pytest.fixture(
    params=[
        "recorded",
        "exporters",
        pytest.param("prometheus", marks=pytest.mark.real),
        pytest.param("victoria", marks=pytest.mark.real),
    ]
)
def play(request: pytest.FixtureRequest) -> Play:
    simple = {"recorded": play_recorded, "exporters": play_exporters}
    if request.param in simple:
        return simple[request.param]
    return partial(play_engine, address=request.getfixturevalue(f"{request.param}_address"))


def scenario(*tracks: str, allocations: tuple[ScenarioAllocation, ...] = (), **given) -> Scenario:
    node = ScenarioNode(name="gpu01", tracks=tracks, **given)
    return Scenario(title="drawn", start=START, step=60, nodes=(node,), allocations=allocations)


async def letters(playing: Playing, minutes: int) -> dict[str, str]:
    """Read minute by minute and classify by the one definition."""
    before: dict[str, Reading] = {}
    found: dict[str, str] = {}
    playing.clock.jump(ORIGIN + 1)
    await playing.activity.readings(NORMAL.closed(playing.clock.now()) + 1)
    for number in range(1, minutes + 1):
        playing.clock.jump(ORIGIN + 60 * number + 2)
        answer = await playing.activity.readings(NORMAL.closed(playing.clock.now()) + 1)
        for report in answer.nodes:
            assert report.error == ""
            for reading in report.readings:
                earlier = before.get(reading.gpu, beginning(reading))
                found[reading.gpu] = found.get(reading.gpu, "") + classified(earlier, reading)
                before[reading.gpu] = reading
    return found


def beginning(reading: Reading) -> Reading:
    """Return the reading of zeros with which a device began."""
    return Reading(
        gpu=reading.gpu,
        at=ORIGIN,
        epoch=reading.epoch,
        observed=dict.fromkeys(reading.observed, 0.0),
        active=dict.fromkeys(reading.active, 0.0),
        above=tuple(0.0 for _ in reading.above),
        links=dict.fromkeys(reading.links, 0.0),
        joules=0.0,
    )


def classified(earlier: Reading, later: Reading) -> str:
    delta = between(earlier, later)
    minute = unseen(1, NORMAL)
    if delta is not None:
        minute = letter(delta, thresholds=DEFAULT, pace=NORMAL, baseline=LEARNT)
    return minute.letter * minute.count


@pytest.mark.parametrize("drawn", ["A", "L", "H", "E", "X", "?", "!"])
async def test_a_drawn_letter_comes_back(play: Play, drawn: str):
    async with play(scenario(drawn)) as playing:
        assert await letters(playing, 3) == {device_uuid("gpu01", 0): drawn * 3}


async def test_letters_in_any_order_come_back(play: Play):
    tracks = ("AHELX!?AAHH?HHEE", "EEEEEEEEAAAALLXX")
    async with play(scenario(*tracks)) as playing:
        assert await letters(playing, 16) == {
            device_uuid("gpu01", 0): tracks[0],
            device_uuid("gpu01", 1): tracks[1],
        }


async def test_a_model_without_profiling_is_active_by_utilisation_or_idle(play: Play):
    async with play(scenario("AHE?LX", profiling=False)) as playing:
        assert list((await letters(playing, 6)).values()) == ["AHE?AA"]


async def test_devices_have_the_simulated_drivers_identities(play: Play):
    async with play(scenario("A", "H")) as playing:
        playing.clock.jump(ORIGIN + 60)
        report = (await playing.activity.readings(0)).nodes[0]

        assert [device.gpu for device in report.devices] == [
            device_uuid("gpu01", 0),
            device_uuid("gpu01", 1),
        ]
        assert [device.gres_index for device in report.devices] == [0, 1]


HELD = ScenarioAllocation(
    id="101",
    user="mira",
    holds=(("gpu01", 0),),
    begin=60,
    end=600,
    sessions=(
        ScenarioSession(kind="shell", inputs=(65, 130)),
        ScenarioSession(kind="vscode"),
    ),
)


async def test_shares_carry_the_nodes_key(play: Play):
    async with play(scenario("A", allocations=(HELD,))) as playing:
        playing.clock.jump(ORIGIN + 121)
        report = (await playing.activity.readings(0)).nodes[0]

        assert [(share.id, share.start, share.gpu) for share in report.shares] == [
            ("101", ORIGIN + 60, device_uuid("gpu01", 0))
        ]


async def test_a_direct_question_brings_the_signs_of_people(play: Play):
    async with play(scenario("A", allocations=(HELD,))) as playing:
        playing.clock.jump(ORIGIN + 61)
        await playing.activity.readings(0)
        playing.clock.jump(ORIGIN + 131)
        report = (await playing.activity.ask(["gpu01"])).nodes[0]

        assert {(item.sign.kind, item.sign.last_seen) for item in report.signs} == {
            ("shell", ORIGIN + 120),
            ("vscode", None),
        }
        assert {item.sign.as_of for item in report.signs} == {ORIGIN + 131}


async def test_an_unknown_node_is_answered_with_an_error(play: Play):
    async with play(scenario("A")) as playing:
        playing.clock.jump(ORIGIN + 60)
        await playing.activity.readings(0)
        answer = await playing.activity.ask(["gpu01", "gpu99"])

        assert {report.node: bool(report.error) for report in answer.nodes} == {
            "gpu01": False,
            "gpu99": True,
        }


async def test_an_ended_allocation_is_no_longer_seen(play: Play):
    async with play(scenario("A", allocations=(HELD,))) as playing:
        playing.clock.jump(ORIGIN + 660)
        report = (await playing.activity.readings(0)).nodes[0]

        assert (report.shares, report.signs) == ((), ())


async def test_a_released_allocation_leaves_its_devices_empty(play: Play):
    async with play(scenario("H", allocations=(HELD,))) as playing:
        playing.stage.release("101", ORIGIN + 180)

        assert list((await letters(playing, 5)).values()) == ["HHHEE"]
