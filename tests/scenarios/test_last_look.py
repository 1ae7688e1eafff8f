"""A release that is dropped at its last look: how often the nodes are asked again, what is said."""

from reaper.languages.catalogue import said
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
UNTIL_DUE = "AA" + "H" * 89


async def silent_at_the_last_look(bench: Lab, minutes: int) -> None:
    """Play minutes in which the node is seen, and falls silent whenever it is asked directly."""
    for _ in range(minutes):
        await bench.minute({GPU: "H"}, acts=False)
        bench.cluster.silent.add("gpu01")
        await bench.perform()
        bench.cluster.silent.clear()


async def test_in_two_hours_a_silent_node_is_asked_no_more_than_eight_times() -> None:
    """Each pause is twice as long as the one before, half an hour at most."""
    bench = lab()
    await bench.play({GPU: UNTIL_DUE})

    await silent_at_the_last_look(bench, 120)

    assert bench.actor.begun == []
    assert 6 <= len(await bench.events("dropped")) <= 8


async def test_a_node_that_answers_again_has_its_release_after_the_pause() -> None:
    """The pause holds it up, and nothing else."""
    bench = lab()
    await bench.play({GPU: UNTIL_DUE})
    await silent_at_the_last_look(bench, 8)

    await bench.play({GPU: "H" * 6})

    assert len(bench.actor.begun) == 1


async def test_nothing_is_released_on_the_word_of_a_page_that_nothing_binds_to_its_node() -> None:
    """Such a word is enough to judge by, and to warn."""
    bench = lab()
    bench.cluster.loose.add("gpu01")

    await bench.play({GPU: UNTIL_DUE + "H" * 9})

    assert bench.actor.begun == []
    (dropped, *_) = await bench.events("dropped")
    assert "nothing but its page says that an exporter is that of gpu01" in said(dropped.text)


async def until_decided() -> Lab:
    """Return a lab whose release was decided, and not begun, twenty seconds ago."""
    bench = lab()
    await bench.play({GPU: UNTIL_DUE})
    await bench.minute({GPU: "H"}, acts=False)
    async with bench.store.reading() as books:
        assert await books.open_intents()
    bench.clock.at += 20
    return bench


async def dropped(bench: Lab) -> list[str]:
    """Look once more, and return why nothing was done."""
    await bench.perform()
    assert bench.actor.begun == []
    await bench.minute({GPU: "H"}, acts=False)
    return [said(event.text) for event in await bench.events("dropped")]


async def test_a_host_that_has_gone_to_work_since_the_decision_is_not_ended() -> None:
    bench = await until_decided()
    bench.cluster.worked["101"] = 20.0

    assert await dropped(bench) == ["slurm/101: its host works now (gpu01)"]


async def test_a_host_that_is_measured_no_more_since_the_decision_is_not_ended() -> None:
    bench = await until_decided()
    bench.cluster.measures_hosts = False

    assert await dropped(bench) == ["slurm/101: nothing tells what its host does now (gpu01)"]


async def test_a_kernel_that_has_begun_since_the_decision_is_not_ended() -> None:
    bench = await until_decided()
    bench.cluster.busy.add("101")

    assert await dropped(bench) == ["slurm/101: its kernel works now"]


async def test_a_host_that_still_rests_twenty_seconds_later_holds_nothing_up() -> None:
    bench = await until_decided()
    bench.cluster.worked["101"] = 1.0

    await bench.perform()

    assert len(bench.actor.begun) == 1
