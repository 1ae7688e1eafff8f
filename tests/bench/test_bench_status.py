"""What status and explain take at 100,000 GPUs, and help, beside a program that does nothing."""

import asyncio
import resource
import statistics
import sys
from dataclasses import replace
from time import perf_counter, process_time

import pytest

from reaper.domain.picture import Picture, Row
from tests.bench.calibration import calibration
from tests.bench.plant import Plant, planted
from tests.bench.sizes import sized
from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START
from tests.served import serving

GPUS = sized(100_000, 5_000)
RUNS = 3


@pytest.mark.timeout(900)
async def test_commands_at_a_hundred_thousand_gpus(tmp_path):
    """Printed; no test fails on time."""
    plant = await planted(tmp_path / "store", DrawnCluster(GPUS))
    picture = await drawn(plant)
    config = tmp_path / "gpu-reaper.yaml"
    config.write_text(f"cluster: bench\nstore: {{directory: {tmp_path}/store}}\n")
    one = picture.rows[len(picture.rows) // 2].id
    down = ("--config", str(config), "--socket", str(tmp_path / "nobody.sock"))
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
    await said("python -c pass", sys.executable, "-c", "pass")
    await said("--help", *reaper("--help"))
    async with serving(tmp_path, picture) as served:
        asks = ("--socket", str(served.socket))
        await said("status, asking the reaper (to reach 0.5 s)", *reaper("status", *asks))
        await said("explain, asking the reaper (to reach 0.5 s)", *reaper("explain", one, *asks))
    await said("status, from the store", *reaper("status", *down))
    await said("explain, from the store", *reaper("explain", one, *down))
    await plant.cycle.store.close()
    assert len(picture.rows) > GPUS / 4


async def drawn(plant: Plant) -> Picture:
    """Take a turn of the whole cluster, and let what is drawn idle be so."""
    await plant.minute(0)
    before = await plant.questions.status()
    picture = replace(before, rows=tuple(map(idling, before.rows)))
    async with plant.cycle.store.transaction(plant.cycle.epoch) as books:
        await books.keep_picture(picture)
    return picture


def idling(row: Row) -> Row:
    if not row.devices or row.devices[0].letters.count("H") < 60:
        return row
    return replace(row, verdict="idle", idle_gpus=row.gpus, idle_since=START - 3600)


def reaper(*given: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "reaper", *given)


async def said(what: str, *command: str) -> None:
    """Print the median of some runs, and what this process took to serve them."""
    whole, own, served = [], [], []
    for _ in range(RUNS):
        began, spent, mine = perf_counter(), children(), process_time()
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, error = await process.communicate()
        assert process.returncode == 0, error
        whole.append(perf_counter() - began)
        own.append(children() - spent)
        served.append(process_time() - mine)
    print(
        f"{what}: {statistics.median(own):.2f} s of CPU, {statistics.median(served):.2f} s more "
        f"to answer; {statistics.median(whole):.2f} s on the clock; {len(out):,} bytes said"
    )


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
