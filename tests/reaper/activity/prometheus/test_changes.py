"""Identities, series and copies that change between minutes: as a scrape of the page shows them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from exporter.contract.scenario import ScenarioAllocation, device_uuid
from reaper.activity.exporters.page import Page, PageReader
from reaper.activity.exposition import Exposition
from reaper.ports import NodeReport
from tests.reaper.activity.prometheus.conftest import START, Asking, Player
from tests.reaper.activity.prometheus.test_rounds import TARGET

GPU, OTHER = device_uuid("gpu01", 0), device_uuid("gpu01", 1)
HELD = ScenarioAllocation(id="101", user="mira", holds=(("gpu01", 0),), begin=0, end=900)

Edit = Callable[[bytes], bytes]


class Scraped:
    """The same pages read directly, one after another."""

    def __init__(self) -> None:
        self._exposition = Exposition()
        self._reader = PageReader()

    def read(self, page: bytes) -> Page:
        return self._reader.read(self._exposition.parse(page))


def same(report: NodeReport, page: Page) -> None:
    """Check that an engine brought what a page says, but for what is not asked for."""
    assert report.error == ""
    assert report.node == page.node
    assert sorted(map(str, report.devices)) == sorted(map(str, page.devices))
    assert sorted(map(str, report.signals)) == sorted(map(str, page.signals))
    assert sorted(map(str, report.shares)) == sorted(map(str, page.shares))
    counted = {reading.gpu: reading for reading in page.readings}
    assert {reading.gpu for reading in report.readings} == set(counted)
    for reading in report.readings:
        seen = {name: counted[reading.gpu].observed[name] for name in reading.observed}
        above = counted[reading.gpu].above[: len(reading.above)]
        assert reading == replace(counted[reading.gpu], observed=seen, above=above)


def without(*words: bytes) -> Edit:
    """Return what cuts the lines that have all of the words out of a page."""

    def edit(page: bytes) -> bytes:
        lines = page.splitlines(keepends=True)
        return b"".join(line for line in lines if not all(word in line for word in words))

    return edit


def with_(old: str, new: str) -> Edit:
    return lambda page: page.replace(old.encode(), new.encode())


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(with_(GPU, "GPU-replaced"), id="a GPU is replaced"),
        pytest.param(with_('model="NVIDIA H100', 'model="NVIDIA H200'), id="labels change"),
        pytest.param(with_('generation="', 'generation="new '), id="the driver loaded anew"),
        pytest.param(with_('node="gpu01"', 'node="gpu01.grove"'), id="the node is renamed"),
        pytest.param(with_('source="simulated"', 'source="gpm"'), id="sources change"),
        pytest.param(without(OTHER.encode()), id="a device goes and returns"),
        pytest.param(without(b"power_watts", GPU.encode()), id="a number goes and returns"),
        pytest.param(without(b"allocation_share"), id="a share goes and returns"),
        pytest.param(with_("H100 80GB", 'H\\"100\\" é\\\\'), id="a label needs unescaping"),
    ],
)
async def test_what_changes_and_changes_back_is_read_as_its_page_shows_it(
    asking: Asking, edit: Edit
):
    async with asking(identities_every="30s") as scene:
        player, direct = Player("AAHHEE", "HHAAEE", allocations=(HELD,)), Scraped()
        for minute in range(1, 6):
            page = await player.page(minute)
            page = edit(page) if minute in {2, 3, 5} else page
            scene.engine.scrape(page, START + 60 * minute, **TARGET)
            (report,) = (await scene.round(minute)).nodes

            same(report, direct.read(page))


async def test_a_copy_that_returns_is_read_again(asking: Asking):
    async with asking({"replica_labels": ["replica"]}) as scene:
        player, direct = Player("AAHHEE", "HHAAEE", allocations=(HELD,)), Scraped()
        for minute in range(1, 6):
            page = await player.page(minute)
            for copy in "ab" if minute in {1, 2, 5} else "b":
                scene.engine.scrape(page, START + 60 * minute, **TARGET, replica=copy)
            for labels in scene.engine.series if minute == 2 else ():
                if ("replica", "a") in labels:
                    scene.engine.series[labels].append((START + 150, None))
            (report,) = (await scene.round(minute)).nodes

            same(report, direct.read(page))


async def test_a_label_of_the_target_that_comes_up_leaves_devices_as_they_are(asking: Asking):
    async with asking() as scene:
        player, direct = Player("AAHHEE"), Scraped()
        for minute in range(1, 5):
            page = await player.page(minute)
            target = {**TARGET, "rack": "r7"} if minute > 2 else TARGET
            if minute == 3:
                for samples in scene.engine.series.values():
                    samples.append((START + 150, None))
            scene.engine.scrape(page, START + 60 * minute, **target)
            (report,) = (await scene.round(minute)).nodes

            same(report, direct.read(page))
