"""A store is opened, closed, opened again; what cannot be opened says why and what to do."""

import asyncio
import os
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from reaper.domain.facts.grid import Pace
from reaper.ports import StoreError
from reaper.store import open_reading, open_store
from reaper.store.settings import StoreSettings
from reaper.store.sql.store import SqlStore
from tests import stored


@pytest.fixture
def settings(tmp_path):
    return StoreSettings(directory=tmp_path / "state")


async def written(settings, *, cluster: str = "alpha", hold: str = "h1") -> None:
    store = await open_store(settings, cluster=cluster)
    async with store.transaction(await store.lead("tests", 1.0)) as books:
        await books.keep_hold(stored.hold(hold))
    await store.close()


async def holds_of(store) -> list[str]:
    async with store.reading() as books:
        return [hold.id for hold in await books.holds()]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
async def test_what_a_new_store_holds_is_for_its_owner_alone(settings, umask):
    before = os.umask(umask)
    try:
        store = await open_store(settings, cluster="alpha")
        async with store.transaction(await store.lead("tests", 1.0)) as books:
            await books.keep_hold(stored.hold("h1"))
    finally:
        os.umask(before)

    files = [one for one in os.scandir(settings.directory) if one.is_file()]
    assert {one.name for one in files} >= {"reaper.sqlite", "reaper.sqlite-wal"}
    assert {one.stat().st_mode & 0o777 for one in files} == {0o600}
    await store.close()


async def test_a_store_that_others_were_let_read_stays_so(settings):
    await written(settings)
    (settings.directory / "reaper.sqlite").chmod(0o640)

    await written(settings)

    assert (settings.directory / "reaper.sqlite").stat().st_mode & 0o777 == 0o640


async def test_what_was_written_outlives_the_process(settings):
    await written(settings)

    store = await open_store(settings, cluster="alpha")

    assert await holds_of(store) == ["h1"]
    await store.close()


async def test_epochs_go_on_after_a_restart(settings):
    await written(settings)

    store = await open_store(settings, cluster="alpha")

    assert await store.lead("tests", 2.0) == 2
    await store.close()


async def test_clusters_in_one_file_know_nothing_of_each_other(settings):
    await written(settings, cluster="alpha", hold="alpha's")
    await written(settings, cluster="beta", hold="beta's")

    store = await open_reading(settings, cluster="beta")

    assert await holds_of(store) == ["beta's"]
    await store.close()


async def test_a_reader_sees_what_the_running_reaper_writes(settings):
    writer = await open_store(settings, cluster="alpha")
    epoch = await writer.lead("tests", 1.0)
    reader = await open_reading(settings, cluster="alpha")

    async with writer.transaction(epoch) as books:
        await books.keep_hold(stored.hold("h1"))

    assert await holds_of(reader) == ["h1"]
    await reader.close()
    await writer.close()


async def test_a_reader_reads_while_the_reaper_writes(settings):
    writer = await open_store(settings, cluster="alpha")
    epoch = await writer.lead("tests", 1.0)

    async with writer.transaction(epoch) as books:
        await books.keep_hold(stored.hold("h1"))
        async with asyncio.timeout(60):
            reader = await open_reading(settings, cluster="alpha")
            assert await holds_of(reader) == []
            await reader.close()
    await writer.close()


async def test_a_reader_cannot_write(settings):
    await written(settings)
    reader = await open_reading(settings, cluster="alpha")

    with pytest.raises(StoreError, match="only the running reaper writes"):
        await reader.lead("tests", 1.0)
    await reader.close()


async def test_a_reader_makes_no_store(settings):
    with pytest.raises(StoreError, match=r"no store at .*reaper\.sqlite; `gpu-reaper run`"):
        await open_reading(settings, cluster="alpha")

    assert not settings.directory.exists()


async def test_a_file_that_is_no_store_is_named(settings):
    settings.directory.mkdir()
    (settings.directory / "reaper.sqlite").write_text("not a database, but a long enough text")

    with pytest.raises(StoreError, match=r"reaper\.sqlite: file is not a database"):
        await open_store(settings, cluster="alpha")


async def test_a_directory_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    settings = StoreSettings(directory=tmp_path / "file" / "state")

    with pytest.raises(StoreError, match=r"store\.directory"):
        await open_store(settings, cluster="alpha")


@pytest.mark.parametrize("opening", [open_store, open_reading])
async def test_a_newer_version_is_refused(settings, opening):
    await written(settings)
    with closing(sqlite3.connect(settings.directory / "reaper.sqlite")) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
        file.commit()

    with pytest.raises(StoreError, match="version 9999"):
        await opening(settings, cluster="alpha")


@pytest.mark.parametrize("opening", [open_store, open_reading])
async def test_a_cluster_keeps_to_its_grid(settings, opening):
    await written(settings)

    with pytest.raises(StoreError, match="a grid of 60 s, not of 1 s"):
        await opening(settings, cluster="alpha", pace=Pace(step=1.0))


async def test_two_processes_do_not_write_at_once(settings):
    one = await open_store(settings, cluster="alpha")
    two = await open_store(settings, cluster="beta")
    first, second = await one.lead("one", 1.0), await two.lead("two", 1.0)

    async with one.transaction(first):
        waiting = asyncio.create_task(keep_hold(two, second))
        await asyncio.wait([waiting], timeout=0.05)
        assert not waiting.done()
    await waiting

    assert await holds_of(two) == ["h1"]
    await two.close()
    await one.close()


async def keep_hold(store: SqlStore, epoch: int) -> None:
    async with store.transaction(epoch) as books:
        await books.keep_hold(stored.hold("h1"))


async def test_a_path_may_hold_any_letter(tmp_path):
    settings = StoreSettings(directory=tmp_path / "what? 100% #1")
    await written(settings)

    reader = await open_reading(settings, cluster="alpha")

    assert await holds_of(reader) == ["h1"]
    await reader.close()


async def test_an_intent_survives_a_power_cut(settings):
    store = await open_store(settings, cluster="alpha")

    async with store.transaction(await store.lead("tests", 1.0)) as books:
        synchronous = await books._link.execute(text("PRAGMA synchronous"))
        journal = await books._link.execute(text("PRAGMA journal_mode"))

        assert (synchronous.scalar(), journal.scalar()) == (2, "wal")
    await store.close()


async def test_memory_is_opened_without_a_file(settings):
    store = await open_store(StoreSettings(kind="memory"), cluster="alpha")

    assert await store.lead("tests", 1.0) == 1
    await store.close()


async def test_memory_cannot_be_read_from_elsewhere():
    with pytest.raises(StoreError, match="only the running reaper can read it"):
        await open_reading(StoreSettings(kind="memory"), cluster="alpha")
