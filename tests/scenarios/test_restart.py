"""A reaper that starts anew knows less than its store: what it has not heard yet is no news."""

from reaper.observers import observe_once
from tests.builders import run
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"


async def warned() -> Lab:
    """Return a lab in which the final warning is delivered and the grace runs."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 64})
    return bench


async def first_turn(bench: Lab) -> None:
    """Start anew and take a turn before any source has answered."""
    bench.crash()
    bench.cluster.step()
    parts = await bench._parts()
    await parts.cycle.turn()


async def test_a_case_outlives_a_turn_in_which_nobody_was_heard() -> None:
    """A scheduler that has not been asked yet has not said that the run is gone."""
    bench = await warned()

    await first_turn(bench)
    await bench.play({GPU: "H" * 60})

    assert [notice.kind for notice in bench.notifier.sent] == ["warning", "final", "released"]
    assert [event.text for event in await bench.events("given back")] == []


async def test_a_case_outlives_a_scheduler_that_does_not_answer_after_a_restart() -> None:
    """Silence is no news either."""
    bench = await warned()
    bench.crash()
    bench.holder.failing = True
    await bench.play({GPU: "HH"})
    bench.holder.failing = False

    await bench.play({GPU: "H" * 60})

    kinds = [notice.kind for notice in bench.notifier.sent]
    assert kinds == ["warning", "final", "released"]


async def test_a_tenure_outlives_a_turn_in_which_nobody_was_heard() -> None:
    """The books do not end a run that nobody has been asked about."""
    bench = await warned()

    await first_turn(bench)

    async with bench.store.reading() as books:
        assert [tenure.end for tenure in await books.tenures_of(run().key)] == [None]


async def test_the_first_turn_after_an_outage_trips_no_interlock() -> None:
    """What we have not asked yet cannot be missing."""
    bench = await warned()
    for _ in range(5):
        bench.cluster.step()
    bench.crash()
    parts = await bench._parts()
    for source in parts.sources:
        if source.role == "holder":
            await observe_once(source, board=parts.board, clock=bench.clock)

    await parts.cycle.turn()

    async with bench.store.reading() as books:
        assert list(await books.holds()) == []


async def test_exporters_that_stay_silent_after_a_restart_do_trip_it() -> None:
    """From the second turn on it is their silence, not ours."""
    bench = await warned()
    bench.cluster.silent.add("gpu01")
    for _ in range(5):
        bench.cluster.step()
    bench.crash()

    await bench.play({GPU: "HH"})

    async with bench.store.reading() as books:
        assert [hold.id for hold in await books.holds()] == ["interlock:coverage"]
