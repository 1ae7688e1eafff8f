"""dcgm-exporter's gauges become readings: seen is counted, stale is unseen, a blank is nothing."""

from collections.abc import Iterable

import pytest

from exporter.contract.scenario import device_uuid
from tests.reaper.activity.prometheus.conftest import START, Asking, Player, Scene
from tests.reaper.activity.prometheus.test_rounds import scraped

CARD = 'gpu="0",UUID="GPU-1",modelName="NVIDIA A100",Hostname="gpu01"'
DCGM = {"dcgm": {"interval": "30s"}}
TARGET = {"job": "dcgm-exporter", "instance": "10.0.0.1:9400", "pod": "dcgm-x", "namespace": "ops"}
IDLE = {
    "DCGM_FI_DEV_GPU_UTIL": 0,
    "DCGM_FI_PROF_SM_ACTIVE": 0,
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": 0,
    "DCGM_FI_PROF_DRAM_ACTIVE": 0,
    "DCGM_FI_DEV_FB_USED": 40000,
    "DCGM_FI_DEV_POWER_USAGE": 70,
}
BUSY = {
    "DCGM_FI_DEV_GPU_UTIL": 100,
    "DCGM_FI_PROF_SM_ACTIVE": 0.8,
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": 0.4,
    "DCGM_FI_PROF_DRAM_ACTIVE": 0.5,
    "DCGM_FI_DEV_FB_USED": 40000,
    "DCGM_FI_DEV_POWER_USAGE": 600,
}


def rows(values: dict[str, float], labels: str = CARD) -> str:
    return "".join(f"{name}{{{labels}}} {value}\n" for name, value in values.items())


def scrape(scene: Scene, text: str, at: float, **target: str) -> None:
    scene.engine.scrape(text.encode(), START + at, **{**TARGET, **target})


def every(seconds: float, begin: float, end: float) -> Iterable[float]:
    at = begin
    while at <= end:
        yield at
        at += seconds


async def letters(scene: Scene, *texts: str, seconds: float = 15, labels: int = 1) -> str:
    """Scrape a page throughout each minute and give the letters of the one device."""
    found = ""
    for minute, text in enumerate(texts):
        for at in every(seconds, 60 * minute + 5, 60 * minute + 59):
            scrape(scene, text, at)
        drawn = scene.letters(await scene.round(minute + 1))
        assert len(drawn) <= labels
        found += "".join(drawn.values())
    return found


async def test_minutes_become_letters(asking: Asking):
    async with asking(DCGM) as scene:
        idle, busy = rows(IDLE), rows(BUSY)

        assert await letters(scene, busy, busy, idle, idle, busy) == "?AAHA", "a value carries over"


@pytest.mark.parametrize(
    ("values", "letter"),
    [
        (BUSY, "A"),
        (IDLE, "H"),
        ({**IDLE, "DCGM_FI_DEV_FB_USED": 3}, "E"),
        ({**IDLE, "DCGM_FI_DEV_GPU_UTIL": 100}, "X"),
        ({**IDLE, "DCGM_FI_PROF_SM_ACTIVE": 0.02}, "L"),
        ({"DCGM_FI_DEV_GPU_UTIL": 1, "DCGM_FI_DEV_FB_USED": 9}, "A"),
        ({"DCGM_FI_DEV_GPU_UTIL": 0, "DCGM_FI_DEV_FB_USED": 9}, "E"),
        ({"DCGM_FI_DEV_FB_USED": 9, "DCGM_FI_DEV_POWER_USAGE": 70}, "?"),
        ({"DCGM_FI_DEV_GPU_UTIL_RATIO": 0, "DCGM_FI_PROF_SM_UTIL_RATIO": 0.5}, "A"),
        ({"DCGM_FI_DEV_GPU_UTIL": 0, "DCGM_FI_PROF_SM_ACTIVE": 9223372036854775794}, "E"),
        ({"DCGM_FI_DEV_GPU_UTIL": 2147483632, "DCGM_FI_DEV_FB_USED": 9}, "?"),
        ({"DCGM_FI_PROF_SM_ACTIVE": 140737488355330, "DCGM_FI_DEV_FB_USED": 9}, "?"),
        ({**IDLE, "DCGM_FI_PROF_PCIE_TX_BYTES": 2e8, "DCGM_FI_PROF_PCIE_RX_BYTES": 1e8}, "A"),
        ({**IDLE, "DCGM_FI_PROF_PCIE_TX_BYTES": 2e8}, "H"),
        ({**IDLE, "DCGM_FI_DEV_ENC_UTIL": 60, "DCGM_FI_DEV_DEC_UTIL": 0}, "A"),
    ],
)
async def test_what_is_shown_is_what_is_judged(asking: Asking, values, letter):
    async with asking(DCGM) as scene:
        assert await letters(scene, rows(values), rows(values)) == f"?{letter}"


