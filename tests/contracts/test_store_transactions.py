"""What every store owes: all of a transaction or nothing, one writer, views that never block."""

import asyncio

import pytest

from reaper.ports import LostLeadershipError, StoreError
from tests import stored


async def test_what_is_written_is_found(store, epoch):
    async with store.transaction(epoch) as books:
        await books.keep_case(stored.case("c1"))

    async with store.reading() as books:
        assert [stored.case("c1")] == await books.open_cases()


async def test_a_transaction_sees_what_it_wrote(store, epoch):
    async with store.transaction(epoch) as books:
        await books.keep_hold(stored.hold("h1"))

        assert [stored.hold("h1")] == await books.holds()


async def test_nothing_of_a_failed_transaction_is_kept(store, epoch):
    async def fail():
        async with store.transaction(epoch) as books:
            await books.keep_case(stored.case("c1"))
            await books.append_events([stored.event(1.0)])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    async with store.reading() as books:
        assert (await books.open_cases(), await books.events()) == ([], [])


async def test_nothing_of_a_cancelled_transaction_is_kept(store, epoch):
    written = asyncio.Event()

    async def write():
        async with store.transaction(epoch) as books:
            await books.keep_hold(stored.hold("h1"))
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await written.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    async with store.transaction(epoch) as books:
        assert await books.holds() == []


async def test_a_store_that_nobody_leads_is_not_written(store):
    with pytest.raises(LostLeadershipError):
        async with store.transaction(1):
            pass


async def test_each_leader_has_a_higher_epoch(store):
    first = await store.lead("one", 1.0)

    assert first < await store.lead("two", 2.0)


async def test_an_older_epoch_is_refused(store, epoch):
    await store.lead("another", 5.0)

    with pytest.raises(LostLeadershipError, match="another leads"):
        async with store.transaction(epoch):
            pass


async def test_an_epoch_that_was_never_given_is_refused(store, epoch):
    with pytest.raises(LostLeadershipError):
        async with store.transaction(epoch + 1):
            pass


async def test_leadership_waits_for_the_transaction_in_progress(store, epoch):
    async with store.transaction(epoch) as books:
        taking = asyncio.create_task(store.lead("another", 5.0))
        await asyncio.wait([taking], timeout=0.05)
        await books.keep_hold(stored.hold("h1"))
    await taking

    async with store.reading() as books:
        assert [stored.hold("h1")] == await books.holds()


async def test_transactions_come_one_after_the_other(store, epoch):
    async def count():
        async with store.transaction(epoch) as books:
            held = len(await books.holds())
            await books.keep_hold(stored.hold(f"h{held}"))

    await asyncio.gather(*(count() for _ in range(10)))

    async with store.reading() as books:
        assert len(await books.holds()) == 10


async def test_a_view_sees_nothing_of_an_open_transaction_and_does_not_wait(store, epoch):
    async with store.transaction(epoch) as writing:
        await writing.keep_hold(stored.hold("h1"))
        async with asyncio.timeout(60), store.reading() as books:
            assert await books.holds() == []


async def test_a_view_stays_at_its_moment_and_holds_no_writer_up(store, epoch):
    async with store.reading() as books:
        await books.holds()
        async with asyncio.timeout(60), store.transaction(epoch) as writing:
            await writing.keep_hold(stored.hold("h1"))

        assert await books.holds() == []


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda books: books.keep_case(stored.case("c1")), id="case"),
        pytest.param(lambda books: books.append_events([stored.event(1.0)]), id="event"),
        pytest.param(lambda books: books.append_minutes({"g": stored.TRACK}), id="minutes"),
        pytest.param(lambda books: books.keep_heartbeat(1.0), id="heartbeat"),
        pytest.param(lambda books: books.lift_hold("h1"), id="lift"),
        pytest.param(lambda books: books.prune(inputs_before=1, tracks_before=1), id="prune"),
    ],
)
async def test_a_view_cannot_be_written_on(store, epoch, write):
    async with store.reading() as books:
        with pytest.raises(StoreError, match="for reading"):
            await write(books)
