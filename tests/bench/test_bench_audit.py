"""Months of Slurm's books become an audit: seconds, memory, and beside them a plain csv loop."""

import asyncio
import json
import sys

import pytest

from tests.bench.calibration import calibration
from tests.bench.sizes import sized

ROWS = sized((200_000, 2_000_000), (20_000,))
"""A busy site writes the first in some months, a large one the second."""
RATIO = 5
"""So many times a plain csv loop an audit should take at most."""


@pytest.mark.timeout(1800)
async def test_months_of_sacct_are_audited(tmp_path):
    """Printed; no test fails on time."""
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
    for count in ROWS:
        took = await audited({"rows": count, "path": str(tmp_path / "sacct.txt")})
        seconds, ratio = took["audit"], took["audit"] / took["loop"]
        size = (tmp_path / "sacct.txt").stat().st_size / 2**20
        print(
            f"audit of {count:,} rows ({size:.0f} MiB): {seconds:.1f} CPU s, "
            f"{count / seconds:,.0f} rows a CPU second, {ratio:.1f} times a csv loop "
            f"(limit {RATIO}), {took['peak']:,.0f} MiB at the peak, {took['before']:,.0f} before"
        )
        assert seconds


async def audited(order: dict[str, object]) -> dict[str, float]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.audited_file"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate(json.dumps(order).encode() + b"\n")
    assert process.returncode == 0
    return json.loads(told)
