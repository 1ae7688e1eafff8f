"""A source that asks an engine in memory, and nodes whose pages that engine has scraped."""

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from exporter.contract.scenario import Scenario, ScenarioAllocation, ScenarioNode
from exporter.contract.stage import Stage
from reaper.activity.prometheus.activity import PrometheusActivity
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.activity.recorded import RecordedActivity
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.minute import letter
from reaper.domain.facts.reading import Reading, between
from reaper.domain.facts.thresholds import DEFAULT
from reaper.edge.clock import JumpingClock
from reaper.ports import NodeReport, Readings
from tests.fake_engine import FakeEngine, engine
from tests.pages import metrics

START = 1772442000.0
"""A whole hour."""


@dataclass
class Scene:
    """A running source, its engine and its clock."""

    activity: PrometheusActivity
    engine: FakeEngine
    clock: JumpingClock
    _last: dict[str, Reading] = field(default_factory=dict)

    async def round(self, minute: int) -> Readings:
        """Ask just after the end of a minute since the start; the first is 1."""
        self.clock.jump(START + 60 * minute + 1)
        return await self.activity.readings(0)

    async def reports(self, minute: int) -> dict[str, NodeReport]:
        """Ask, and give the newest reports by target."""
        return {item.target: item for item in (await self.round(minute)).nodes}

    def letters(self, answer: Readings) -> dict[str, str]:
        """Classify what an answer brought, by device and in order."""
        found: dict[str, str] = {}
        for report in answer.nodes:
            for reading in report.readings:
                before = self._last.get(reading.gpu)
                if before is not None and reading.at <= before.at:
                    continue
                self._last[reading.gpu] = reading
                if before is not None:
                    found[reading.gpu] = found.get(reading.gpu, "") + classified(before, reading)
        return found


def classified(before: Reading, reading: Reading) -> str:
    """Return the letters between two readings."""
    delta = between(before, reading)
    if delta is None:
        return "?" * (NORMAL.minute(reading.at) - NORMAL.minute(before.at))
    found = letter(delta, thresholds=DEFAULT, pace=NORMAL)
    return found.letter * found.count


class Player:
    """What a drawn node's page shows at the end of each minute."""

    def __init__(
        self, *tracks: str, node: str = "gpu01", allocations: tuple[ScenarioAllocation, ...] = ()
    ) -> None:
        drawn = ScenarioNode(name=node, tracks=tracks)
        start = datetime.fromtimestamp(START, UTC)
        scenario = Scenario(title="", start=start, step=60, nodes=(drawn,), allocations=allocations)
        self._clock = JumpingClock(at=START)
        stage = Stage(scenario=scenario, origin=START)
        self._source = RecordedActivity(stage, clock=self._clock)

    async def page(self, minute: int) -> bytes:
        """Return the page at the end of a minute."""
        self._clock.jump(START + 60 * minute)
        return metrics((await self._source.readings(0)).nodes[0])


Asking = Callable[..., AbstractAsyncContextManager[Scene]]


@pytest.fixture
def asking() -> Asking:
    """Give `asking(engine={…}, **settings)`: a source that asks an empty engine."""

    @asynccontextmanager
    async def start(
        engine_settings: dict | None = None,
        *,
        more: tuple[FakeEngine, ...] = (),
        clock: JumpingClock | None = None,
        tls: ssl.SSLContext | None = None,
        **given: object,
    ) -> AsyncIterator[Scene]:
        async with engine(tls=tls) as served:
            clock = clock or JumpingClock(at=START)
            asked = [
                {"url": item.address, "timeout": "60s", **(engine_settings or {})}
                for item in (served, *more)
            ]
            settings = PrometheusSettings.model_validate({"engines": asked, "delay": "0s", **given})
            async with PrometheusActivity(settings, clock=clock) as activity:
                yield Scene(activity, served, clock)

    return start
