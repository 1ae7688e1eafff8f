"""Old inputs are forgotten once a day, however often the reaper starts anew."""

import pytest

from reaper.app.housekeeping import Housekeeper
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import Entry
from reaper.edge.clock import JumpingClock
from reaper.store.memory import MemoryStore
from tests.builders import HOUR, START

DAY = 24 * HOUR


@pytest.fixture
async def store() -> MemoryStore:
    """Give a store with an entry of the last day that is kept, and one of the day before."""
    store = MemoryStore(cluster="test")
    epoch = await store.lead("test", 0.0)
    kept = NORMAL.minute(START - 90 * DAY)
    async with store.transaction(epoch) as books:
        await books.append_inputs(
            [Entry(run_key="r", minute=minute) for minute in (kept - 1440, kept)]
        )
    return store


async def left(store: MemoryStore) -> int:
    async with store.reading() as books:
        return len(await books.inputs(0, NORMAL.minute(START) + 1440))


async def lived(store: MemoryStore, hours: float, *, since: float = START) -> None:
    """Run a reaper for some hours, with a turn every ten minutes."""
    clock = JumpingClock(at=since)
    keeper = Housekeeper(store=store, clock=clock, epoch=1)
    for step in range(int(hours * 6) + 1):
        clock.jump(since + step * 600.0)
        await keeper.turn()


async def test_nothing_is_forgotten_while_a_start_is_busy(store: MemoryStore):
    await lived(store, 0.5)

    assert await left(store) == 2


async def test_old_inputs_go_once_the_start_is_over(store: MemoryStore):
    await lived(store, 2)

    assert await left(store) == 1


async def test_old_inputs_go_once_a_day(store: MemoryStore):
    await lived(store, 24)
    once = await left(store)
    await lived(store, 26)

    assert (once, await left(store)) == (1, 0)


async def test_a_reaper_that_starts_anew_every_night_forgets_too(store: MemoryStore):
    for night in range(3):
        await lived(store, 20, since=START + night * DAY)

    assert await left(store) == 0
