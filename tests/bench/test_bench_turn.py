"""
What a whole minute takes, from the nodes' pages to what is written and shown, and how it grows.

Beside it: what the same joins take in a plain loop over dictionaries, and what there is of time.
"""

import asyncio
import json
import math
import statistics
import sys
from dataclasses import dataclass
from time import process_time

import pytest

from tests.bench.calibration import calibration
from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START

MINUTES = 9
WARM = 6
"""The minutes that are counted are the last ones: by then cases stand and people are warned."""

PARSED = 8_000
"""GPUs up to which a reaper parses its nodes' pages; beyond that an engine gives the numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minute:
    """The median minute of a cluster: CPU seconds by part, bytes written, bytes held at most."""

    gpus: int
    cpu: dict[str, float]
    written: float
    peak: int
    said: str

    @property
    def whole(self) -> float:
        """Return the CPU seconds of all of it."""
        return sum(self.cpu.values())


async def minutes(gpus: int, place, url: str | None = None) -> Minute:
    """Take some minutes of a cluster in a process of its own."""
    order = {
        "gpus": gpus,
        "minutes": MINUTES,
        "warm": WARM,
        "directory": str(place),
        "pages": gpus <= PARSED,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.whole_minutes"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate(json.dumps(order | {"url": url}).encode() + b"\n")
    assert process.returncode == 0
    answer = json.loads(told)
    counted = answer["minutes"][WARM:]
    return Minute(
        gpus=gpus,
        cpu={
            part: statistics.median(one["cpu"][part] for one in counted)
            for part in counted[0]["cpu"]
        },
        written=statistics.median(one["written"] for one in counted),
        peak=answer["bytes"],
        said=answer["said"],
    )


async def test_a_whole_minute_and_its_slope(tmp_path):
    """Printed beside the limits; no test fails on time."""
    say_calibration()
    small, large = [await said(gpus, tmp_path / str(gpus)) for gpus in (1_000, PARSED)]

    slope = math.log(large.cpu["turn"] / small.cpu["turn"]) / math.log(large.gpus / small.gpus)
    print(f"slope of a turn over size: {slope:.2f} (to reach ≤ 1.1)")
    assert "idle" in large.said


@pytest.mark.timeout(1200)
async def test_a_turn_of_a_hundred_thousand_gpus(tmp_path):
    say_calibration()

    found = await said(100_000, tmp_path)

    print("to reach: a turn ≤ 15 s of CPU, ≤ 1 GiB in all")
    assert "idle" in found.said


@pytest.mark.real
async def test_a_whole_minute_on_postgresql(tmp_path, postgresql_url):
    say_calibration()

    found = await said(1_000, tmp_path, postgresql_url)

    assert "idle" in found.said


def test_the_same_joins_in_a_plain_loop():
    """Return claims by node key and devices by index, and join every share: nothing else."""
    cluster = DrawnCluster(10_000)
    reports = [node.report(START) for node in cluster.nodes]
    began = process_time()
    claims = {("slurm", name): claim for claim in cluster.claimed for name in claim.node_ids}
    devices = {device.gpu: device for report in reports for device in report.devices}
    joined = sum(
        1
        for report in reports
        for share in report.shares
        if (share.platform, share.id) in claims and share.gpu in devices
    )
    print(f"\na plain loop over the shares of 10,000 GPUs: {process_time() - began:.3f} s of CPU")
    assert joined


async def said(gpus: int, place, url: str | None = None) -> Minute:
    place.mkdir(exist_ok=True)
    found = await minutes(gpus, place, url)
    parts = ", ".join(f"{part} {seconds:.2f}" for part, seconds in found.cpu.items())
    print(
        f"{gpus:,} GPUs: {found.whole:.2f} s of CPU a minute ({parts}); "
        f"{found.written / 2**20:.2f} MiB written, {found.written / gpus:,.0f} B a device; "
        f"at most {found.peak / 2**20:,.0f} MiB with the drawn cluster; {found.said}"
    )
    return found


def say_calibration() -> None:
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
