"""The past of a drawing, and of a ledger, which knows what each tenant of a device did."""

import asyncio

from exporter.contract.scenario import load
from reaper.app.past.pasts import from_scenario
from reaper.app.past.pasts_ledger import from_ledger
from reaper.app.past.replaying import replay
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past
from reaper.domain.facts.grid import NORMAL

TWO = """
version = 1
start = 2026-03-02T09:00:00Z
length = "1h"
[[node]]
name = "gpu01"
gpus = ["A*60"]
[[allocation]]
id = "1"
user = "mira"
holds = ["gpu01:0"]
share = 0.5
uses = ["0m..20m"]
[[allocation]]
id = "2"
user = "otto"
holds = ["gpu01:0"]
share = 0.5
uses = ["0m..1h"]
"""


async def past() -> Past:
    replayed = await replay(load(TWO), Rules(cluster="test"), jump=False)
    async with replayed.store.reading() as books:
        return await from_ledger(books, begin=replayed.begin, end=replayed.end, pace=NORMAL)


def test_tenants_are_remembered_each_with_its_own_letters():
    found = asyncio.run(past())
    letters = {
        run.allocation.run.id: found.tracks[run.allocation.gpus[0]].letters.strip("?")
        for run in found.runs
    }

    assert set(letters["1"][:19]) == {"A"}
    assert set(letters["1"][21:]) == {"H"}
    assert set(letters["2"]) == {"A"}
    assert not any(run.allocation.contested for run in found.runs)


def test_a_drawn_allocation_is_of_its_platform_as_in_a_replay():
    drawn = load(TWO.replace('user = "otto"', 'user = "otto"\nplatform = "kubernetes"'))

    found = from_scenario(drawn, cluster="test", pace=NORMAL)

    assert [run.allocation.run.platform for run in found.runs] == ["recorded", "kubernetes"]


def test_utilisation_that_is_stuck_is_a_contradiction_as_in_a_replay():
    stuck = TWO.replace("A*60", "A*10 X*50").replace("share = 0.5", "share = 0.5\nworks_on = []")

    found = from_scenario(load(stuck), cluster="test", pace=NORMAL)

    (track,) = found.tracks.values()
    assert track.letters == "A" * 10 + "!" * 50
