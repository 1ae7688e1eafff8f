"""What a cycle writes down of each allocation for everybody to see."""

from dataclasses import replace

from tests.lab import lab


async def test_what_its_nodes_call_an_allocation_goes_along() -> None:
    bench = lab()
    claims = bench.cluster.claims
    claims["101"] = replace(claims["101"], node_ids=("101", "s0hg3k5m7p9qr"))

    await bench.play({"GPU-gpu01-0": "AA"})

    async with bench.store.reading() as books:
        picture = await books.picture()
    assert picture is not None
    assert [row.node_ids for row in picture.rows] == [("101", "s0hg3k5m7p9qr")]
