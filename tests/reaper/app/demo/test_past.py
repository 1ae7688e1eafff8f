"""The weeks before a demonstration: written once, before the morning, whatever the day."""

from datetime import UTC, datetime
from importlib.resources import files
from itertools import pairwise

import pytest

from exporter.contract.scenario import load
from reaper.app.demo.past import DAYS, HABITS, remember
from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.entries import RELEASED
from reaper.store.memory import MemoryStore

MORNING = load((files("reaper.app.demo") / "scenario.toml").read_text(encoding="utf-8"))
DAY = 86400.0
EPOCHS = [
    datetime(2026, 11, day, hour, 7, tzinfo=UTC).timestamp()
    for day, hour in ((2, 0), (4, 11), (7, 13), (8, 23))
]


async def written(epoch, times=1):
    store = MemoryStore(cluster="demo")
    for _ in range(times):
        await remember(store, MORNING, "v1", epoch)
    async with store.reading() as books:
        return await books.tenures(0.0, epoch), await books.events(), store


@pytest.mark.parametrize("epoch", EPOCHS)
async def test_it_ends_before_the_jobs_of_the_morning_begin(epoch):
    tenures, _, _ = await written(epoch)

    assert max(one.end for one in tenures) <= epoch + min(one.begin for one in MORNING.allocations)
    assert min(one.begin for one in tenures) >= epoch - (DAYS + 2) * DAY


@pytest.mark.parametrize("epoch", EPOCHS)
async def test_nobody_holds_a_gpu_twice_and_letters_are_there(epoch):
    tenures, _, store = await written(epoch)
    by_gpu = {}
    for one in sorted(tenures, key=lambda one: one.begin):
        by_gpu.setdefault(one.gpu, []).append(one)
    first, end = (NORMAL.minute(at) for at in (tenures[0].begin, tenures[0].end))
    async with store.reading() as books:
        track = (await books.tracks([tenures[0].gpu], first, end))[tenures[0].gpu]

    assert all(a.end <= b.begin for held in by_gpu.values() for a, b in pairwise(held))
    assert len(tenures) == 10 * sum(len(habit.gpus) for habit in HABITS)
    assert "?" not in track.letters


async def test_releases_begin_when_the_policy_came_into_force():
    tenures, events, store = await written(EPOCHS[0])
    async with store.reading() as books:
        since = await books.policy_since("v1", EPOCHS[0])
    released = [event.at for event in events if event.kind == RELEASED]

    assert min(released) > since > min(one.begin for one in tenures)
    assert len(released) == 5 * sum(bool(habit.after) for habit in HABITS)


async def test_books_that_hold_something_are_left_alone():
    once, events, _ = await written(EPOCHS[1])
    twice, again, _ = await written(EPOCHS[1], times=2)

    assert (len(twice), len(again)) == (len(once), len(events))
