"""Somebody who may only read the store's files reads them, while the reaper runs and after."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from reaper.store import open_reading, open_store
from reaper.store.settings import StoreSettings

NOBODY = 65534


@pytest.fixture
def settings(require):
    require("root")
    with tempfile.TemporaryDirectory(prefix="gpu-reaper-store-") as place:
        Path(place).chmod(0o755)
        # Whoever runs it lets everybody on this machine read it; a new file is for its owner alone.
        (Path(place) / "reaper.sqlite").touch(mode=0o644)
        yield StoreSettings(directory=Path(place))


@contextmanager
def as_nobody():
    """Give up the rights of root for the files that are opened within."""
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


async def heartbeat_read_by_nobody(settings: StoreSettings) -> float | None:
    with as_nobody():
        store = await open_reading(settings, cluster="alpha")
        async with store.reading() as books:
            at = await books.heartbeat()
        await store.close()
    return at


async def test_a_store_is_read_while_the_reaper_runs(settings):
    store = await open_store(settings, cluster="alpha")
    async with store.transaction(await store.lead("tests", 1.0)) as books:
        await books.keep_heartbeat(5.0)

    assert await heartbeat_read_by_nobody(settings) == 5.0
    await store.close()


async def test_a_store_is_read_when_the_reaper_is_down(settings):
    store = await open_store(settings, cluster="alpha")
    async with store.transaction(await store.lead("tests", 1.0)) as books:
        await books.keep_heartbeat(5.0)
    await store.close()

    assert await heartbeat_read_by_nobody(settings) == 5.0
