"""What is asked reads the store, and a picture only once a cycle."""

import pytest

from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import Entry, Inputs, Sighting, Witnessed
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Event, Tenure
from reaper.domain.picture import SignLine
from reaper.questions import Questions, UnknownAllocationError
from reaper.store.memory import MemoryStore
from tests.builders import run
from tests.builders_picture import HOUR, NOW, picture, row


@pytest.fixture
async def store() -> MemoryStore:
    store = MemoryStore(cluster="sim")
    await store.lead("test", NOW)
    return store


async def write(store: MemoryStore, shown, beat: float | None, *events: Event) -> None:
    async with store.transaction(1) as books:
        await books.keep_picture(shown)
        await books.append_events(events)
        if beat is not None:
            await books.keep_heartbeat(beat)


async def test_before_the_first_cycle_there_is_no_picture(store):
    assert await Questions(store=store).status() is None


async def test_a_picture_is_read_once_a_cycle(store):
    questions = Questions(store=store)
    await write(store, picture(), NOW)

    first = await questions.status()

    assert await questions.status() is first


async def test_the_next_cycle_is_seen(store):
    questions = Questions(store=store)
    await write(store, picture(), NOW)
    await questions.status()
    await write(store, picture(idle=7), NOW + 60)

    assert (await questions.status()).idle == 7


@pytest.mark.parametrize("name", ["4711", "slurm/4711", "sim/slurm/4711/0/1773130000"])
async def test_an_allocation_is_found_by(store, name):
    await write(store, picture(), NOW)

    assert (await Questions(store=store).explain(name)).row.owner == "mira"


async def test_an_id_of_two_platforms_needs_its_platform(store):
    rows = (row(), row(platform="kubernetes", run_key="other"))
    await write(store, picture(rows=rows), NOW)

    with pytest.raises(UnknownAllocationError, match="write one of slurm/4711, kubernetes/4711"):
        await Questions(store=store).explain("4711")


async def test_the_newest_ended_allocation_of_a_name_is_explained(store):
    began = [
        Event(at=NOW - hours * HOUR, kind="run began", run_key=f"run-{hours}", text="slurm/17")
        for hours in (9, 2)
    ]
    await write(store, picture(), NOW, *began)

    assert (await Questions(store=store).explain("17")).run_key == "run-2"


async def test_an_unknown_allocation_is_named_with_its_cure(store):
    with pytest.raises(UnknownAllocationError, match=r"no allocation 'nope'.*gpu-reaper status"):
        await Questions(store=store).explain("nope")


async def test_history_is_asked_between_two_instants(store):
    events = [Event(at=NOW + n, kind=f"e{n}") for n in range(3)]
    await write(store, picture(), NOW, *events)

    told = await Questions(store=store).history(begin=NOW + 1, end=NOW + 2)

    assert [event.kind for event in told] == ["e1"]


async def test_an_ended_allocation_is_drawn_up_to_its_end(store):
    held = Tenure(run=run(started=NOW - HOUR), gpu="GPU-1", node="gpu01", begin=NOW - HOUR, end=NOW)
    began = Event(at=NOW - HOUR, kind="run began", run_key=held.run.key, text=str(held.run))
    first = NORMAL.minute(NOW) - 59
    await write(store, picture(at=NOW, rows=()), NOW, began)
    async with store.transaction(1) as books:
        await books.keep_tenures([held])
        await books.append_minutes({"GPU-1": Track(start=first, letters="A" * 20 + "H" * 40)})

    explanation = await Questions(store=store).explain(held.run.id)

    (drawn,) = explanation.drawn
    assert drawn.letters == "A" * 20 + "H" * 40
    assert drawn.letters_begin == NORMAL.begins(first)


async def test_an_ended_allocation_tells_what_was_kept_of_its_signals_and_people(store):
    held = Tenure(run=run(started=NOW - HOUR), gpu="GPU-1", node="gpu01", begin=NOW - HOUR, end=NOW)
    began = Event(at=NOW - HOUR, kind="run began", run_key=held.run.key, text=str(held.run))
    known = Inputs(
        signs=(Sighting(kind="jupyter", last_seen=NOW - HOUR, state="busy"),),
        devices=(Witnessed(witnesses=("power",), signals=("engine", "power")),),
    )
    last = NORMAL.minute(NOW)
    entries = (
        Entry(run_key=held.run.key, minute=last - 9, inputs=known),
        Entry(run_key=held.run.key, minute=last),
    )
    await write(store, picture(at=NOW, rows=()), NOW, began)
    async with store.transaction(1) as books:
        await books.keep_tenures([held])
        await books.append_inputs(entries)

    explanation = await Questions(store=store).explain(held.run.id)

    (drawn,) = explanation.drawn
    assert (drawn.witnesses, drawn.signals) == (("power",), ("engine", "power"))
    assert explanation.signs == (SignLine(kind="jupyter", last_seen=NOW - HOUR, state="busy"),)


async def test_what_was_kept_of_a_device_is_found_however_often_its_tenure_began_anew(store):
    held = [
        Tenure(run=run(started=NOW - HOUR), gpu=gpu, node="gpu01", begin=begin, end=end)
        for gpu in ("GPU-1", "GPU-2")
        for begin, end in ((NOW - HOUR, NOW - 60), (NOW - 60, NOW))
    ]
    began = Event(at=NOW - HOUR, kind="run began", run_key=held[0].run.key, text=str(held[0].run))
    devices = Witnessed(witnesses=("power",)), Witnessed(witnesses=("context",))
    entry = Entry(
        run_key=held[0].run.key, minute=NORMAL.minute(NOW) - 9, inputs=Inputs(devices=devices)
    )
    await write(store, picture(at=NOW, rows=()), NOW, began)
    async with store.transaction(1) as books:
        await books.keep_tenures(held)
        await books.append_inputs([entry])

    drawn = (await Questions(store=store).explain(held[0].run.id)).drawn

    assert {(line.gpu, line.witnesses) for line in drawn} == {
        ("GPU-1", ("power",)),
        ("GPU-2", ("context",)),
    }


async def test_a_device_that_was_never_held_after_all_is_not_told(store):
    """An index whose GPU is known later has a tenure that ended as it began."""
    begin = NOW - HOUR
    held = Tenure(run=run(started=begin), gpu="GPU-1", node="gpu01", begin=begin, end=NOW)
    unknown = Tenure(run=held.run, gpu="gpu01:0", node="gpu01", begin=begin, end=begin)
    began = Event(at=begin, kind="run began", run_key=held.run.key, text=str(held.run))
    await write(store, picture(at=NOW, rows=()), NOW, began)
    async with store.transaction(1) as books:
        await books.keep_tenures([unknown, held])

    told = await Questions(store=store).explain(held.run.id)

    assert [line.gpu for line in told.drawn] == ["GPU-1"]
    assert told.tenures == (held,)


async def test_a_live_allocation_is_drawn_by_its_row(store):
    await write(store, picture(), NOW)

    assert (await Questions(store=store).explain("4711")).drawn == ()
