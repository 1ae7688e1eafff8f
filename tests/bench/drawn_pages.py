"""Pages as an exporter of eight busy and idle GPUs writes them, for the benchmarks."""

from dataclasses import replace
from datetime import UTC, datetime

from exporter.contract.scenario import Scenario, ScenarioAllocation, ScenarioNode
from exporter.contract.stage import Stage
from reaper.activity.recorded import RecordedActivity
from reaper.edge.clock import JumpingClock
from reaper.ports import NodeReport
from tests.pages import metrics

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ORIGIN = START.timestamp()
CARDS = 8


async def reports(count: int, *, step: float = 61.7, node: str = "gpu0000") -> list[NodeReport]:
    """Return so many reports of a node, some odd seconds apart."""
    allocation = ScenarioAllocation(
        id="4711", user="mira", holds=tuple((node, index) for index in range(CARDS))
    )
    scenario = Scenario(
        title="bench",
        start=START,
        step=60,
        nodes=(ScenarioNode(name=node, tracks=("AL",) * CARDS, then="loop"),),
        allocations=(allocation,),
    )
    clock = JumpingClock(at=ORIGIN)
    activity = RecordedActivity(Stage(scenario=scenario, origin=ORIGIN), clock=clock)
    found = []
    for number in range(1, count + 1):
        clock.jump(ORIGIN + step * number)
        (report,) = (await activity.ask([node])).nodes
        found.append(replace(report, signs=()))
    return found


async def pages(count: int) -> list[bytes]:
    """Return these reports as pages."""
    return [metrics(report) for report in await reports(count)]
