"""A program that misbehaves costs its time limit and nothing else."""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from reaper.edge.command import (
    CommandFloodError,
    CommandMissingError,
    CommandTimeoutError,
    Finished,
    run,
)

ENOUGH = 1 << 20


async def python(code: str, *, within: float = 20.0, limit: int = ENOUGH, **environment: str):
    return await run(
        (sys.executable, "-c", code), environment=environment, within=within, limit=limit
    )


async def test_it_returns_status_and_both_streams():
    done = await python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")

    assert done == Finished(status=3, out="out\n", err="err\n")


async def test_only_the_given_environment_reaches_the_program():
    done = await python("import os; print('HOME' in os.environ, os.environ['TZ'])", TZ="UTC")

    assert done.out == "False UTC\n"


async def test_bytes_that_are_no_utf8_are_replaced_and_not_dropped():
    done = await python("import sys; sys.stdout.buffer.write(b'a\\xffb\\n')")

    assert done.out == "a\ufffdb\n"


async def test_a_program_that_is_not_there_is_named():
    with pytest.raises(CommandMissingError, match="no-such-squeue"):
        await run(("no-such-squeue",), environment={}, within=5, limit=ENOUGH)


async def test_a_program_that_hangs_is_killed_with_its_children(tmp_path: Path):
    code = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)"
    )

    with pytest.raises(CommandTimeoutError, match=r"did not answer in 1\.5 s"):
        await python(code, within=1.5)

    await until_gone(int((tmp_path / "pid").read_text()))


async def test_a_program_that_says_too_much_is_killed():
    with pytest.raises(CommandFloodError, match="more than 1000 bytes"):
        await python("while True: print('x' * 100)", limit=1000)


async def test_whoever_says_too_much_or_hangs_keeps_no_pipe_open():
    before = pipes()
    with pytest.raises(CommandFloodError):
        await python("print('x' * 10_000_000)", limit=1000)
    away = "subprocess.Popen(['sleep', '30'], start_new_session=True)"
    with pytest.raises(CommandTimeoutError):
        await python(f"import subprocess, time; {away}; time.sleep(30)", within=1.0)

    async with asyncio.timeout(20):
        while pipes() - before:
            await asyncio.wait({asyncio.create_task(asyncio.Event().wait())}, timeout=0.05)


async def test_a_cancelled_caller_leaves_no_child_behind(tmp_path: Path):
    code = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    task = asyncio.create_task(python(code + "time.sleep(60)"))
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        await asyncio.wait({task}, timeout=0.05)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await until_gone(int((tmp_path / "pid").read_text()))


def pipes() -> set[str]:
    """Return the pipes that this process has open."""
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.add(str(path.readlink()))
    return {name for name in found if name.startswith("pipe:")}


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(20):
        while alive(pid):
            await asyncio.wait({asyncio.create_task(asyncio.Event().wait())}, timeout=0.05)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
