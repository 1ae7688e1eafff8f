"""The program as a service: it starts, answers, refuses a second one, and ends cleanly."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

PATIENCE = 60.0


async def start(configuration: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "reaper", "run", "--config", str(configuration),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def said(process: asyncio.subprocess.Process, text: str) -> bool:
    """Read its log until a text occurs."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while line := await process.stderr.readline():
            if text in line.decode():
                return True
    return False


@pytest.fixture
async def running(stored: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await start(stored)
    assert await said(process, "page at http://127.0.0.1:")
    yield process
    if process.returncode is None:
        process.kill()
        await process.wait()


async def test_it_answers_while_it_runs(running, stored, ask):
    answer = await ask("status", "--config", stored)

    assert "from the running reaper" in answer.output


async def test_it_ends_cleanly_when_it_is_told_to(running, stored):
    running.send_signal(signal.SIGTERM)
    async with asyncio.timeout(PATIENCE):
        ended = await running.wait()

    assert ended == 0
    assert not (stored.parent / "reaper.sock").exists()


async def test_a_second_one_is_refused_and_the_first_goes_on(running, stored, ask):
    second = await start(stored)
    refused = await said(second, "another gpu-reaper listens at")
    ended = await second.wait()
    answer = await ask("pause", "--reason", "still leading", "--config", stored)

    assert (refused, ended) == (True, 1)
    assert answer.exit_code == 0
