"""What every store owes people's answers: each counts once, and no dispute is lost."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import OwnRelease
from reaper.ports import StoreError
from tests import stored

DAY = 86400.0


async def used(store, epoch, use, *, at=10.0) -> bool:
    async with store.transaction(epoch) as books:
        return await books.use_token(use, by="mira", at=at)


async def test_a_token_counts_once(store, epoch):
    assert await used(store, epoch, "t1")
    assert not await used(store, epoch, "t1")


async def test_a_token_counts_once_in_one_transaction_too(store, epoch):
    async with store.transaction(epoch) as books:
        first = await books.use_token("t1", by="mira", at=1.0)
        second = await books.use_token("t1", by="otto", at=2.0)

    assert (first, second) == (True, False)


async def test_whether_a_token_was_used_can_be_read(store, epoch):
    await used(store, epoch, "t1")
    async with store.reading() as books:
        told = [await books.token_used(use) for use in ("t1", "t2")]

    assert told == [True, False]


async def test_tokens_are_apart(store, epoch):
    assert await used(store, epoch, "t1")
    assert await used(store, epoch, "t2")


async def test_a_token_is_not_used_by_what_was_undone(store, epoch):
    async def undone():
        async with store.transaction(epoch) as books:
            await books.use_token("t1", by="mira", at=1.0)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await undone()

    assert await used(store, epoch, "t1")


async def test_a_token_is_not_used_by_reading(store):
    async with store.reading() as books:
        with pytest.raises(StoreError):
            await books.use_token("t1", by="mira", at=1.0)


async def test_a_used_token_is_kept_as_long_as_inputs(store, epoch):
    await used(store, epoch, "old", at=DAY - 1)
    await used(store, epoch, "new", at=DAY)
    async with store.transaction(epoch) as books:
        await books.prune(inputs_before=DAY, tracks_before=0.0)

    assert await used(store, epoch, "old", at=2 * DAY)
    assert not await used(store, epoch, "new", at=2 * DAY)


async def test_disputes_stand_until_somebody_rules_open_or_over(store, epoch):
    second = stored.case("open", opened=20.0, disputed=True, disputed_at=21.0)
    first = replace(stored.closed("over", opened=10.0, at=12.0), disputed=True)
    async with store.transaction(epoch) as books:
        for case in (second, first, stored.case("calm", opened=5.0)):
            await books.keep_case(case)
        assert [first, second] == await books.disputed_cases()
        await books.keep_case(replace(first, disputed=False))

    async with store.reading() as books:
        assert [second] == await books.disputed_cases()


async def test_an_owners_wish_comes_back_with_its_story(store, epoch):
    wish = OwnRelease(
        by="mira", at=3.0, reason=stored.ODD, channel="slack", story=stored.STORY, credited=True
    )
    case = stored.case("c1", own_release=wish)
    async with store.transaction(epoch) as books:
        await books.keep_case(case)

    async with store.reading() as books:
        assert [case] == await books.open_cases()
