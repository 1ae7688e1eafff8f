"""A writer that is killed at any moment leaves whole transactions, and loses none that it told."""

import random
import subprocess
import sys
import time

import pytest

from reaper.store.sql.store import SqlStore
from tests.project import ROOT
from tests.real.store_writer import GPUS

KILLS = 8
PATIENCE = 60.0


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path) -> str:
    if request.param == "postgresql":
        return request.getfixturevalue("postgresql_url")
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


async def test_what_is_found_after_a_kill_is_always_whole(address):
    chance = random.Random(7)
    told = -1
    for _ in range(KILLS):
        told = max(told, write_and_kill(address, after=chance.uniform(0.0, 0.05)))

        done = await transactions_found(address)

        assert done > told, "a transaction that ended was lost"
    assert told >= KILLS - 1, "each writer told one transaction at least"


def write_and_kill(address: str, *, after: float) -> int:
    """Let a writer begin, kill it a moment later; return the last transaction that it told."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "tests.real.store_writer", address, "killed"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    with writer.stdout as lines:
        first = lines.readline()
        time.sleep(after)
        writer.kill()
        writer.wait(PATIENCE)
        return int((first + lines.read()).split()[-1])


async def transactions_found(address: str) -> int:
    """Return how many transactions every room has, all of them the same number."""
    store = await SqlStore.open(address, cluster="killed")
    async with store.reading() as books:
        done = len(await books.events())
        tracks = await books.tracks(GPUS, 0, done + 5)
        found = {
            "letters": {track.letters.rstrip("?") for track in tracks.values()},
            "demand": len(await books.demand(0, done + 5)),
            "rungs": [case.rung for case in await books.open_cases()],
            "heartbeat": await books.heartbeat(),
        }
    await store.close()
    assert found == {
        "letters": {"A" * done},
        "demand": done,
        "rungs": [done - 1],
        "heartbeat": float(done - 1),
    }
    return done
