"""What every store owes the inputs of decisions: they come back whole, and go when they are old."""

from dataclasses import replace
from itertools import pairwise

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.demand import Request
from reaper.domain.facts.inputs import (
    HOLDS,
    Entry,
    Inputs,
    Sighting,
    Witnessed,
    host_name,
    served_name,
)
from reaper.domain.facts.track import Track
from reaper.ports import StoreError
from tests import stored

DAY = 86400.0
MINUTES = 1440

WHOLE = Inputs(
    owner="mira",
    team="vision",
    account="a",
    qos="q",
    namespace="n",
    name=stored.ODD,
    labels=("x=1", "y=2"),
    purpose=Purpose.INTERACTIVE,
    purpose_ruled=True,
    requeueable=True,
    doubt="who knows",
    signs=(
        Sighting(kind="shell", last_seen=12.0),
        Sighting(kind="jupyter", state="busy", as_of=3.0),
    ),
    devices=(Witnessed(witnesses=("profiling", "power"), signals=("sm",)), Witnessed()),
    catches=(("batch", ("USR1", "USR2")),),
    host=True,
    served=True,
    waiting=(Request(id="", gpus=2, since=0.0, partitions=("gpu",), model="H100"),),
)


async def append(store, epoch, *entries: Entry) -> None:
    async with store.transaction(epoch) as books:
        await books.append_inputs(entries)


async def inputs(store, first: int, end: int, run_key: str | None = None) -> list[Entry]:
    async with store.reading() as books:
        return list(await books.inputs(first, end, run_key=run_key))


async def inputs_of(store, run_key: str) -> list[Inputs | None]:
    return [entry.inputs for entry in await inputs(store, 0, 99, run_key)]


async def test_inputs_come_back_whole(store, epoch):
    entry = Entry(run_key=stored.ODD, minute=7, inputs=WHOLE)
    await append(store, epoch, entry)

    assert await inputs(store, 0, 8) == [entry]


async def test_that_nothing_is_known_comes_back_as_such(store, epoch):
    entry = Entry(run_key="r", minute=7)
    await append(store, epoch, entry)

    assert await inputs(store, 0, 8) == [entry]


async def test_inputs_come_by_minute_then_run(store, epoch):
    entries = [Entry(run_key=key, minute=minute) for key, minute in (("b", 2), ("a", 2), ("c", 1))]
    await append(store, epoch, *entries)

    assert [entry.run_key for entry in await inputs(store, 0, 3)] == ["c", "a", "b"]


async def test_what_may_still_hold_at_the_first_minute_comes_too(store, epoch):
    first = 10 * MINUTES
    minutes = (first - HOLDS - 1, first - HOLDS, first + 1, first + 2)
    await append(store, epoch, *(Entry(run_key="r", minute=minute) for minute in minutes))

    found = await inputs(store, first, first + 2)

    assert [entry.minute for entry in found] == list(minutes[1:3])


async def test_inputs_of_one_run_are_its_own(store, epoch):
    await append(store, epoch, Entry(run_key="r", minute=1), Entry(run_key="", minute=1))

    assert [entry.run_key for entry in await inputs(store, 0, 2, "r")] == ["r"]
    assert [entry.run_key for entry in await inputs(store, 0, 2, "")] == [""]


async def test_the_last_word_on_a_minute_counts(store, epoch):
    await append(store, epoch, Entry(run_key="r", minute=1, inputs=Inputs(owner="mira")))
    await append(store, epoch, Entry(run_key="r", minute=1))

    assert await inputs(store, 0, 2) == [Entry(run_key="r", minute=1)]


async def test_what_differs_from_the_entry_before_comes_back_whole(store, epoch):
    """Fields that change, return to what they are by themselves, and stay."""
    steps = (WHOLE, replace(WHOLE, signs=(), doubt=""), replace(WHOLE, owner="otto", host=False))
    entries = [Entry(run_key="r", minute=1, inputs=WHOLE)]
    for minute, (before, inputs) in enumerate(pairwise(steps), 2):
        entries.append(Entry(run_key="r", minute=minute, inputs=inputs, before=before))
    await append(store, epoch, *entries)

    assert await inputs_of(store, "r") == list(steps)


async def test_a_difference_is_understood_when_only_the_end_of_its_day_is_asked_for(store, epoch):
    day = 10 * MINUTES
    first = Entry(run_key="r", minute=day + 3, inputs=WHOLE)
    later = replace(WHOLE, owner="otto")
    second = Entry(run_key="r", minute=day + 9, inputs=later, before=WHOLE)
    await append(store, epoch, first, second)

    assert await inputs(store, day + 5 + HOLDS, day + 6 + HOLDS) == [second]


async def test_inputs_are_not_written_by_reading(store):
    async with store.reading() as books:
        with pytest.raises(StoreError):
            await books.append_inputs([Entry(run_key="r", minute=1)])


async def test_old_inputs_are_forgotten_to_the_day(store, epoch):
    days = (0, MINUTES - 1, MINUTES, 2 * MINUTES)
    await append(store, epoch, *(Entry(run_key="r", minute=minute) for minute in days))
    async with store.transaction(epoch) as books:
        await books.prune(inputs_before=1.5 * DAY, tracks_before=0.0)

    found = await inputs(store, 0, 3 * MINUTES)

    assert [entry.minute for entry in found] == [MINUTES, 2 * MINUTES]


async def test_letters_of_hosts_and_requests_are_forgotten_with_them(store, epoch):
    names = (host_name("r"), served_name("r"), "GPU-1", "hostile", "served")
    letters = "A" * (2 * MINUTES)
    async with store.transaction(epoch) as books:
        await books.append_minutes({name: Track(start=0, letters=letters) for name in names})
    async with store.transaction(epoch) as books:
        await books.prune(inputs_before=1.5 * DAY, tracks_before=0.0)

    async with store.reading() as books:
        kept = await books.tracks(names, 0, 2 * MINUTES)
    seen = {name: track.count("A") for name, track in kept.items()}
    assert seen == dict.fromkeys(names[:2], MINUTES) | dict.fromkeys(names[2:], 2 * MINUTES)
