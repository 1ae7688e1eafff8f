"""Ticks a little after the end of every minute of the grid; the only door to APScheduler."""

from asyncio import CancelledError, Event
from datetime import UTC, datetime
from math import floor
from typing import Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from reaper.domain.facts.grid import Pace
from reaper.ports import Clock

#: Share of a step after a minute's end at which its last readings have arrived.
_SETTLE: Final = 0.05

#: Share of a step that lies between two ticks at least: a wait may end a little early.
_APART: Final = 0.05

#: The one job of the scheduler is due whatever the wall clock says.
_LONG_SINCE: Final = datetime.fromtimestamp(0, tz=UTC)


def wait(now: float, pace: Pace) -> float:
    """
    Return the seconds until the next tick: never more than a step and a bit, whatever `now` is.

    The grid is wall time, but a tick must not wait for it: when that is set, the wait under way
    goes on to its end, and the next one finds the grid again.
    """
    due = now / pace.step - _SETTLE + _APART
    return (floor(due) + 1 - due + _APART) * pace.step


class Ticker:
    """
    Sets an event a little after each minute's end.

    APScheduler 3 reckons by the wall clock, and cancels running coroutines when it shuts down.  So
    it only hosts a loop that waits by the monotonic clock and sets the event; the work runs in a
    task of the service.
    """

    def __init__(self, *, pace: Pace, clock: Clock) -> None:
        self.event = Event()
        self._pace = pace
        self._clock = clock
        self._scheduler = AsyncIOScheduler(timezone=UTC)

    def start(self) -> None:
        """Begin to tick; the first tick closes the minute now in progress."""
        self._scheduler.add_job(
            self._tick, trigger="date", run_date=_LONG_SINCE, misfire_grace_time=None
        )
        self._scheduler.start()

    def stop(self) -> None:
        """Stop ticking."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def _tick(self) -> None:
        try:
            while True:
                await self._clock.sleep(wait(self._clock.now(), self._pace))
                self.event.set()
        except CancelledError:
            return  # It was stopped; the scheduler would log it as a failure.