@pytest.mark.parametrize(("seconds", "letter"), [(15, "H"), (30, "H"), (33, "?"), (45, "?")])
async def test_a_value_counts_for_one_interval_and_is_then_stale(asking: Asking, seconds, letter):
    async with asking(DCGM) as scene:
        for at in every(seconds, 2, 300):
            scrape(scene, rows(IDLE), at)
        found = "".join(
            [scene.letters(await scene.round(minute)).get("GPU-1", "") for minute in (2, 3, 4)]
        )

        assert found == letter * 3


async def test_a_gap_is_unseen_and_what_comes_after_is_seen(asking: Asking):
    async with asking(DCGM) as scene:
        for at in (*every(15, 2, 119), *every(15, 180, 300)):
            scrape(scene, rows(IDLE), at)
        found = "".join(
            [scene.letters(await scene.round(minute)).get("GPU-1", "") for minute in range(2, 6)]
        )

        assert found == "H?HH"


async def test_what_rises_between_two_minutes_ends_the_silence(asking: Asking):
    async with asking(DCGM) as scene:
        for at in every(15, 2, 119):
            scrape(scene, rows(BUSY if 70 < at < 80 else IDLE), at)
        scene.letters(await scene.round(1))

        assert scene.letters(await scene.round(2)) == {"GPU-1": "A"}


async def test_power_over_the_whole_minute_is_energy(asking: Asking):
    async with asking(DCGM) as scene:
        for at in every(15, 2, 119):
            scrape(scene, rows(IDLE), at)
        (report,) = (await scene.round(2)).nodes
        begun, counted = report.readings

        assert (begun.joules, counted.joules) == (0.0, pytest.approx(70 * 60, rel=0.01))
        assert counted.memory_used == 40000 * 2**20


async def test_a_card_with_instances_is_no_device_and_the_board_is_not_theirs(asking: Asking):
    parent = 'gpu="0",UUID="GPU-1",modelName="NVIDIA A100",hostname="gpu01"'
    board = {"DCGM_FI_DEV_FB_USED": 9000, "DCGM_FI_DEV_POWER_USAGE": 300}
    text = rows(board, parent)
    for number, busy in (("1", 0.9), ("2", 0.0)):
        labels = f'{parent},GPU_I_ID="{number}",GPU_I_PROFILE="3g.20gb"'
        shown = {"DCGM_FI_PROF_GR_ENGINE_ACTIVE": busy, "DCGM_FI_PROF_SM_ACTIVE": busy, **board}
        text += rows(shown, labels)
    async with asking(DCGM) as scene:
        for at in every(15, 2, 119):
            scrape(scene, text, at)
        answer = await scene.round(2)
        (report,) = answer.nodes

        assert [device.gpu for device in report.devices] == ["MIG-GPU-1/1/0", "MIG-GPU-1/2/0"]
        assert {device.parent for device in report.devices} == {"GPU-1"}
        assert {reading.power for reading in report.readings} == {None}
        assert scene.letters(answer) == {"MIG-GPU-1/1/0": "A", "MIG-GPU-1/2/0": "H"}


async def test_a_card_without_any_activity_is_unknown_never_idle(asking: Asking):
    async with asking(DCGM) as scene:
        assert await letters(scene, *[rows({"DCGM_FI_DEV_FB_USED": 4})] * 3) == "???"


async def test_where_an_exporter_of_ours_reports_it_alone_is_believed(asking: Asking):
    async with asking(DCGM) as scene:
        await scraped(scene, Player("AA"), 1)
        scrape(scene, rows(IDLE), 55)
        scrape(scene, rows(IDLE, CARD.replace("gpu01", "gpu02").replace("GPU-1", "GPU-2")), 55)
        answer = await scene.round(1)

        assert [report.node for report in answer.nodes] == ["gpu01"]


async def test_a_node_without_an_exporter_of_ours_is_known_by_dcgm(asking: Asking):
    other = CARD.replace("gpu01", "gpu02").replace("GPU-1", "GPU-2")
    async with asking(DCGM) as scene:
        await scraped(scene, Player("AA"), 1)
        scrape(scene, rows(IDLE), 55, instance="10.0.0.1:9400")
        scrape(scene, rows(IDLE, other), 55, instance="10.0.0.2:9400")
        answer = await scene.round(1)

        found = {report.node: report.devices[0].gpu for report in answer.nodes}

        assert found == {"gpu01": device_uuid("gpu01", 0), "gpu02": "GPU-2"}


async def test_a_start_joins_what_it_counted_before(asking: Asking):
    async with asking(DCGM) as scene, asking(DCGM) as after:
        for at in every(15, 2, 240):
            for one in (scene, after):
                scrape(one, rows(IDLE), at)
        await scene.round(1)
        stored = (await scene.round(2)).nodes[0].readings[-1]
        after.activity.resume(START + 185)
        brought = [*(await after.round(4)).nodes[0].readings]

        assert any(item.at == stored.at and item.epoch != stored.epoch for item in brought)


async def test_host_names_are_cut_where_told(asking: Asking):
    async with asking({"dcgm": {"interval": "30s", "short_names": True}}) as scene:
        scrape(scene, rows(IDLE, CARD.replace('"gpu01"', '"gpu01.example.org"')), 55)

        assert (await scene.round(1)).nodes[0].node == "gpu01"
