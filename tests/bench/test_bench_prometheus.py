"""How long a minute of a whole large cluster takes to ask for and to read."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from tests.bench.asked_minutes import engine_counts
from tests.bench.drawn_pages import CARDS, ORIGIN, reports
from tests.bench.sizes import sized
from tests.components import require
from tests.pages import metrics
from tests.project import ROOT
from tests.real.engines import flush, victoria_engine

GPUS = sized(100_000, 4_000)
NODES = GPUS // CARDS
NODES_A_REQUEST = 50
MINUTES = 3
POLL_SECONDS = 2.0
BUSY_SECONDS = 0.1
LIMIT_SECONDS = 20.0
LIMIT_BYTES = 1024**3
OPENER = build_opener(ProxyHandler({}))


@pytest.mark.timeout(1800)
async def test_a_minute_of_a_hundred_thousand_gpus_is_asked_for_and_read(tmp_path: Path) -> None:
    """Printed beside the limit; no test fails on time."""
    require("victoria-metrics")
    pages = [metrics(report) for report in await reports(MINUTES, step=60.0)]
    ends = [ORIGIN + 60.0 * number for number in range(1, MINUTES + 1)]
    with victoria_engine(tmp_path) as address:
        began = time.perf_counter()
        for page, end in zip(pages, ends, strict=True):
            fill(address, page, end)
        flush(address)
        rest(address)
        print(
            f"\n{series(pages[0]) * NODES:,} series filled in {time.perf_counter() - began:.0f} s"
        )
        minutes = asked(address, ends)
    for number, minute in enumerate(minutes):
        assert minute["errors"] == []
        assert minute["readings"] == NODES * CARDS
        what = "the first minute, with identities" if number == 0 else "a minute"
        together = (minute["worked"] + minute["engine"]) / 2
        print(
            f"{what} of {minute['readings']:,} GPUs: {minute['seconds']:.1f} s "
            f"(limit {LIMIT_SECONDS:.0f}); the reaper worked {minute['worked']:.1f} s, "
            f"the engine {minute['engine']:.1f} s for {minute['series']:,.0f} series "
            f"in {minute['queries']:.0f} queries, together {together:.1f} s of two cores; "
            f"{minute['bytes'] / 2**20:.0f} MiB at most (limit {LIMIT_BYTES / 2**20:.0f})"
        )


def rest(address: str) -> None:
    """Wait until the engine has put away what was written, at most a minute."""
    worked = -1.0
    for _ in range(30):
        before, worked = worked, engine_counts(f"http://{address}")["engine"]
        if before >= 0 and worked - before < BUSY_SECONDS:
            return
        time.sleep(POLL_SECONDS)


def asked(address: str, ends: list[float]) -> list[dict]:
    order = json.dumps({"url": f"http://{address}", "ends": ends}) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.asked_minutes"],
        input=order,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def fill(address: str, page: bytes, end: float) -> None:
    """Write every node's page into the engine, some nodes a request."""
    text = "".join(labelled(own(page.decode()), end))
    for first in range(0, NODES, NODES_A_REQUEST):
        nodes = range(first, min(first + NODES_A_REQUEST, NODES))
        body = "".join(text.replace("gpu0000", f"gpu{node:05}") for node in nodes)
        request = Request(f"http://{address}/api/v1/import/prometheus", data=body.encode())
        with OPENER.open(request, timeout=120) as answer:
            assert answer.status == 204


def own(page: str) -> str:
    """Return a page whose devices are named after their node."""
    for name in set(re.findall(r'gpu="(GPU-[^"]+)"', page)):
        page = page.replace(name, f"{name[:-7]}gpu0000")
    return page


def labelled(page: str, end: float) -> Iterator[str]:
    """Yield a page's samples with the labels of a target and a time."""
    target = 'instance="gpu0000:19440",job="gpu-exporter"'
    for line in page.splitlines():
        if not line.startswith("#"):
            series_, value = line.rsplit(" ", 1)
            name, _, labels = series_.partition("{")
            inner = labels.rstrip("}")
            yield f"{name}{{{inner}{',' if inner else ''}{target}}} {value} {end * 1000:.0f}\n"


def series(page: bytes) -> int:
    """Count the samples of a page."""
    return sum(1 for line in page.splitlines() if not line.startswith(b"#"))
