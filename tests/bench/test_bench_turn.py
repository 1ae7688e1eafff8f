"""
What a whole minute takes, from the nodes' pages to what is written and shown, and how it grows.

Beside it: what the same joins take in a plain loop over dictionaries, and what there is of time.
"""

import asyncio
import json
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from pstats import Stats
from time import monotonic, process_time, sleep

import pytest

from tests.bench.asked_nodes import listening_nodes
from tests.bench.calibration import calibration
from tests.bench.sizes import sized
from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START
from tests.components import require
from tests.real.prometheus_server import OPENER, Prometheus, prometheus

MINUTES = (*["warm"] * 6, *["churning"] * 4, "warm", *["quiet"] * 5)
"""
How each minute is; those that count come when cases stand and people are warned.

In one that churns the runs on one node in fifty end and others begin there; in a quiet one no claim
changes, verdicts hold and letters go on.  The last one is profiled, which costs.
"""

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

PARSED = sized(8_000, 800)
"""GPUs up to which a reaper parses its nodes' pages; beyond that an engine gives the numbers."""

EVERY = sized("15s", "2s")
SCRAPES = """
global: {{scrape_interval: {every}}}
scrape_configs: [{{job_name: nodes, static_configs: [{{targets: {targets}}}]}}]
"""
ROUNDS = 4
PATIENCE = 240.0
COUNTS = {
    "samples": "prometheus_tsdb_head_samples_appended_total",
    "seconds": "process_cpu_seconds_total",
    "bytes": "process_resident_memory_bytes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Minute:
    """The median minute of a cluster: seconds by part, bytes written, bytes held at most."""

    gpus: int
    cpu: dict[str, float]
    quiet: float
    """CPU seconds of the turn in which nothing but letters is new."""
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


async def minutes(gpus: int, place, pages: str, url: str | None = None) -> Minute:
    """Take some minutes of a cluster in a process of its own."""
    kinds = [kind if pages != "fetched" or kind == "warm" else "quiet" for kind in MINUTES]
    order = {
        "gpus": gpus,
        "minutes": kinds,
        "directory": str(place),
        "pages": pages,
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
    lived = list(zip(kinds, answer["minutes"], strict=True))[:-1]
    quiet = [one for kind, one in lived if kind == "quiet"]
    counted = [one for kind, one in lived if kind == "churning"] or quiet
    return Minute(
        gpus=gpus,
        cpu={
            part: statistics.median(one["cpu"][part] for one in counted)
            for part in counted[0]["cpu"]
        },
        quiet=statistics.median(one["cpu"]["turn"] for one in quiet),
        wall=statistics.median(sum(one["wall"].values()) for one in counted),
        first=answer["minutes"][FIRST]["cpu"]["turn"],
        parts=dict(shares(place / "turn.profile")),
        written=statistics.median(one["written"] for one in counted),
        peak=answer["bytes"],
        said=answer["said"],
    )


@pytest.mark.timeout(3000)
async def test_a_turn_and_its_slope(tmp_path):
    """Printed beside the limits; no test fails on time."""
    say_calibration()
    sizes = sized((1_000, PARSED, 10_000, 100_000), (200, PARSED, 2_000))
    found = {gpus: await said(gpus, tmp_path / str(gpus), kind_of(gpus)) for gpus in sizes}

    for small, large in combinations([gpus for gpus in sizes if gpus != PARSED], 2):
        times = math.log(large / small)
        slope, quiet = (
            math.log(take(found[large]) / take(found[small])) / times
            for take in (lambda one: one.cpu["turn"], lambda one: one.quiet)
        )
        print(
            f"slope of a turn over size from {small:,} to {large:,}: {slope:.2f}, of a quiet one "
            f"{quiet:.2f} (to reach ≤ 1.1)"
        )
    print("to reach: a turn of 10,000 ≤ 1.5 s of CPU, a quiet one ≤ 0.5 s")
    print("to reach: a turn of 100,000 ≤ 15 s of CPU, a quiet one ≤ 5 s, ≤ 1 GiB in all")
    print("to reach: ≤ 300 B a device a minute, at 1,000 GPUs ≤ 0.2 MiB a minute")
    say_calibration()
    assert all("idle" in one.said for one in found.values())


def kind_of(gpus: int) -> str:
    return "parsed" if gpus <= PARSED else "given"


@pytest.mark.timeout(900)
async def test_the_whole_minute_of_a_thousand_nodes(tmp_path):
    """Four rounds over HTTP, by the reaper's own scraper, and the turn, all in one process."""
    say_calibration()

    found = await said(PARSED, tmp_path, "fetched")

    print("to reach: the minute of 1,000 nodes of 8 ≤ 12 s of CPU")
    assert "idle" in found.said


@pytest.mark.real
@pytest.mark.timeout(600)
async def test_what_prometheus_needs_for_the_same_pages(tmp_path):
    """Scrape and store the pages of the same thousand nodes; its own page says what it took."""
    require("prometheus")
    say_calibration()
    async with listening_nodes(PARSED) as nodes:
        targets = json.dumps([f"127.0.0.1:{port}" for port in nodes.ports])
        with prometheus(tmp_path, SCRAPES.format(targets=targets, every=EVERY)) as server:
            await asyncio.to_thread(until, lambda: total(server, "sum(up)") == len(nodes.ports))
            samples = total(server, "sum(scrape_samples_scraped)")
            before = counts(server)
            enough = before["samples"] + ROUNDS * samples
            await asyncio.to_thread(until, lambda: counts(server)["samples"] >= enough)
            after = counts(server)
    each = (after["seconds"] - before["seconds"]) / (after["samples"] - before["samples"])
    print(
        f"Prometheus: {each * ROUNDS * samples:.2f} s of CPU for the four rounds of a minute, "
        f"{samples:,.0f} samples each, {1e6 * each:.2f} µs a sample; "
        f"{after['bytes'] / 2**20:,.0f} MiB"
    )
    assert each > 0


def total(server: Prometheus, expression: str) -> float:
    """Return the one number of a query; 0.0 while there is none."""
    found = server.query(expression)
    return float(found[0]["value"][1]) if found else 0.0


def counts(server: Prometheus) -> dict[str, float]:
    """Return what its own page says of its work."""
    with OPENER.open(f"http://{server.address}/metrics", timeout=60) as answer:
        lines = (line.split() for line in answer.read().decode().splitlines())
        page = [(line[0].partition("{")[0], float(line[-1])) for line in lines if line[0] != "#"]
    return {
        name: sum(value for family, value in page if family == wanted)
        for name, wanted in COUNTS.items()
    }


def until(look: Callable[[], bool]) -> None:
    """Look again and again until something is so."""
    end = monotonic() + PATIENCE
    while not look():
        assert monotonic() < end
        sleep(1.0)


@pytest.mark.real
async def test_a_whole_minute_on_postgresql(tmp_path, postgresql_url):
    say_calibration()

    found = await said(1_000, tmp_path, "parsed", postgresql_url)

    assert "idle" in found.said


def test_the_same_joins_in_a_plain_loop():
    """Return claims by node key and devices by index, and join every share: nothing else."""
    cluster = DrawnCluster(10_000)
    reports = [node.report(START) for node in cluster.nodes]
    began = process_time()
    claims = {
        ("slurm", name): claim for claim in cluster.claims(START).claims for name in claim.node_ids
    }
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


async def said(gpus: int, place, pages: str, url: str | None = None) -> Minute:
    place.mkdir(exist_ok=True)
    found = await minutes(gpus, place, pages, url)
    spent = ", ".join(f"{part} {seconds:.2f}" for part, seconds in found.cpu.items())
    parts = ", ".join(f"{part} {share:.0%}" for part, share in found.parts.items())
    print(
        f"{gpus:,} GPUs: {found.whole:.2f} s of CPU a minute ({spent}), {found.wall:.2f} s of wall "
        f"time; a quiet turn {found.quiet:.2f}; that in which all are judged {found.first:.2f}; "
        f"{found.written / 2**20:.2f} MiB written, {found.written / gpus:,.0f} B a device; "
        f"at most {found.peak / 2**20:,.0f} MiB with the drawn cluster; {found.said}\n"
        f"  of the turn under a profiler: {parts}"
    )
    return found


def say_calibration() -> None:
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
