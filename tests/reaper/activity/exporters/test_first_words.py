"""Whose word a node's name is: the one that gave it first, also before a restart of ours."""

import pytest

from tests.reaper.activity.exporters.conftest import healthy


def bound(node, name):
    """Return a served node's address as the pair that binds it."""
    return f"{node.address}={name}"


@pytest.mark.parametrize("said", ["gpu01", "GPU01", "gpu01.evil.example"])
async def test_a_name_that_another_gave_before_a_restart_is_no_liars(scraping, clock, said):
    true, liar = healthy(clock, "gpu01"), healthy(clock, said)
    async with scraping(true, liar) as scrape:
        scrape.activity.recall({true.address: "gpu01"})
        true.status = 500
        found = await scrape.round()

    assert (found[true.address].node, "answers 500" in found[true.address].error) == ("gpu01", True)
    assert f"for which {true.address} speaks, as it said before" in found[liar.address].error
    assert f"write {liar.address}={said} under targets" in found[liar.address].error
    assert found[liar.address].devices == ()


async def test_a_liars_own_name_from_before_a_restart_is_held_against_it(scraping, clock):
    true, liar = healthy(clock, "gpu01"), healthy(clock, "gpu01")
    async with scraping(true, liar) as scrape:
        scrape.activity.recall({true.address: "gpu01", liar.address: "gpu02"})
        found = await scrape.round()

    assert found[true.address].error == ""
    assert (found[liar.address].node, found[liar.address].claims) == ("gpu02", "gpu01")


async def test_a_node_that_said_its_name_before_a_restart_says_it_again(scraping, clock):
    node = healthy(clock, "gpu01")
    async with scraping(node) as scrape:
        scrape.activity.recall({node.address: "gpu01", "10.0.0.9:1": "gpu09"})
        found = await scrape.only()

    assert (found.error, found.first, found.unbound) == ("", "gpu01", True)


async def test_an_operators_word_stands_above_what_was_said_before(scraping, clock):
    moved, old = healthy(clock, "gpu01"), healthy(clock, "gpu01")
    async with scraping(moved, old) as scrape:
        scrape.activity.recall({old.address: "gpu01"})
        scrape.rebind(bound(moved, "gpu01"), old.address)
        old.status = 500
        found = await scrape.round()

    assert (found[moved.address].error, found[moved.address].first) == ("", "")


async def test_what_two_said_alike_is_remembered_of_neither(scraping, clock):
    async with scraping(healthy(clock, "gpu01"), healthy(clock, "gpu01")) as scrape:
        found = await scrape.round()

    assert [item.first for item in found.values()] == ["", ""]
