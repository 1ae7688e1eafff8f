"""A reaper starts on a store of a year at 10,000 GPUs: how long until its first turn is written."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.bench.calibration import calibration

GPUS = 10_000


@pytest.mark.timeout(1800)
async def test_a_start_on_a_year_of_ten_thousand_gpus(tmp_path):
    """Printed; no test fails on time.  A start that takes a minute has missed one."""
    await done("fill", tmp_path)
    size = (tmp_path / "reaper.sqlite").stat().st_size

    took = await done("start", tmp_path)

    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
    print(f"a store of a year at {GPUS:,} GPUs, {size / 2**30:.1f} GiB: " + said(took))
    assert took["first turn and page"]


def said(took: dict[str, float]) -> str:
    return ", ".join(f"{name} {number:,.1f}" for name, number in took.items())


async def done(what: str, place: Path) -> dict[str, float]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.year_store"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    order = {"do": what, "gpus": GPUS, "directory": str(place)}
    told, _ = await process.communicate(json.dumps(order).encode() + b"\n")
    assert process.returncode == 0
    return json.loads(told)
