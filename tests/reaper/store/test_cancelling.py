"""A transaction that is cancelled at any moment is whole or gone, and holds nobody up."""

import asyncio

import pytest

from reaper.store import open_store
from reaper.store.settings import StoreSettings
from tests import stored

RECORDS = [stored.record(f"g{number}") for number in range(300)]
MOMENTS = [number * 0.0015 for number in range(24)]
"""Seconds after which a transaction is cancelled: from before it begins to after it ended."""


@pytest.fixture
async def store(tmp_path):
    store = await open_store(StoreSettings(directory=tmp_path), cluster="alpha")
    yield store
    await store.close()


async def write(store, epoch: int, at: float) -> None:
    async with store.transaction(epoch) as books:
        await books.append_events([stored.event(at)])
        await books.keep_records(RECORDS)
        await books.append_events([stored.event(at)])


async def test_a_cancelled_transaction_is_whole_or_gone(store):
    epoch = await store.lead("tests", 0.0)
    for moment in MOMENTS:
        task = asyncio.create_task(write(store, epoch, moment))
        await asyncio.wait([task], timeout=moment)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

        async with store.reading() as books:
            assert len(await books.events(begin=moment, end=moment + 0.001)) in {0, 2}


async def test_the_next_transaction_does_not_wait_for_a_cancelled_one(store):
    epoch = await store.lead("tests", 0.0)
    for moment in MOMENTS:
        task = asyncio.create_task(write(store, epoch, moment))
        await asyncio.wait([task], timeout=moment)
        task.cancel()

        async with asyncio.timeout(60):
            await write(store, epoch, 100.0)

    async with store.reading() as books:
        assert len(await books.events(begin=100.0)) == 2 * len(MOMENTS)


async def test_a_cancelled_view_gives_its_connection_back(store):
    async def read():
        async with store.reading() as books:
            await books.records()

    for moment in MOMENTS:
        task = asyncio.create_task(read())
        await asyncio.wait([task], timeout=moment / 10)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async with asyncio.timeout(60):
        await read()
