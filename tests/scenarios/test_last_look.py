"""A release that is dropped at its last look: how often the nodes are asked again, what is said."""

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
    assert "nothing but its page says that an exporter is that of gpu01" in dropped.text
