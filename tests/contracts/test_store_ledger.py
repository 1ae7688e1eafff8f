"""What every store owes the ledger: spans, events, demand, and what the last cycle left."""

import pytest

from reaper.domain.brief import brief
from reaper.domain.money.entries import RUN_BEGAN, DemandPoint, Event
from reaper.domain.picture import Picture
from tests import stored
from tests.builders_picture import busy
from tests.builders_picture import picture as a_picture
from tests.builders_picture import row as a_row


async def test_a_tenure_is_open_until_it_has_an_end(store, epoch):
    lasting, ended = stored.tenure("g1", 1.0, None), stored.tenure("g2", 1.0, 9.0)
    async with store.transaction(epoch) as books:
        await books.keep_tenures([stored.tenure("g2", 1.0, None), lasting])
        await books.keep_tenures([ended])

    async with store.reading() as books:
        assert [lasting] == await books.open_tenures()
        assert [lasting, ended] == await books.tenures_of("41+0")


async def test_tenures_overlap_a_half_open_time(store, epoch):
    inside = [
        stored.tenure("over the begin", 0.0, 101.0),
        stored.tenure("lasting", 5.0, None),
        stored.tenure("within", 120.0, 130.0),
        stored.tenure("over the end", 199.0, 300.0),
    ]
    outside = [stored.tenure("before", 0.0, 100.0), stored.tenure("after", 200.0, None)]
    async with store.transaction(epoch) as books:
        await books.keep_tenures([*outside, *reversed(inside)])

    async with store.reading() as books:
        assert inside == await books.tenures(100.0, 200.0)


async def test_the_tenures_of_a_run_are_its_own(store, epoch):
    mine, other = stored.tenure("g1", 1.0, 2.0), stored.tenure("g1", 2.0, 3.0, key="42+0")
    async with store.transaction(epoch) as books:
        await books.keep_tenures([other, mine])

    async with store.reading() as books:
        assert [mine] == await books.tenures_of("41+0")


async def test_capacity_is_kept_by_node_model_state_and_begin(store, epoch):
    up, down = stored.capacity("n1", 1.0, 5.0), stored.capacity("n1", 5.0, None, "down")
    async with store.transaction(epoch) as books:
        await books.keep_capacity([stored.capacity("n1", 1.0, None)])
        await books.keep_capacity([down, up])

    async with store.reading() as books:
        assert [down] == await books.open_capacity()
        assert [up, down] == await books.capacity(0.0, 10.0)
        assert [down] == await books.capacity(5.0, 6.0)


async def test_events_come_in_time_order_and_equal_times_as_written(store, epoch):
    async with store.transaction(epoch) as books:
        await books.append_events([stored.event(5.0, "late"), stored.event(1.0, "first")])
        await books.append_events([stored.event(1.0, "second")])

    async with store.reading() as books:
        assert [event.text for event in await books.events()] == ["first", "second", "late"]


async def test_events_are_found_by_run_and_time(store, epoch):
    async with store.transaction(epoch) as books:
        await books.append_events(
            [stored.event(at, key=key) for at in (1.0, 2.0, 3.0) for key in ("41+0", "42+0")]
        )

    async with store.reading() as books:
        assert [event.at for event in await books.events(run_key="41+0")] == [1.0, 2.0, 3.0]
        assert [event.at for event in await books.events(begin=2.0, end=3.0)] == [2.0, 2.0]
        assert [event.at for event in await books.events(run_key="42+0", begin=2.5)] == [3.0]


async def test_the_same_event_twice_is_two_events(store, epoch):
    async with store.transaction(epoch) as books:
        await books.append_events([stored.event(1.0)])
        await books.append_events([stored.event(1.0)])

        assert len(await books.events()) == 2


async def test_demand_is_found_by_minute(store, epoch):
    async with store.transaction(epoch) as books:
        for minute in (12, 10, 11):
            await books.append_demand(DemandPoint(minute=minute, gpus=minute * 2))

    async with store.reading() as books:
        assert [
            DemandPoint(minute=10, gpus=20),
            DemandPoint(minute=11, gpus=22),
        ] == await books.demand(10, 12)


