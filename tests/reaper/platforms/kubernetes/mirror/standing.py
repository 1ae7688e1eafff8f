"""A clock that stands, for whoever follows an API server in a test."""

import asyncio
from dataclasses import dataclass, field

from reaper.edge.clock import JumpingClock


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
