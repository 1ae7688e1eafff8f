"""What it takes to scrape a thousand nodes of eight GPUs, beside the fifteen seconds there are."""

import base64
import gc
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import pytest

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.heap import settle
from reaper.app.running import SELDOM
from reaper.edge.clock import SystemClock
from reaper.ports import NodeReport, Readings
from tests.bench.drawn_pages import reports
from tests.pages import metrics

NODES = 1000
INTERVAL = 15.0
ROUNDS = 5
STAMP = 1111111111.5
LIMIT = 2.4
"""Microseconds a sample that Prometheus takes for the same."""
SERVER = Path(__file__).with_name("thousand_nodes.py")


@pytest.fixture
def open_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(4096, hard)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def as_in_production() -> Iterator[None]:
    """Look for cycles as seldom as the reaper does, and not among what a turn left."""
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


@pytest.fixture
async def drawn() -> list[bytes]:
    """Return two pages whose node, devices and times the server fills in."""
    return [
        metrics(stamped(report)).replace(b"GPU-", b"GPU-XXXX")
        for report in await reports(2, step=1)
    ]


@pytest.fixture
def targets(open_files, drawn) -> Iterator[list[str]]:
    """Start the nodes in a process of their own and give their addresses."""
    order = {
        "nodes": NODES,
        "name": "gpu0000",
        "gpu": "GPU-XXXX",
        "stamp": repr(STAMP),
        "pages": [base64.b64encode(page).decode() for page in drawn],
    }
    with subprocess.Popen(
        [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        yield [f"127.0.0.1:{port}" for port in json.loads(server.stdout.readline())]
        server.stdin.close()


def stamped(report: NodeReport) -> NodeReport:
    readings = tuple(replace(reading, at=STAMP) for reading in report.readings)
    return replace(report, as_of=STAMP + 0.5, readings=readings)


@pytest.mark.usefixtures("as_in_production")
async def test_a_round_over_a_thousand_nodes(targets, drawn):
    samples = NODES * sum(not line.startswith(b"#") for line in drawn[0].splitlines())
    settings = ExporterSettings.model_validate({"targets": targets, "people_interval": "1h"})
    async with ExporterActivity(settings, clock=SystemClock()) as activity:
        print(f"\n{NODES} nodes of 8 GPUs each; a round is due every {INTERVAL:g} s")
        for number in range(ROUNDS):
            wall, cpu = perf_counter(), process_time()
            answer = await activity.readings(0)
            wall, cpu = perf_counter() - wall, process_time() - cpu
            answered = sum(not report.error for report in answer.nodes)
            what = "first round" if number == 0 else f"round {number + 1}"
            print(
                f"{what:<12}{cpu:6.2f} s of a core ({cpu / INTERVAL:4.0%}), {wall:6.2f} s in all,"
                f" {cpu / samples * 1e6:.2f} µs a sample (limit {LIMIT}), {answered} answered"
            )
            settle()
        check(answer)
        print(f"resident: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def check(answer: Readings) -> None:
    assert {report.error for report in answer.nodes} == {""}
    assert sum(len(report.readings) for report in answer.nodes) == NODES * 8
