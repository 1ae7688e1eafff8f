"""A clock that stands, and waiting for what a watch says, for tests of a mirror."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from reaper.edge.clock import JumpingClock
from reaper.platforms.kubernetes.mirror import Mirror, Seen
from tests.fake_kubernetes import FakeCluster

START = 1_800_000_000.0
PODS = "/api/v1/pods"


@dataclass(slots=True, kw_only=True)
class StandingClock(JumpingClock):
    """A clock on which whoever sleeps waits until it is moved."""

    moved: asyncio.Event = field(default_factory=asyncio.Event)
    waits: int = 0
    """How many sleep."""

    def jump(self, to: float) -> None:
        self.at = max(self.at, to)
        self.moved.set()
        self.moved = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        until = self.at + seconds
        self.waits += 1
        while self.at < until:
            await self.moved.wait()
        self.waits -= 1


async def until(mirror: Mirror, holds: Callable[[Seen], object]) -> Seen:
    """Ask until something holds of the answer: what a watch says comes over a connection."""
    async with asyncio.timeout(60.0):
        while not holds(seen := await mirror.seen()):
            await asyncio.get_running_loop().run_in_executor(None, lambda: None)
        return seen


async def watched(cluster: FakeCluster, times: int = 1) -> None:
    await cluster.until(lambda: cluster.watches(PODS) >= times)


def lists(cluster: FakeCluster, path: str = PODS) -> int:
    return sum(verb == "GET" and asked.startswith(path) for verb, asked in cluster.asked)
