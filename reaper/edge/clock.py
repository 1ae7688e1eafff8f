"""The only place where time is read; everything else gets a clock passed in."""

import asyncio
import time
from dataclasses import dataclass, field


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
