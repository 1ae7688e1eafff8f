"""
The exporter's clocks: the only place that asks the machine for the time or waits.

Both processes build the same clock, so their seconds compare.
"""

import time
from dataclasses import dataclass
from typing import Protocol


class Clock(Protocol):
    """Wall time for people, monotonic time for integrals, and waiting, all in its own seconds."""

    def wall(self) -> float:
        """Return Unix seconds."""

    def monotonic(self) -> float:
        """Return seconds that never step; equal in every process of this machine."""

    async def sleep(self, seconds: float) -> None:
        """Wait in an event loop."""

    def pause(self, seconds: float) -> None:
        """Wait in a plain thread."""


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's own time."""

    def wall(self) -> float:
        """Return Unix seconds."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds since boot."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait in an event loop."""
        import asyncio  # the worker never waits in a loop, and a loop costs it 10 MiB

        await asyncio.sleep(seconds)

    def pause(self, seconds: float) -> None:
        """Wait in a plain thread."""
        time.sleep(seconds)


@dataclass(frozen=True, slots=True)
class FastClock:
    """Runs `rate` times as fast since `epoch` (Unix seconds), the moment both clocks agree.

    Processes that are given the same rate and epoch read the same time, whenever they started.
    """

    rate: float
    epoch: float

    def wall(self) -> float:
        """Return fast Unix seconds."""
        return self.epoch + (time.time() - self.epoch) * self.rate

    def monotonic(self) -> float:
        """Return fast seconds since boot."""
        return time.monotonic() * self.rate

    async def sleep(self, seconds: float) -> None:
        """Wait `seconds` of this clock in an event loop."""
        import asyncio

        await asyncio.sleep(seconds / self.rate)

    def pause(self, seconds: float) -> None:
        """Wait `seconds` of this clock in a plain thread."""
        time.sleep(seconds / self.rate)
