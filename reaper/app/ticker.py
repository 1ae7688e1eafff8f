"""Ticks at the end of every minute of the grid; the only door to APScheduler."""

from asyncio import Event
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from reaper.domain.facts.grid import Pace
from reaper.edge.clock import SystemClock
from reaper.ports import Clock

#: Share of a step after a minute's end at which its last readings have arrived.
_SETTLE = 0.05


class Ticker:
    """
    Sets an event a little after each minute's end.

    APScheduler 3 cancels running coroutines when it shuts down, so its job only sets the event
    and the work runs in a task of the service.
    """

    def __init__(self, *, pace: Pace, clock: Clock, rate: float = 1.0) -> None:
        self.event = Event()
        self._pace = pace
        self._clock = clock
        self._rate = rate
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def start(self) -> None:
        """Begin to tick; the first tick closes the minute now in progress."""
        step = self._pace.step
        now = self._clock.now()
        wait = (self._pace.ends(self._pace.closed(now) + 1) - now + step * _SETTLE) / self._rate
        self._scheduler.add_job(
            self.event.set,
            trigger="interval",
            seconds=step / self._rate,
            start_date=datetime.fromtimestamp(SystemClock().now() + wait, tz=UTC),
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
        )
        self._scheduler.start()

    def stop(self) -> None:
        """Stop ticking."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
