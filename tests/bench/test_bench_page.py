"""How long making a page takes, beside the usual library: no process, no socket."""

import statistics
import sys
import time

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from exporter.contract import catalog
from exporter.sampling.snapshot import Round, Turn
from exporter.sampling.state import NodeState, Periods
from exporter.serving import exposition
from exporter.serving.page import Page as Renderer
from exporter.serving.vitals import Moment
from tests.exporter.fakes import StillClock

CARDS = 8
KINDS = ("activity", "memory", "power", "health", "processes")


def show(text):
    print(f"\n  {text}", file=sys.stderr)


def test_rendering_beside_the_usual_library(scene_of_eight):
    state, moment = scene_of_eight
    renderer = Renderer(item for item in catalog.FAMILIES if item.page == "metrics")
    registry = CollectorRegistry()
    rows = exposition.metrics(state, moment)
    registry.register(Usual(rows))
    ours = laps_of(lambda: renderer.render(exposition.metrics(state, moment)))
    text = laps_of(lambda: renderer.render(rows))
    usual = laps_of(lambda: generate_latest(registry))
    lines = renderer.render(exposition.metrics(state, moment)).count(b"\n")

    show(
        f"{lines} lines: rows and text {ours:.2f} ms, text alone {text:.2f} ms;"
        f" generate_latest {usual:.2f} ms"
    )
    assert lines


def laps_of(work, times=200):
    laps = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        laps.append((time.perf_counter() - begun) * 1e3)
    return statistics.median(laps)


class Usual:
    """The same rows, as the usual library wants them."""

    def __init__(self, rows):
        self.rows = rows

    def collect(self):
        for family in catalog.FAMILIES:
            kind = CounterMetricFamily if family.kind == "counter" else GaugeMetricFamily
            made = kind(family.name, family.help, labels=family.labels)
            for labels, value in self.rows.get(family.name, ()):
                made.add_metric(labels, value)
            yield made


@pytest.fixture
def scene_of_eight(tmp_path):
    """A state of eight simulated cards after a minute, and the moment to render it."""
    from exporter.contract import scenario
    from exporter.contract.stage import Stage
    from exporter.simulation.driver import SimulatedDriver
    from exporter.simulation.play import Play

    text = "version = 1\nstart = 2026-03-02T09:00:00Z\n[[node]]\nname = 'a'\ngpus = ['A*9']\n"
    drawn = scenario.load(text.replace("['A*9']", str(["A*9"] * CARDS)))
    clock = StillClock()
    play = Play(stage=Stage(scenario=drawn, origin=clock.wall()), node="a")
    driver = SimulatedDriver(play, clock)
    state = NodeState(Periods())
    devices = driver.devices({})
    for _ in range(60):
        clock.pause(1)
        turns = tuple(
            Turn(
                collector=kind,
                duration=0,
                finding=tuple(getattr(driver, kind)(device) for device in devices),
            )
            for kind in KINDS
        )
        now, wall = clock.monotonic(), clock.wall()
        state.take(Round(at=now, wall=wall, driver="simulated", devices=devices, turns=turns))
    moment = Moment(
        now=clock.now,
        wall_offset=clock.offset,
        version="0",
        node="a",
        boot="b",
        started=0,
        cpu_seconds=0,
        resident_bytes=0,
    )
    return state, moment
