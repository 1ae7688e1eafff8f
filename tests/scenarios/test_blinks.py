"""What was known before a source fell silent is known through the silence, and after a restart."""

from reaper.domain.picture import Row
from tests import builders
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"


async def row(bench: Lab) -> Row:
    """Return what is shown of the usual run."""
    async with bench.store.reading() as books:
        picture = await books.picture()
    assert picture is not None
    return picture.rows[0]


async def test_an_input_is_remembered_through_a_silence_and_a_crash_in_it() -> None:
    """Nobody is warned of half an hour without work within half an hour of an input."""
    bench = lab()
    await bench.play({GPU: "AA" + "H" * 10})
    typed = bench.clock.now() - builders.MINUTE
    bench.cluster.inputs["101"] = typed
    await bench.play({GPU: "HH"})
    del bench.cluster.inputs["101"]
    await bench.play({GPU: "H" * 5})
    bench.crash()

    await bench.play({GPU: "H" * 18})

    assert [(sign.kind, sign.last_seen) for sign in (await row(bench)).signs] == [
        ("earlier", typed)
    ]
    assert await bench.events("warning") == []


async def test_an_input_from_the_future_is_remembered_as_of_now() -> None:
    bench = lab()
    bench.cluster.inputs["101"] = bench.clock.now() + 90 * builders.HOUR
    await bench.play({GPU: "AA" + "H" * 3})
    del bench.cluster.inputs["101"]

    await bench.minute({GPU: "H"})

    assert [sign.last_seen for sign in (await row(bench)).signs] == [
        bench.clock.now() - builders.MINUTE
    ]
