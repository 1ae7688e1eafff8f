"""What is known of idle runs is kept while it can decide anything, and no longer."""

from reaper.domain.facts.inputs import EVERYBODY, RENEWED, Entry, Inputs, Sighting
from reaper.domain.judgement.policy import Rung
from tests.builders import MINUTE, START, policy, run
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
KEY = run().key
PATIENT = policy(
    Rung(step="warn", after=30 * MINUTE),
    Rung(step="warn", after=60 * MINUTE, final=True),
)


async def kept(bench: Lab, run_key: str = KEY) -> list[Entry]:
    """Return what is kept of a run."""
    minute = bench.rules.pace.closed(bench.clock.at)
    async with bench.store.reading() as books:
        return list(await books.inputs(0, minute + 1, run_key=run_key))


def at(bench: Lab, entry: Entry) -> int:
    """Return in which minute of the story an entry begins."""
    return entry.minute - bench.rules.pace.closed(START)


async def lived(letters: str) -> Lab:
    bench = lab(PATIENT)
    await bench.play({GPU: letters})
    return bench


async def test_nothing_is_kept_before_ten_minutes_of_rest():
    assert await kept(await lived("A" * 5 + "H" * 9)) == []


async def test_what_is_known_is_kept_from_ten_minutes_of_rest_on():
    bench = await lived("A" * 5 + "H" * 14)

    (entry,) = await kept(bench)

    assert at(bench, entry) == 15
    assert entry.inputs is not None
    assert entry.inputs.owner == "mira"
    assert [sign.kind for sign in entry.inputs.signs] == ["shell"]


async def test_a_short_ladder_is_kept_from_its_first_step():
    bench = lab(policy(Rung(step="warn", after=6 * MINUTE)))
    await bench.play({GPU: "A" * 5 + "H" * 8})

    assert [at(bench, entry) for entry in await kept(bench)] == [11]


async def test_a_change_begins_an_entry():
    bench = await lived("A" * 5 + "H" * 12)
    bench.cluster.inputs["101"] = bench.clock.at
    await bench.play({GPU: "HHH"})

    entries = await kept(bench)

    assert [at(bench, entry) for entry in entries] == [15, 18]
    assert entries[1].before == entries[0].inputs
    assert entries[1].inputs is not None
    assert entries[1].inputs.signs == (Sighting(kind="shell", last_seen=START + 17 * MINUTE),)


async def test_it_is_kept_through_a_minute_of_work_and_no_longer():
    bench = await lived("A" * 5 + "H" * 12 + "A" + "H" * 3)
    once = await kept(bench)
    await bench.play({GPU: "AA"})

    assert once
    assert all(entry.inputs is not None for entry in once)
    last = (await kept(bench))[-1]
    assert (at(bench, last), last.inputs) == (22, None)


async def test_it_is_kept_while_nothing_is_seen():
    bench = await lived("A" * 5 + "H" * 12 + "?" * 20)

    assert [entry.inputs is None for entry in await kept(bench)][-1] is False


async def test_a_run_that_is_gone_is_known_no_more():
    bench = await lived("A" * 5 + "H" * 12)
    bench.cluster.claims.clear()
    await bench.minute()

    last = (await kept(bench))[-1]

    assert (at(bench, last), last.inputs) == (18, None)


async def test_minutes_without_a_turn_are_said_to_be_such():
    bench = await lived("A" * 5 + "H" * 12)
    for _ in range(6):
        bench.cluster.step()
    await bench.turn()

    entries = await kept(bench)

    assert [(at(bench, entry), entry.inputs is None) for entry in entries] == [
        *((15, False), (18, True), (23, False))
    ]


async def test_minutes_without_a_turn_are_said_to_be_such_after_a_crash_too():
    bench = await lived("A" * 5 + "H" * 12)
    bench.crash()
    for _ in range(6):
        bench.cluster.step()
    await bench.turn()

    entries = await kept(bench)

    assert [(at(bench, entry), entry.inputs is None) for entry in entries][:2] == [
        *((15, False), (18, True))
    ]


async def test_a_restart_writes_nothing_anew():
    bench = await lived("A" * 5 + "H" * 12)
    bench.crash()
    await bench.play({GPU: "HHH"})

    assert [at(bench, entry) for entry in await kept(bench)] == [15]


async def test_what_never_changes_is_written_once_a_day():
    bench = await lived("A" * 5 + "H" * 12)
    parts = bench.parts
    assert parts is not None
    parts.cycle.jumps = True
    for _ in range(RENEWED):
        bench.cluster.step()
    await bench.turn()

    entries = await kept(bench)
    assert [at(bench, entry) for entry in entries] == [15, 17 + RENEWED]
    assert [entry.before for entry in entries] == [None, None]


async def test_what_waits_is_kept_of_everybody():
    bench = await lived("AAA")

    assert [entry.inputs for entry in await kept(bench, EVERYBODY)] == [Inputs()]
