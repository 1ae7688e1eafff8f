"""The implementations that each contract suite runs against."""

from uuid import uuid4

import pytest

from reaper.domain.facts.grid import Pace
from reaper.store.memory import MemoryStore
from reaper.store.sql.store import SqlStore


@pytest.fixture
def pace():
    """Give the grid; a suite may choose another."""
    return Pace()


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
async def store(request, tmp_path, pace):
    """Give an empty store, whose cluster nobody else uses."""
    cluster = f"test {uuid4().hex}"
    if request.param == "memory":
        store = MemoryStore(cluster=cluster, pace=pace)
    elif request.param == "sqlite":
        place = f"sqlite:///{tmp_path / 'store.sqlite'}"
        store = await SqlStore.open(place, cluster=cluster, pace=pace)
    else:
        place = request.getfixturevalue("postgresql_url")
        store = await SqlStore.open(place, cluster=cluster, pace=pace)
    yield store
    await store.close()


@pytest.fixture
async def epoch(store):
    """Lead the store."""
    return await store.lead("tests", 0.0)
