"""Minutes come one after another, each as its own letter, whatever the engine does in between."""

import pytest

from exporter.contract.scenario import ScenarioAllocation, device_uuid
from reaper.ports import SourceError
from tests.reaper.activity.prometheus.conftest import START, Asking, Player

GPU = device_uuid("gpu01", 0)
TARGET = {"job": "gpu-exporter", "instance": "gpu01:19440"}


async def scraped(scene, player: Player, *minutes: int, **target: str) -> None:
    for minute in minutes:
        page = await player.page(minute)
        scene.engine.scrape(page, START + 60 * minute, **{**TARGET, **target})


async def test_each_minute_is_a_letter(asking: Asking):
    async with asking() as scene:
        player, found = Player("AAHEL"), ""
        for minute in range(1, 6):
            await scraped(scene, player, minute)
            found += scene.letters(await scene.round(minute)).get(GPU, "")

        assert found == "AHEL"


async def test_an_answer_stands_until_a_minute_has_ended(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AA"), 1)
        first = await scene.round(1)
        asked = len(scene.engine.asked)
        scene.clock.jump(START + 100)

        assert await scene.activity.readings(0) is first
        assert len(scene.engine.asked) == asked


async def test_minutes_are_asked_for_when_their_samples_can_be_there(asking: Asking):
    async with asking(delay="30s") as scene:
        await scraped(scene, Player("AA"), 1)
        scene.clock.jump(START + 89)
        early = await scene.activity.readings(0)
        scene.clock.jump(START + 90)
        late = await scene.activity.readings(0)

        assert [len(answer.nodes) for answer in (early, late)] == [0, 1]


async def test_minutes_that_an_engine_could_not_be_asked_for_are_asked_for_later(asking: Asking):
    async with asking() as scene:
        player = Player("AAHEAHLE")
        await scraped(scene, player, *range(1, 8))
        scene.letters(await scene.round(1))
        scene.engine.status = 503
        for minute in (2, 3, 4):
            with pytest.raises(SourceError, match="503"):
                await scene.round(minute)
        scene.engine.status = 200
        found = scene.letters(await scene.round(5))[GPU]
        found += scene.letters(await scene.round(6))[GPU]

        assert found == "AHEAH", "three minutes a round, in order"


async def test_a_round_is_behind_until_it_has_caught_up(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AAHEAHLE"), *range(1, 8))
        scene.letters(await scene.round(1))
        found = "".join([scene.letters(await scene.round(7)).get(GPU, "") for _ in range(3)])

        assert found == "AHEAHL"


async def test_a_start_goes_on_where_the_last_cycle_ended(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AAHEA"), *range(1, 6))
        scene.activity.resume(START + 185)
        found = "".join([scene.letters(await scene.round(5)).get(GPU, "") for _ in range(2)])

        assert found == "HEA", "from the minute before the last cycle on"


async def test_a_start_after_long_goes_back_no_further_than_it_may(asking: Asking):
    async with asking(backfill="2m") as scene:
        await scraped(scene, Player("AAHEALLL"), *range(1, 9))
        scene.activity.resume(START)
        found = "".join([scene.letters(await scene.round(8)).get(GPU, "") for _ in range(2)])

        assert found == "LL"


async def test_a_target_that_is_scraped_no_more_is_silent_and_the_others_are_not(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AA", node="gpu01"), 1, 2)
        other = Player("AA", node="gpu02")
        await scraped(scene, other, 1, instance="gpu02:19440")
        await scene.round(1)
        for labels in scene.engine.series:
            if ("instance", "gpu02:19440") in labels:
                scene.engine.series[labels].append((START + 120, None))
        reports = await scene.reports(2)

        assert reports["gpu01:19440"].error == ""
        assert "no sample" in reports["gpu02:19440"].error
        assert reports["gpu02:19440"].node == "gpu02"


async def test_a_target_that_fell_silent_is_heard_until_then(asking: Asking):
    async with asking() as scene:
        await scraped(scene, Player("AAHA"), 1, 2, 3)
        scene.letters(await scene.round(1))
        for samples in scene.engine.series.values():
            samples.append((START + 240, None))
        answer = await scene.round(4)

        assert scene.letters(answer) == {GPU: "AH"}
        assert [bool(report.error) for report in answer.nodes] == [False, True]


async def test_a_counter_that_began_anew_is_unseen_for_one_minute(asking: Asking):
    async with asking() as scene:
        before, after = Player("AA"), Player("AAAAAA")
        await scraped(scene, before, 1, 2)
        scene.letters(await scene.round(1))
        found = scene.letters(await scene.round(2))[GPU]
        for minute in (3, 4):
            page = await after.page(minute - 2)
            moved = page.replace(b"1772442000", b"1772442125")
            for second in (1, 2):
                stamp = f"{START + 60 * second:.1f}".encode()
                moved = moved.replace(stamp, f"{START + 60 * (second + 2):.1f}".encode())
            scene.engine.scrape(moved, START + 60 * minute, **TARGET)
            found += scene.letters(await scene.round(minute))[GPU]

        assert found == "A?A"


async def test_the_tenants_of_a_device_come_with_their_seconds(asking: Asking):
    held = [
        ScenarioAllocation(
            id=ident, user="mira", holds=(("gpu01", 0),), share=0.5, uses=((0.0, seconds),)
        )
        for ident, seconds in (("1", 60.0), ("2", 180.0))
    ]
    async with asking() as scene:
        player = Player("AAAA", allocations=tuple(held))
        await scraped(scene, player, 1, 2, 3)
        (reading,) = (await scene.reports(3))["gpu01:19440"].readings

        assert reading.tenants == {
            f"recorded/1@{START:.0f}": 60.0,
            f"recorded/2@{START:.0f}": 180.0,
        }
        assert reading.observed["tenant"] == 180.0
