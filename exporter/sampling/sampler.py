"""
Asks the worker for what is due, again and again, and hands the answers to the state.

The beat is fixed: a late round is not made up for, and the seconds it missed stay unseen.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, get_args

from exporter.clock import Clock
from exporter.release import Window
from exporter.sampling.frames import Ask
from exporter.sampling.snapshot import Cadence, Round
from exporter.sampling.state import NodeState, Periods

log = logging.getLogger(__name__)

_CADENCES: Final[tuple[Cadence, ...]] = get_args(Cadence)
_FIRST_RETRY: Final = 1.0
_LAST_RETRY: Final = 60.0
#: While the driver is let go, seconds between two looks whether that is over.
_LOOK: Final = 0.5


class Source(Protocol):
    """Whoever answers a request for a round; None when there is nobody to answer."""

    trouble: str

    async def ask(self, ask: Ask) -> Round | None:
        """Return the answer to one request."""

    async def let_go(self) -> bool:
        """Let the driver go; say whether nothing of it is held any more."""


def never() -> Window | None:
    """Know no window in which the driver is let go."""
    return None


class Schedule:
    """Says which cadences are due; each is due at once and then every period."""

    def __init__(self, periods: Periods) -> None:
        self._periods = periods
        self._next: dict[Cadence, float] = dict.fromkeys(_CADENCES, float("-inf"))

    def due(self, now: float) -> frozenset[Cadence]:
        """Return what is due by `now` and plan the turns after it on the fixed beat."""
        due = frozenset(cadence for cadence in _CADENCES if self._next[cadence] <= now)
        for cadence in due:
            self._next[cadence] = self._after(cadence, now)
        return due

    def _after(self, cadence: Cadence, now: float) -> float:
        period = self._periods[cadence]
        planned = self._next[cadence] + period
        return planned if planned > now else now + period

    def wait(self, now: float) -> float:
        """Return the seconds until something is due."""
        return max(0.0, min(self._next.values()) - now)

    def again(self) -> None:
        """Make everything due at once, as after a driver came back."""
        self._next = dict.fromkeys(_CADENCES, float("-inf"))


class Sampler:
    """The exporter's heart beat."""

    def __init__(
        self,
        source: Source,
        state: NodeState,
        clock: Clock,
        window: Callable[[], Window | None] = never,
        after: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._source = source
        self._state = state
        self._clock = clock
        self._window = window
        self._after = after
        self._schedule = Schedule(state.periods)
        self._retry = _FIRST_RETRY
        self._said = ""
        self.turns = 0

    async def run(self) -> None:
        """Sample for ever."""
        while True:
            await self._clock.sleep(await self.turn())

    async def turn(self) -> float:
        """Beat once, or leave the driver alone; return the seconds until the next turn."""
        self.turns += 1
        if self._window() is not None:
            await self._source.let_go()
            self._schedule.again()
            self._retry = _FIRST_RETRY
            return _LOOK
        served = await self.beat()
        return self._schedule.wait(self._clock.monotonic()) if served else self._back_off()

    async def beat(self) -> bool:
        """Ask once for what is due; say whether the driver served."""
        due = self._schedule.due(self._clock.monotonic())
        answer = await self._source.ask(Ask(due=due))
        if answer is not None:
            self._state.take(answer)
            if self._after is not None:
                await self._after()
        served = answer is not None and bool(answer.driver)
        self._tell(served=served)
        if not served:
            self._schedule.again()
        return served

    def _tell(self, *, served: bool) -> None:
        trouble = "" if served else self._source.trouble
        if trouble and trouble != self._said:
            log.warning("no driver: %s; trying again, at most %.0f s apart", trouble, _LAST_RETRY)
        if served and self._said:
            log.info("the driver answers")
        self._said = trouble
        if served:
            self._retry = _FIRST_RETRY

    def _back_off(self) -> float:
        wait = self._retry
        self._retry = min(self._retry * 2, _LAST_RETRY)
        return wait
