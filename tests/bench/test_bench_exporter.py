"""What the exporter costs its node, and how fast its page is, beside the usual library."""

import http.client
import statistics
import sys
import time

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from exporter import exposition
from exporter.contract import catalog
from exporter.exposition import Moment
from exporter.page import Page as Renderer
from exporter.snapshot import Round, Turn
from exporter.state import NodeState, Periods
from tests.e2e.exporter.process import ExporterProcess
from tests.exporter.fakes import StillClock
from tests.fake_nvml.fixtures import fake_library, fake_node

__all__ = ["fake_library", "fake_node"]

CARDS = 8
WATCHED = 20.0
KINDS = ("activity", "memory", "power", "health", "processes")


@pytest.fixture
def exporter(tmp_path, fake_library, fake_node):
    for _ in range(CARDS):
        fake_node.add_hopper()
    running = ExporterProcess(
        tmp_path / "log", "--period", "1", environment=fake_node.environment(fake_library)
    )
    running.await_address()
    running.page_when(lambda page: page.values("gpunode_sm_active_seconds_total"))
    yield running
    running.close()


def percentile(values, part):
    return statistics.quantiles(values, n=100)[part - 1]


def scrapes(exporter, count=300, pause=0.005):
    """Return how long each of many scrapes took, in milliseconds."""
    connection = http.client.HTTPConnection(exporter.address)
    laps = []
    for _ in range(count):
        time.sleep(pause)
        begun = time.perf_counter()
        connection.request("GET", "/metrics")
        size = len(connection.getresponse().read())
        laps.append((time.perf_counter() - begun) * 1e3)
    connection.close()
    return laps, size


def show(text):
    print(f"\n  {text}", file=sys.stderr)


def test_what_eight_cards_at_one_second_cost(exporter):
    time.sleep(3)
    first = exporter.page()
    begun = time.monotonic()
    time.sleep(WATCHED)
    second = exporter.page()
    watched = time.monotonic() - begun
    cpu = "gpunode_exporter_cpu_seconds_total"
    share = (second.value(cpu) - first.value(cpu)) / watched
    memory = second.value("gpunode_exporter_resident_memory_bytes") / 2**20

    show(f"exporter, {CARDS} cards at 1 s: {share:.2%} of a core (goal 1 %), {memory:.0f} MiB (80)")
    assert second.value("gpunode_driver_up") == 1


def test_how_fast_a_page_is(exporter):
    laps, size = scrapes(exporter)

    show(
        f"page of {size / 1024:.0f} KiB: median {statistics.median(laps):.2f} ms,"
        f" p99 {percentile(laps, 99):.2f} ms (goal 5), longest {max(laps):.2f} ms"
    )
    assert size


def test_how_fast_a_page_is_while_a_call_hangs(exporter, fake_node):
    fake_node.change({"hang.nvmlDeviceGetUtilizationRates": 1})
    exporter.page_when(lambda page: page.values("gpunode_driver_call_stuck_seconds"))
    laps, size = scrapes(exporter)

    show(
        f"page while a driver call hangs: median {statistics.median(laps):.2f} ms,"
        f" p99 {percentile(laps, 99):.2f} ms (goal 50), longest {max(laps):.2f} ms"
    )
    assert size


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
    from exporter.play import Play
    from exporter.simulated import SimulatedDriver

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
