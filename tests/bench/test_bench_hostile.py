"""How long the worst pages under the size limit stop everything else, beside the goal."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.settings import ExporterSettings
from reaper.edge.clock import SystemClock
from tests.bench.hostile_nodes import KINDS
from tests.pages import metrics
from tests.reaper.activity.exporters.conftest import report

SERVER = Path(__file__).with_name("hostile_nodes.py")
GOAL = 0.1
LOOK = 0.005


@pytest.fixture
def served() -> Iterator[str]:
    """Serve the pages from a process of their own, and give its address."""
    now = SystemClock().now()
    good = metrics(report(at=now, started=now - 100))
    with subprocess.Popen(
        [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        server.stdin.write(b"%d\n%s" % (len(good), good))
        server.stdin.flush()
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        server.stdin.close()


async def stopped(url: str) -> tuple[float, float, str]:
    """Return for how long the loop stood still at most while a page was read, and the answer."""
    clock, longest, ended = SystemClock(), 0.0, asyncio.Event()

    async def watch() -> None:
        nonlocal longest
        while not ended.is_set():
            began = perf_counter()
            await clock.sleep(LOOK)
            longest = max(longest, perf_counter() - began - LOOK)

    settings = ExporterSettings(targets=(url,), timeout="30s", people_interval="100ms")
    async with ExporterActivity(settings, clock=clock) as activity:
        watching, began = asyncio.create_task(watch()), perf_counter()
        for _ in range(3):
            (found,) = (await activity.readings(0)).nodes
        took = perf_counter() - began
        ended.set()
        await watching
    return longest, took, found.error or f"read, {len(found.devices)} devices"


async def test_no_page_stops_the_loop(served):
    print(f"\n  longest stop of the loop, goal {GOAL * 1000:.0f} ms")
    paths = {name: f"/{number}" for number, name in enumerate(KINDS)} | {"gzip bomb": "/bomb"}
    for name, path in paths.items():
        longest, took, said = await stopped(f"{served}{path}")
        print(f"  {name:28} {longest * 1000:6.0f} ms  ({took:.1f} s for three)  {said[:70]}")
