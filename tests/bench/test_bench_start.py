"""A reaper starts on a store of a year at 10,000 GPUs: how long until its first turn is written."""

import asyncio
import json
import sys
from pathlib import Path

import asyncpg
import pytest

from tests.bench.calibration import calibration
from tests.bench.sizes import sized

GPUS = sized(10_000, 500)


@pytest.mark.timeout(1800)
async def test_a_start_on_a_year_of_ten_thousand_gpus(tmp_path):
    """Printed; no test fails on time.  A start that takes a minute has missed one."""
    await done("fill", tmp_path)
    size = (tmp_path / "reaper.sqlite").stat().st_size

    took = await done("start", tmp_path)

    say(f"SQLite, {size / 2**30:.1f} GiB", took)
    assert took["first turn and page"]


@pytest.mark.real
@pytest.mark.timeout(1800)
async def test_the_same_start_on_postgresql(tmp_path, postgresql_url):
    """The reaper's own seconds; those of the server are not among them."""
    url = await made(postgresql_url, "year")
    await done("fill", tmp_path, url)

    took = await done("start", tmp_path, url)

    say(f"PostgreSQL, {await size_of(url) / 2**30:.1f} GiB", took)
    assert took["first turn and page"]


async def made(url: str, name: str) -> str:
    """Return the URL of a new database of that server."""
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return f"{url.rpartition('/')[0]}/{name}"


async def size_of(url: str) -> int:
    connection = await asyncpg.connect(url)
    size: int = await connection.fetchval("SELECT pg_database_size(current_database())")
    await connection.close()
    return size


def say(where: str, took: dict[str, float]) -> None:
    print(f"\nthis machine: {calibration():.3f} s of CPU for the fixed loop")
    print(f"a store of a year at {GPUS:,} GPUs, {where}: " + said(took))


def said(took: dict[str, float]) -> str:
    return ", ".join(f"{name} {number:,.1f}" for name, number in took.items())


async def done(what: str, place: Path, url: str | None = None) -> dict[str, float]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.year_store"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    order = {"do": what, "gpus": GPUS, "directory": str(place), "url": url}
    told, _ = await process.communicate(json.dumps(order).encode() + b"\n")
    assert process.returncode == 0
    return json.loads(told)
