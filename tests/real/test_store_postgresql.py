"""What PostgreSQL adds to the suite of every store: replicas, errors of a server, versions."""

import asyncio
from uuid import uuid4

import pytest
from alembic import command
from sqlalchemy import text

from reaper.ports import LostLeadershipError, StoreError
from reaper.store import migrations
from reaper.store.sql import engine as engines
from reaper.store.sql.store import SqlStore
from tests import stored

NOBODY_LISTENS = "postgresql://reaper@127.0.0.1:1/reaper"


@pytest.fixture
async def database(postgresql_url):
    """Give the URL of an empty database of its own."""
    name = f"test_{uuid4().hex}"
    engine = engines.writer(engines.url_of(postgresql_url))
    async with engine.connect() as connection:
        plain = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await plain.execute(text(f"CREATE DATABASE {name}"))
    await engine.dispose()
    return postgresql_url.rpartition("/")[0] + f"/{name}"


@pytest.fixture
async def replicas(database):
    """Give two replicas of one cluster's reaper."""
    pair = await asyncio.gather(*(SqlStore.open(database, cluster="alpha") for _ in range(2)))
    yield pair
    for store in pair:
        await store.close()


async def test_replicas_that_start_together_make_the_tables_once(replicas):
    assert [await store.lead("one", 1.0) for store in replicas] == [1, 2]


async def test_a_leader_that_is_replaced_in_a_transaction_writes_nothing(replicas):
    old, new = replicas
    epoch = await old.lead("old", 1.0)

    async def write():
        async with old.transaction(epoch) as books:
            await books.keep_hold(stored.hold("h1"))
            await new.lead("new", 2.0)

    with pytest.raises(LostLeadershipError, match="new leads"):
        await write()
    async with new.reading() as books:
        assert await books.holds() == []


async def test_a_view_cannot_write_even_by_hand(replicas):
    async with replicas[0].reading() as books:
        with pytest.raises(Exception, match="read-only transaction"):
            await books._link.execute(text("DELETE FROM holds"))


async def test_the_tables_are_those_that_the_code_names(database):
    engine = engines.writer(engines.url_of(database))
    async with engine.begin() as connection:
        await connection.run_sync(migrations.upgrade)
        await connection.run_sync(lambda plain: command.check(migrations.configuration(plain)))
    await engine.dispose()


async def test_downgrading_leaves_nothing(database):
    engine = engines.writer(engines.url_of(database))
    async with engine.begin() as connection:
        await connection.run_sync(migrations.upgrade)
        await connection.run_sync(
            lambda plain: command.downgrade(migrations.configuration(plain), "base")
        )
        assert await connection.run_sync(migrations.revision) is None
    await engine.dispose()


async def test_a_server_that_is_down_is_named_without_its_password():
    with pytest.raises(
        StoreError, match=r"store postgresql://reaper:\*\*\*@127\.0\.0\.1:1/reaper:"
    ) as it:
        await SqlStore.open(NOBODY_LISTENS, cluster="alpha", password="hush")

    assert "hush" not in str(it.value)


async def test_a_database_that_is_not_there_is_named(postgresql_url):
    missing = postgresql_url.rpartition("/")[0] + "/missing"

    with pytest.raises(StoreError, match='database "missing" does not exist'):
        await SqlStore.open(missing, cluster="alpha")


async def test_an_empty_database_cannot_be_read(database):
    with pytest.raises(StoreError, match="version none"):
        await SqlStore.open_reading(database, cluster="alpha")
