"""The tables go to this version and back, and are those that the code names."""

from dataclasses import replace

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text

from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import RUN_BEGAN, Event
from reaper.store import migrations
from reaper.store.codec import encode, unpack
from reaper.store.sql.store import SqlStore
from reaper.store.sql.tables import METADATA
from tests import stored


@pytest.fixture
def connection(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def tables(connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def test_upgrading_makes_every_table(connection):
    migrations.upgrade(connection)

    assert tables(connection) == set(METADATA.tables)


def test_the_tables_are_those_that_the_code_names(connection):
    migrations.upgrade(connection)

    command.check(migrations.configuration(connection))


def test_downgrading_leaves_nothing(connection):
    migrations.upgrade(connection)
    command.downgrade(migrations.configuration(connection), "base")

    assert (tables(connection), migrations.revision(connection)) == (set(), None)


def test_upgrading_goes_on_from_any_version(connection):
    migrations.upgrade(connection)
    command.downgrade(migrations.configuration(connection), "base")
    migrations.upgrade(connection)

    assert migrations.revision(connection) == migrations.HEAD


def test_upgrading_what_is_up_to_date_is_nothing(connection):
    migrations.upgrade(connection)
    migrations.upgrade(connection)

    assert migrations.revision(connection) == migrations.HEAD


def test_the_newest_version_is_named(connection):
    versions = ScriptDirectory.from_config(migrations.configuration(connection))

    assert versions.get_heads() == [migrations.HEAD]


def test_the_cluster_leads_every_key():
    keys = {name: next(iter(table.primary_key)).name for name, table in METADATA.tables.items()}

    assert set(keys.values()) == {"cluster"}


def test_a_dispute_of_before_still_waits_for_a_ruling(connection):
    configuration = migrations.configuration(connection)
    command.upgrade(configuration, "0002")
    connection.execute(text("INSERT INTO clusters (cluster, step) VALUES ('c', 60)"))
    case = stored.case("disputed", disputed=True, owner='a","disputed":true,"b')
    for known in (case, replace(case, id="calm", disputed=False)):
        row = {"id": known.id, "body": encode(known)}
        connection.execute(
            text(
                "INSERT INTO cases (cluster, id, run_key, state, opened, body) "
                "VALUES ('c', :id, 'r', 'open', 1, :body)"
            ),
            row,
        )

    migrations.upgrade(connection)

    found = connection.execute(text("SELECT id FROM cases WHERE disputed = 1"))
    assert found.scalars().all() == ["disputed"]


def test_records_and_the_picture_of_before_are_kept(connection):
    configuration = migrations.configuration(connection)
    command.upgrade(configuration, "0004")
    body = encode(stored.record("g1"))
    connection.execute(text("INSERT INTO clusters (cluster, step) VALUES ('c', 60)"))
    connection.execute(
        text("INSERT INTO records (cluster, gpu, body) VALUES ('c', 'g1', :body)"), {"body": body}
    )
    connection.execute(
        text("INSERT INTO pictures (cluster, body) VALUES ('c', :body)"), {"body": "{}"}
    )

    migrations.upgrade(connection)
    (packed,) = connection.execute(text("SELECT body FROM records")).scalars()
    command.downgrade(configuration, "0004")

    assert unpack(DeviceRecord, packed) == stored.record("g1")
    assert connection.execute(text("SELECT body FROM records")).scalar_one() == body
    assert connection.execute(text("SELECT body FROM pictures")).scalar_one() == "{}"


async def test_letters_of_before_go_on_and_a_program_of_before_reads_them(tmp_path):
    address = f"sqlite:///{tmp_path / 'reaper.sqlite'}"
    engine = create_engine(address)
    with engine.begin() as connection:
        configuration = migrations.configuration(connection)
        command.upgrade(configuration, "0005")
        connection.execute(text("INSERT INTO clusters (cluster, step) VALUES ('c', 60)"))
        connection.execute(
            text(
                "INSERT INTO track_hours (cluster, hour, gpu, start, letters) "
                "VALUES ('c', 2, 'g', 120, 'AAH')"
            )
        )
        connection.execute(
            text("INSERT INTO frontiers (cluster, gpu, minute) VALUES ('c','g',123)")
        )

    store = await SqlStore.open(address, cluster="c")
    epoch = await store.lead("bench", 1.0)
    async with store.transaction(epoch) as books:
        await books.append_minutes(
            {"g": Track(start=122, letters="LLE"), "h": Track(start=130, letters="A")}
        )
        assert await books.tracks(["g"], 119, 126) == {"g": Track(start=119, letters="?AAHLE?")}
    await store.close()
    with engine.begin() as connection:
        command.downgrade(migrations.configuration(connection), "0005")
        hours = connection.execute(text("SELECT gpu, start, letters FROM track_hours ORDER BY gpu"))
        ends = connection.execute(text("SELECT gpu, minute FROM frontiers ORDER BY gpu"))

        assert hours.all() == [("g", 120, "AAHLE"), ("h", 130, "A")]
        assert ends.all() == [("g", 125), ("h", 131)]
    engine.dispose()


async def test_a_run_of_before_is_found_by_its_id_beside_one_of_now(tmp_path):
    address = f"sqlite:///{tmp_path / 'reaper.sqlite'}"
    engine = create_engine(address)
    old = Event(at=1.0, kind=RUN_BEGAN, run_key="7.0.1", text="slurm/7")
    with engine.begin() as connection:
        command.upgrade(migrations.configuration(connection), "0006")
        connection.execute(text("INSERT INTO clusters (cluster, step) VALUES ('c', 60)"))
        connection.execute(
            text(
                "INSERT INTO events (cluster, number, at, run_key, body) "
                "VALUES ('c', 1, 1.0, '7.0.1', :body)"
            ),
            {"body": encode(old)},
        )
    engine.dispose()
    new = replace(old, at=2.0, run_key="7.0.2")

    store = await SqlStore.open(address, cluster="c")
    epoch = await store.lead("bench", 1.0)
    async with store.transaction(epoch) as books:
        await books.append_events([new])
        assert await books.begins_named("7") == [old, new]
    await store.close()
