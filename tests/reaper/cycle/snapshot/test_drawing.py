"""What a cycle writes down of each allocation for everybody to see."""

from dataclasses import replace

import pytest

from reaper.domain.facts.demand import Request
from tests.lab import lab


@pytest.mark.parametrize("silent", [(), ("gpu01",)])
async def test_a_picture_keeps_whose_word_a_nodes_name_is(silent: tuple[str, ...]) -> None:
    bench = lab()
    bench.cluster.loose = {"gpu01"}
    bench.cluster.silent = set(silent)

    await bench.play({"GPU-gpu01-0": "AA"})

    async with bench.store.reading() as books:
        picture = await books.picture()
    assert picture is not None
    assert [(line.node, line.target) for line in picture.nodes] == [("gpu01", "gpu01")]


async def test_of_a_node_that_is_bound_nobodys_word_is_kept() -> None:
    bench = lab()

    await bench.play({"GPU-gpu01-0": "AA"})

    async with bench.store.reading() as books:
        picture = await books.picture()
    assert picture is not None
    assert [line.target for line in picture.nodes] == [""]


async def test_what_its_nodes_call_an_allocation_goes_along() -> None:
    bench = lab()
    claims = bench.cluster.claims
    claims["101"] = replace(claims["101"], node_ids=("101", "s0hg3k5m7p9qr"))

    await bench.play({"GPU-gpu01-0": "AA"})

    async with bench.store.reading() as books:
        picture = await books.picture()
    assert picture is not None
    assert [row.node_ids for row in picture.rows] == [("101", "s0hg3k5m7p9qr")]


async def test_what_is_short_where_gpus_are_not_is_told_with_what_most_wait_for_first() -> None:
    """A request that freed GPUs would start waits for nothing else."""
    bench = lab()
    bench.cluster.short = ("namespace vision has used up its quota",)
    reasons = ["no volume", "no volume", "it is held back", ""]
    bench.cluster.waiting = tuple(
        Request(id=str(number), gpus=1, since=0.0, startable=not why, why=why)
        for number, why in enumerate(reasons)
    )

    await bench.play({"GPU-gpu01-0": "AA"})

    async with bench.store.reading() as books:
        picture = await books.picture()
    assert picture is not None
    assert picture.short == (
        "namespace vision has used up its quota",
        "2 wait: no volume",
        "1 wait: it is held back",
    )
