"""
What a whole minute takes, from the nodes' pages to what is written and shown, and how it grows.

Beside it: what the same joins take in a plain loop over dictionaries, and what there is of time.
"""

import asyncio
import json
import math
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from pstats import Stats
from time import process_time

import pytest

from tests.bench.calibration import calibration
from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START

MINUTES = 10
WARM = 6
"""The minutes that are counted are the last ones: by then cases stand and people are warned."""

FIRST = 1
"""The minute in which every allocation is judged, as nothing is known of the one before."""

PARTS = {
    "closing letters": "closing.py:close",
    "who holds what": "ownership.py:read",
    "hosts": "reckoning.py:_hosts",
    "judging": "docket.py:items",
    "ledger": "ledgering.py:ledgered",
    "drawing": "drawing.py:draw",
    "notes": "noting.py:note",
    "writing": "writing.py:write",
}
"""Parts of a turn by the function that does it."""

PARSED = 8_000
"""GPUs up to which a reaper parses its nodes' pages; beyond that an engine gives the numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minute:
    """The median minute of a cluster: seconds by part, bytes written, bytes held at most."""

    gpus: int
    cpu: dict[str, float]
    wall: float
    first: float
    """CPU seconds of the turn in which every allocation is judged."""
    parts: dict[str, float]
    """Shares of a turn, by what is done."""
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
        "profile": str(place / "turn.profile"),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.whole_minutes"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate(json.dumps(order | {"url": url}).encode() + b"\n")
    assert process.returncode == 0
    answer = json.loads(told)
    # The last one is profiled, which costs.
    counted = answer["minutes"][WARM:-1]
    return Minute(
        gpus=gpus,
        cpu={
            part: statistics.median(one["cpu"][part] for one in counted)
            for part in counted[0]["cpu"]
        },
        wall=statistics.median(sum(one["wall"].values()) for one in counted),
        first=answer["minutes"][FIRST]["cpu"]["turn"],
        parts=dict(shares(place / "turn.profile")),
        written=statistics.median(one["written"] for one in counted),
        peak=answer["bytes"],
        said=answer["said"],
    )


@pytest.mark.timeout(600)
async def test_a_whole_minute_and_its_slope(tmp_path):
    """Printed beside the limits; no test fails on time."""
    say_calibration()
    found = [await said(gpus, tmp_path / str(gpus)) for gpus in (1_000, PARSED, 10_000)]

    small, large, engine = found
    slope = math.log(large.cpu["turn"] / small.cpu["turn"]) / math.log(large.gpus / small.gpus)
    print(f"slope of a turn over size: {slope:.2f} (to reach ≤ 1.1)")
    print("to reach: a turn of 10,000 ≤ 1.5 s of CPU, a quiet one ≤ 0.5 s")
    print("to reach: the minute of 1,000 nodes of 8 ≤ 12 s of CPU, fetching them included")
    print("to reach: ≤ 300 B a device a minute, at 1,000 GPUs ≤ 0.2 MiB a minute")
    assert all("idle" in one.said for one in (large, engine))


@pytest.mark.timeout(1200)
async def test_a_turn_of_a_hundred_thousand_gpus(tmp_path):
    say_calibration()

    found = await said(100_000, tmp_path)

    print("to reach: a turn ≤ 15 s of CPU, a quiet one ≤ 5 s, ≤ 1 GiB in all")
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


def shares(profile: Path) -> Iterator[tuple[str, float]]:
    """Yield the share of a profiled turn that each of its parts took."""
    took = {
        f"{Path(file).name}:{name}": cumulated
        for (file, _, name), (_, _, _, cumulated, _) in Stats(str(profile)).stats.items()
        if "reaper" in file
    }
    for part, function in PARTS.items():
        yield part, took.get(function, 0.0) / took["turn.py:_turn"]


async def said(gpus: int, place, url: str | None = None) -> Minute:
    place.mkdir(exist_ok=True)
    found = await minutes(gpus, place, url)
    spent = ", ".join(f"{part} {seconds:.2f}" for part, seconds in found.cpu.items())
    parts = ", ".join(f"{part} {share:.0%}" for part, share in found.parts.items())
    print(
        f"{gpus:,} GPUs: {found.whole:.2f} s of CPU a minute ({spent}), {found.wall:.2f} s of wall "
        f"time; the turn in which all are judged {found.first:.2f}; "
        f"{found.written / 2**20:.2f} MiB written, {found.written / gpus:,.0f} B a device; "
        f"at most {found.peak / 2**20:,.0f} MiB with the drawn cluster; {found.said}\n"
        f"  of the turn under a profiler: {parts}"
    )
    return found


def say_calibration() -> None:
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
