"""The only place where time is read; everything else gets a clock passed in."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from exporter.contract.tempo import Score
from reaper.ports import Clock

#: Longest real wait of a clock whose rate may change meanwhile.
_WAIT: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Return Unix seconds."""
        return time.time()

    def elapsed(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class FastClock:
    """
    A clock that runs `rate` times as fast since `epoch`, for the demo.

    The exporters of a demo run on the same rate and epoch, so their times agree.
    """

    rate: float
    epoch: float
    _origin: float = field(default_factory=time.monotonic)

    def now(self) -> float:
        """Return this clock's Unix seconds."""
        return self.epoch + (time.time() - self.epoch) * self.rate

    def elapsed(self) -> float:
        """Return this clock's monotonic seconds."""
        return (time.monotonic() - self._origin) * self.rate

    async def sleep(self, seconds: float) -> None:
        """Wait so many of this clock's seconds."""
        await asyncio.sleep(seconds / self.rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchoredClock:
    """
    Another clock's time, counted on from an anchor by its monotonic seconds.

    What is told against the anchor keeps its age while the wall clock is set.  `anchor` gives
    Unix and monotonic seconds of one instant, or None while there is none.
    """

    clock: Clock
    anchor: Callable[[], tuple[float, float] | None]

    def now(self) -> float:
        """Return Unix seconds."""
        anchor = self.anchor()
        if anchor is None:
            return self.clock.now()
        at, elapsed = anchor
        return at + self.clock.elapsed() - elapsed

    def elapsed(self) -> float:
        """Return the other clock's monotonic seconds."""
        return self.clock.elapsed()

    async def sleep(self, seconds: float) -> None:
        """Wait so many of its seconds."""
        await self.clock.sleep(seconds)


@dataclass(slots=True, kw_only=True)
class PacedClock:
    """A clock that runs as fast as a file says, which may change; a demo's exporters read it."""

    score: Score

    def now(self) -> float:
        """Return the file's Unix seconds."""
        real = time.monotonic()
        return self.score.tempo(real).wall(real)

    def elapsed(self) -> float:
        """Return the file's seconds since it began."""
        real = time.monotonic()
        return self.score.tempo(real).elapsed(real)

    def rate(self) -> float:
        """Return how fast it runs now."""
        real = time.monotonic()
        return self.score.tempo(real).rate(real)

    async def sleep(self, seconds: float) -> None:
        """Wait so many of this clock's seconds, however fast they come to pass."""
        end = self.elapsed() + seconds
        await asyncio.sleep(0)
        while (left := (end - self.elapsed()) / self.rate()) > 0:  # noqa: ASYNC110 - it only passes
            await asyncio.sleep(min(left, _WAIT))


@dataclass(slots=True, kw_only=True)
class JumpingClock:
    """A clock that only moves when told to, for replays and tests."""

    at: float
    stepped: float = 0.0
    """By how many seconds its wall clock was set against the monotonic one."""

    def now(self) -> float:
        """Return Unix seconds."""
        return self.at

    def elapsed(self) -> float:
        """Return the same seconds, but for those by which the wall clock was set."""
        return self.at - self.stepped

    def jump(self, to: float) -> None:
        """Move forward to an instant."""
        self.at = max(self.at, to)

    async def sleep(self, seconds: float) -> None:
        """Jump instead of waiting, and let others run."""
        self.at += seconds
        await asyncio.sleep(0)
