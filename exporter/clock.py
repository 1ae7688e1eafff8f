"""
The exporter's clocks: the only place that asks the machine for the time or waits.

Both processes build the same clock, so their seconds compare.
"""

import time
from dataclasses import dataclass, field
from typing import Final, Protocol

from exporter.contract.tempo import Score

#: Longest real wait of a clock whose rate may change meanwhile.
_WAIT: Final = 0.25


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


@dataclass(frozen=True, slots=True)
class PacedClock:
    """Runs as fast as a file says, which may change; every process that reads it agrees."""

    path: str
    _score: Score = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_score", Score(self.path))

    def wall(self) -> float:
        """Return the file's Unix seconds."""
        real = time.monotonic()
        return self._score.tempo(real).wall(real)

    def monotonic(self) -> float:
        """Return the file's seconds since it began."""
        real = time.monotonic()
        return self._score.tempo(real).elapsed(real)

    async def sleep(self, seconds: float) -> None:
        """Wait `seconds` of this clock in an event loop."""
        import asyncio

        end = self.monotonic() + seconds
        await asyncio.sleep(0)
        while (left := self._real(end)) > 0:  # noqa: ASYNC110 - it only passes
            await asyncio.sleep(min(left, _WAIT))

    def pause(self, seconds: float) -> None:
        """Wait `seconds` of this clock in a plain thread."""
        end = self.monotonic() + seconds
        while (left := self._real(end)) > 0:
            time.sleep(min(left, _WAIT))

    def _real(self, end: float) -> float:
        real = time.monotonic()
        tempo = self._score.tempo(real)
        return (end - tempo.elapsed(real)) / tempo.rate(real)
