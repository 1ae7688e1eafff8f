"""Rounds, direct questions, people and credentials, over real HTTP."""

import asyncio
from dataclasses import replace

import pytest

from reaper.activity import ActivitySettings, build
from reaper.activity.exporters.settings import ExporterSettings
from reaper.domain.facts.receivers import Receivers
from reaper.domain.facts.sign import Sign
from tests.pages import Node
from tests.reaper.activity.exporters.conftest import NOW, healthy, report


async def test_a_round_returns_the_newest_answer_of_every_node(scraping, clock):
    nodes = [healthy(clock, f"gpu{index:02}") for index in range(5)]
    async with scraping(*nodes) as scrape:
        await scrape.round()
        found = await scrape.round(after=15)

    assert {item.node for item in found.values()} == {f"gpu{index:02}" for index in range(5)}
    assert {item.readings[0].at for item in found.values()} == {NOW + 15}


async def test_a_connection_lives_from_round_to_round(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        for _ in range(3):
            await scrape.round(after=15)
        pool = scrape.activity._fetcher._session.connector

        assert sum(len(kept) for kept in pool._conns.values()) == 1


async def test_a_cancelled_round_leaves_its_questions_under_way(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        node.gate = asyncio.Event()
        round_ = asyncio.create_task(scrape.activity.readings(0))
        await node.arrived.wait()
        round_.cancel()
        await asyncio.gather(round_, return_exceptions=True)
        (question,) = scrape.activity._under_way.values()
        node.gate.set()
        found = await question

    assert found.error == ""
    assert node.asked.count("/metrics") == 1


async def test_closing_ends_what_is_under_way(scraping):
    node = Node(page=bytes, hangs=True)
    async with scraping(node, timeout="30s") as scrape:
        round_ = asyncio.create_task(scrape.activity.readings(0))
        await node.arrived.wait()
        await scrape.activity.close()
        found = await round_

    assert "not asked yet" in found.nodes[0].error


# ------------------------------------------------------------------ devices of two targets


async def test_a_device_of_two_targets_belongs_to_neither(scraping, clock):
    one = healthy(clock, "gpu01")
    copy = healthy(clock, "gpu02", devices=report("gpu01").devices[:1])
    async with scraping(one, copy) as scrape:
        await scrape.round()
        found = await scrape.round(after=15)

    shared = "GPU-gpu01-0"
    for node, other in ((one, copy), (copy, one)):
        said = found[node.address]
        assert shared not in {item.gpu for item in (*said.devices, *said.readings, *said.shares)}
        assert f"also reported by {other.address}" in said.faults[shared]
    assert [item.gpu for item in found[one.address].devices] == ["GPU-gpu01-1"]


async def test_a_node_of_two_targets_is_an_error_of_both(scraping, clock):
    one, two, other = healthy(clock), healthy(clock), healthy(clock, "gpu02")
    async with scraping(one, two, other) as scrape:
        found = await scrape.round()

    assert f"node gpu01 is also reported by {two.address}" in found[one.address].error
    assert found[two.address].devices == ()
    assert found[other.address].error == ""


async def test_a_silent_target_contests_nothing(scraping, clock):
    one, two = healthy(clock), healthy(clock)
    two.status = 500
    async with scraping(one, two) as scrape:
        assert (await scrape.round())[one.address].error == ""


async def test_a_direct_question_sees_the_other_target_too(scraping, clock):
    one = healthy(clock, "gpu01")
    copy = healthy(clock, "gpu02", devices=report("gpu01").devices[:1])
    async with scraping(one, copy) as scrape:
        await scrape.round()
        (found,) = (await scrape.activity.ask(["gpu01"])).nodes

    assert [item.gpu for item in found.devices] == ["GPU-gpu01-1"]


# ------------------------------------------------------------------ people


async def test_people_are_asked_less_often(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        for _ in range(6):
            await scrape.round(after=15)

    assert node.asked.count("/metrics") == 6
    assert node.asked.count("/metrics/people") == 2


async def test_signs_stay_between_two_looks(scraping, clock):
    async with scraping(healthy(clock)) as scrape:
        first = await scrape.only()
        second = await scrape.only(after=15)

    assert first.signs[0].sign == Sign(kind="shell", last_seen=NOW - 120, as_of=NOW)
    assert second.signs == first.signs


async def test_a_direct_question_always_asks_for_people(scraping, clock):
    async with scraping(healthy(clock)) as scrape:
        await scrape.round()
        clock.jump(NOW + 5)
        (found,) = (await scrape.activity.ask(["gpu01"])).nodes

    assert found.as_of == NOW + 5
    assert found.signs[0].sign.as_of == NOW + 5


async def test_an_activity_that_nothing_can_tell_is_none(scraping, clock):
    sign = replace(report().signs[0], sign=Sign(kind="vscode", last_seen=None, as_of=NOW))
    async with scraping(healthy(clock, signs=(sign,))) as scrape:
        assert (await scrape.only()).signs[0].sign.last_seen is None


@pytest.mark.parametrize(
    "page", [b"<html>\n", b"x{\n", b"gpunode_session_last_activity_timestamp_seconds 1\n"]
)
async def test_people_that_cannot_be_read_any_more_are_unreachable(scraping, clock, page):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.only()
        node.people = lambda: page
        found = await scrape.only(after=60)

    assert found.error == ""
    assert [item.sign.state for item in found.signs] == ["unreachable"]
    assert found.signs[0].sign.last_seen == NOW - 120


async def test_nobody_is_on_an_empty_page(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.only()
        node.people = bytes
        assert (await scrape.only(after=60)).signs == ()


async def test_a_page_that_was_switched_off_says_nothing_about_people(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.only()
        node.people = lambda: switch_off(node)
        clock.jump(NOW + 60)
        (found,) = (await scrape.activity.ask(["gpu01"])).nodes

    assert (found.error, found.signs) == ("", ())


def switch_off(node: Node) -> bytes:
    node.status = 404
    return b"switched off\n"


# ------------------------------------------------------------------ direct questions


async def test_a_direct_question_bypasses_what_is_known(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.round()
        node.status = 500
        (found,) = (await scrape.activity.ask(["gpu01"])).nodes

    assert "answers 500" in found.error


async def test_a_direct_question_needs_no_round_before(scraping, clock):
    node = healthy(clock, "127.0.0.1")
    async with scraping(node) as scrape:
        (found,) = (await scrape.activity.ask(["127.0.0.1"])).nodes

    assert (found.error, found.node) == ("", "127.0.0.1")


async def test_a_direct_question_finds_a_node_that_no_round_has_named(scraping, clock):
    async with scraping(healthy(clock, "gpu01"), healthy(clock, "gpu02")) as scrape:
        (found,) = (await scrape.activity.ask(["gpu02"])).nodes

    assert (found.error, found.node) == ("", "gpu02")


async def test_answers_go_on_when_our_clock_is_set_back(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.round()
        clock.at, clock.stepped = clock.at - 3600, -3600.0
        await scrape.round(after=15)
        node.status = 500
        found = await scrape.only(after=15)

    assert "answers 500" in found.error


async def test_an_answer_that_was_overtaken_is_not_remembered(scraping, clock):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.round()
        (exporter,) = scrape.activity._every()
        node.arrived.clear()
        gate = node.gate = asyncio.Event()
        slow = asyncio.create_task(exporter.ask(people=False))
        await node.arrived.wait()
        node.gate = None
        clock.jump(NOW + 25)
        quick = await exporter.ask(people=False)
        gate.set()
        overtaken = await slow

    assert (overtaken.readings[0].at, overtaken.error) == (NOW, "")
    assert exporter.report is quick
    assert quick.readings[0].at == NOW + 25


def test_the_source_is_built_from_its_settings(clock):
    settings: ActivitySettings = ExporterSettings()

    assert build(settings, clock=clock).name == "exporters"


async def test_which_signals_allocations_catch_comes_with_their_nodes_report(scraping, clock):
    caught = {"batch": frozenset(("USR1", "USR2"))}
    word = Receivers(node="gpu01", id="101", start=clock.now() - 300.0, catches=caught)
    async with scraping(healthy(clock, receivers=(word,))) as scrape:
        found = await scrape.only()

    assert found.receivers == (word,)
