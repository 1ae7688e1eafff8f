"""A node with two devices that a test asks through the real client, over loopback."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from reaper.activity.exporters.activity import ExporterActivity
from reaper.activity.exporters.discovery import Discovery
from reaper.activity.exporters.settings import ExporterSettings
from reaper.domain.facts.device import SignalState
from reaper.domain.facts.share import NodeSign, Share
from reaper.domain.facts.sign import Sign
from reaper.edge.clock import JumpingClock
from reaper.ports import NodeReport
from tests import builders
from tests.pages import Node, metrics, people, serving

NOW = builders.START + 600


def report(node: str = "gpu01", *, at: float = NOW, **given: object) -> NodeReport:
    """Return what a healthy node's page says at a time."""
    devices = tuple(builders.device(index, node=node) for index in range(2))
    base = NodeReport(
        node=node,
        target=node,
        as_of=at,
        started=builders.START - 100,
        devices=devices,
        readings=tuple(builders.reading(at, gpu=device.gpu) for device in devices),
        signals=tuple(
            SignalState(gpu=device.gpu, signal="sm", source="gpm", state="ok") for device in devices
        ),
        shares=(
            Share(node=node, gpu=devices[0].gpu, platform="slurm", id="101", start=NOW - 300.0),
        ),
        signs=(
            NodeSign(
                node=node,
                platform="slurm",
                id="101",
                start=NOW - 300.0,
                sign=Sign(kind="shell", last_seen=NOW - 120.0, as_of=at),
            ),
        ),
    )
    return replace(base, **given)


@dataclass
class Scrape:
    """A running source, its clock and the nodes it asks."""

    activity: ExporterActivity
    clock: JumpingClock
    nodes: tuple[Node, ...]

    async def round(self, after: float = 0.0) -> dict[str, NodeReport]:
        """Let time pass, ask everybody, and give the reports by address."""
        self.clock.jump(self.clock.now() + after)
        answer = await self.activity.readings(0)
        return {item.target: item for item in answer.nodes}

    def rebind(self, *targets: str) -> None:
        """List these addresses from now on, each with the node that it is bound to."""
        self.activity._discovery = Discovery(targets, ())

    async def only(self, after: float = 0.0) -> NodeReport:
        """Ask everybody and give the one report."""
        (found,) = (await self.round(after)).values()
        return found


Scraping = Callable[..., AbstractAsyncContextManager[Scrape]]


def healthy(clock: JumpingClock, node: str = "gpu01", **given: object) -> Node:
    """Return a node whose page is always up to date."""
    return Node(
        page=lambda: metrics(report(node, at=clock.now(), **given)),
        people=lambda: people(report(node, at=clock.now(), **given)),
    )


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock(at=NOW)


@pytest.fixture
def scraping(clock: JumpingClock) -> Scraping:
    """Give `scraping(*nodes, **settings)`: a source that asks these nodes."""

    @asynccontextmanager
    async def start(*nodes: Node, **given: object) -> AsyncIterator[Scrape]:
        async with serving(*nodes) as addresses:
            settings = ExporterSettings.model_validate({"targets": list(addresses), **given})
            async with ExporterActivity(settings, clock=clock) as activity:
                yield Scrape(activity, clock, nodes)

    return start
