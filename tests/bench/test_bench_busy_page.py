"""How long pages take at 100,000 GPUs while a turn runs, and how long the loop is held by it."""

import asyncio
import gc
import json
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter

import pytest

from reaper.app.running import SELDOM
from reaper.observers import Source, observe_once
from reaper.ports import Readings
from tests.bench.calibration import calibration
from tests.bench.plant import Plant, planted
from tests.bench.sizes import sized
from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START
from tests.served import serving

WARM, TURNS = 6, 3
TICK = 0.005


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("gpus", sized([10_000, 100_000], [1_000]))
async def test_pages_while_a_turn_runs(tmp_path, gpus):
    """Printed; no test fails on time."""
    plant = await planted(tmp_path / "store", DrawnCluster(gpus))
    gc.set_threshold(*SELDOM)
    for turn in range(WARM):
        await plant.minute(turn)
    gc.collect()
    gc.freeze()
    picture = await plant.questions.status()
    one = picture.rows[len(picture.rows) // 2].id
    paths = ("/", f"/allocation/slurm/{one}", f"/api/v1/explain?name={one}", "/healthz")
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop; {gpus:,} GPUs")
    async with serving(tmp_path, None, store=plant.cycle.store) as served:
        url = f"http://{served.web.address}"
        async with asked(url, paths) as resting:
            await asyncio.sleep(10)
        plant.cycle.epoch = served.epoch
        async with asked(url, paths) as busy, ticking() as holds:
            for turn in range(WARM, WARM + TURNS):
                await minute(plant, START + 60.0 * turn)
    for path in paths:
        print(f"{path}: {told(resting[path])}; while turns run {told(busy[path])}")
    worst = ", ".join(f"{1e3 * seconds:.0f}" for seconds in sorted(holds.late)[:-6:-1])
    print(f"the loop was late by at most {worst} ms (to reach 100)")
    await plant.cycle.store.close()
    assert all(busy.values())


async def minute(plant: Plant, begin: float) -> None:
    """Take a minute as in production; what draws the cluster is no part of it, and stands aside."""
    cluster, board, clock = plant.cluster, plant.cycle.board, plant.cycle.clock
    at = begin + 59.0
    reports = await asyncio.to_thread(lambda: tuple(node.report(at) for node in cluster.nodes))
    claims = await asyncio.to_thread(cluster.claims, at + 0.8)
    clock.jump(at + 1.5)

    async def ask() -> Readings:
        return Readings(as_of=at, nodes=reports)

    source = Source(name="exporters", role="activity", ask=ask, interval=15.0, patience=60.0)
    await observe_once(source, board=board, clock=clock)
    board.put(source="slurm", role="holder", answer=claims, took=1.0)
    board.put(source="slurm", role="demand", answer=cluster.waiting(at), took=0.1)
    await plant.sweeper.turn(plant.cycle.turn)


@asynccontextmanager
async def asked(url: str, paths: tuple[str, ...]):
    """Let another process ask meanwhile; what each took is there afterwards."""
    found: dict[str, list[float]] = {}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.asking"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    order = {"url": url, "paths": paths, "pause": 0.05}
    process.stdin.write(json.dumps(order).encode() + b"\n")
    yield found
    out, _ = await process.communicate(b"stop\n")
    assert process.returncode == 0
    found.update(json.loads(out))


@dataclass
class Holds:
    """How late a tick of the loop was, in seconds, each time."""

    late: list[float] = field(default_factory=list)


@asynccontextmanager
async def ticking():
    """Watch how late the loop comes to what is due every few milliseconds."""
    holds = Holds()

    async def watch() -> None:
        while True:
            began = perf_counter()
            await asyncio.sleep(TICK)
            holds.late.append(perf_counter() - began - TICK)

    task = asyncio.create_task(watch())
    yield holds
    task.cancel()


def told(seconds: list[float]) -> str:
    """Return the median, the 99th percentile and the most of some durations."""
    ordered = sorted(seconds)
    most = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"median {1e3 * ordered[len(ordered) // 2]:.0f} ms, p99 {1e3 * most:.0f} ms "
        f"of {len(ordered)}"
    )