async def test_a_policy_version_is_in_force_since_it_was_first_seen(store, epoch):
    async with store.transaction(epoch) as books:
        assert await books.policy_since("v1", 5.0) == 5.0
        assert await books.policy_since("v1", 9.0) == 5.0
        assert await books.policy_since("v2", 9.0) == 9.0

    async with store.reading() as books:
        assert await books.policy_since("v1", 99.0) == 5.0


async def test_a_view_notes_no_policy_version(store, epoch):
    async with store.reading() as books:
        assert await books.policy_since("v1", 5.0) == 5.0

    async with store.transaction(epoch) as books:
        assert await books.policy_since("v1", 9.0) == 9.0


async def test_there_is_no_heartbeat_before_the_first_cycle(store):
    async with store.reading() as books:
        assert (await books.heartbeat(), await books.picture()) == (None, None)


@pytest.mark.parametrize("same_process", [True, False])
async def test_a_picture_is_read_in_part(store, epoch, same_process):
    whole = a_picture(rows=(a_row(), busy(), busy(run_key="u", id="9", verdict="unknown")))

    async with store.transaction(epoch) as books:
        await books.keep_picture(whole)
        await books.keep_heartbeat(2.0)
    if not same_process:
        async with store.transaction(epoch) as books:
            await books.keep_heartbeat(3.0)

    async with store.reading() as books:
        assert await books.brief_picture() == brief(whole)
        assert (await books.picture_of("slurm/4700")).rows == (busy(),)
        assert (await books.picture_of("none")).rows == ()


async def test_before_the_first_cycle_no_part_of_a_picture_is_known(store):
    async with store.reading() as books:
        assert (await books.brief_picture(), await books.picture_of("4711")) == (None, None)


async def test_the_newest_heartbeat_and_picture_are_kept(store, epoch):
    picture = Picture(at=2.0, cluster="alpha", sentence="Two.", step=60.0, pace_normal=True)
    async with store.transaction(epoch) as books:
        for at in (1.0, 2.0):
            await books.keep_heartbeat(at)
            await books.keep_picture(
                Picture(at=at, cluster="alpha", sentence="Two.", step=60.0, pace_normal=True)
            )

    async with store.reading() as books:
        assert (2.0, picture) == (await books.heartbeat(), await books.picture())


@pytest.mark.parametrize("text", [stored.ODD, "x" * 20_000], ids=["odd", "long"])
async def test_texts_come_back_as_they_were_given(store, epoch, text):
    async with store.transaction(epoch) as books:
        await books.append_events([stored.event(1.0, text, key=stored.ODD)])

    async with store.reading() as books:
        assert [stored.event(1.0, text, key=stored.ODD)] == await books.events(run_key=stored.ODD)


@pytest.mark.parametrize("name", ["slurm/7", "7", "7+0", 'a "b"', "100%"])
async def test_the_begins_of_a_run_are_found_by_any_of_its_names(store, epoch, name):
    async with store.transaction(epoch) as books:
        for at, text, key in (
            (3.0, f"slurm/{name.rpartition('/')[2]}", "7+0"),
            (1.0, f"slurm/{name.rpartition('/')[2]}", "7+0"),
            (2.0, "slurm/77", "77+0"),
            (2.0, "slurm/100x", "8+0"),
        ):
            await books.append_events([Event(at=at, kind=RUN_BEGAN, run_key=key, text=text)])
        await books.append_events([Event(at=9.0, kind="run ended", run_key="7+0", text="slurm/7")])

    async with store.reading() as books:
        assert [event.at for event in await books.begins_named(name)] == [1.0, 3.0]


async def test_values_are_ordered_by_time_and_then_by_key(store, epoch):
    tenures = [stored.tenure(gpu, at, None) for gpu, at in (("b", 2.0), ("a", 2.0), ("c", 1.0))]
    async with store.transaction(epoch) as books:
        await books.keep_tenures(tenures)

    async with store.reading() as books:
        assert [tenure.gpu for tenure in await books.open_tenures()] == ["c", "a", "b"]
