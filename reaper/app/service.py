"""A running reaper: observers, ticks, turns and performers, until it is told to stop."""

import logging
from asyncio import CancelledError, Event, Task, create_task, timeout, wait
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from reaper.app.housekeeping import Housekeeper
from reaper.app.parts import Parts
from reaper.app.sweeping import Sweeper
from reaper.app.ticker import Ticker
from reaper.observers import observe_all
from reaper.ports import LostLeadershipError, ReaperError
from reaper.schema import Address

_log = logging.getLogger(__name__)

#: How long begun effects may take to end after SIGTERM; wall seconds.
_FINISH: Final = 20.0


class Service:
    """Runs the parts; `stop` ends it in order: ticks, effects, leadership."""

    def __init__(
        self,
        parts: Parts,
        *,
        rate: float = 1.0,
        chores: Mapping[str, Callable[[], Awaitable[object]]] | None = None,
    ) -> None:
        self.parts = parts
        self.failures = 0
        self.cycling = True
        """Whether the cycle's task is alive."""
        self.pages: list[Address | None] = []
        """Where its sites are, once they are served."""
        self._rate = rate
        self._ticker = Ticker(pace=parts.rules.pace, clock=parts.clock)
        self._housekeeper = Housekeeper(store=parts.store, clock=parts.clock, epoch=parts.epoch)
        self._chores = chores or {}
        self._sweeper = Sweeper()
        self._stopping = Event()
        self._turned = Event()

    @property
    def page(self) -> Address | None:
        """Return where its first site is; None before that is served."""
        return next(iter(self.pages), None)

    def stop(self) -> None:
        """Ask the service to end; returns at once."""
        self._stopping.set()
        self._ticker.event.set()
        self._turned.set()

    async def run(self) -> None:
        """Run until stopped, or until another replica leads."""
        self._ticker.start()
        observing = create_task(
            observe_all(self.parts.sources, board=self.parts.board, clock=self.parts.clock)
        )
        working = [
            create_task(self._turns(), name="cycle"),
            create_task(self._perform(self.parts.deliverer.turn), name="deliver"),
            create_task(self._perform(self.parts.amender.turn), name="amend"),
            create_task(self._perform(self.parts.enforcer.turn), name="enforce"),
            create_task(self._perform(self._housekeeper.turn), name="keep house"),
            *(create_task(self._perform(turn), name=name) for name, turn in self._chores.items()),
        ]
        try:
            await wait([observing, *working], return_when="FIRST_COMPLETED")
        finally:
            self.cycling = False
            self.stop()
            self._ticker.stop()
            await _end(observing)
            await self._finish(working)
        await self._guarded("cycle", self.parts.cycle.rest)

    async def _finish(self, working: list[Task[None]]) -> None:
        """Let begun work end, then cancel what is left: its intents stay for the next start."""
        _, pending = await wait(working, timeout=_FINISH)
        for task in pending:
            await _end(task)
        for task in working:
            if task.done() and not task.cancelled() and task.exception() is not None:
                raise task.exception() or RuntimeError

    async def _turns(self) -> None:
        while not self._stopping.is_set():
            await self._ticker.event.wait()
            self._ticker.event.clear()
            if self._stopping.is_set():
                return
            await self._guarded("cycle", self._turn)
            self._turned.set()

    async def _turn(self) -> None:
        await self._sweeper.turn(self.parts.cycle.turn)

    async def _perform(self, work: Callable[[], Awaitable[object]]) -> None:
        """Work after every turn, and a few times in between."""
        pause = self.parts.rules.pace.step / self._rate / 6
        while not self._stopping.is_set():
            await self._guarded("performers", work)
            if self._stopping.is_set():
                return
            try:
                async with timeout(pause):
                    await self._turned.wait()
            except TimeoutError:
                continue
            self._turned.clear()

    async def _guarded(self, what: str, work: Callable[[], Awaitable[object]]) -> None:
        try:
            await work()
        except LostLeadershipError:
            _log.warning("%s: another reaper leads now; ending", what)
            self.stop()
            raise
        except ReaperError as error:
            self.failures += 1
            _log.error("%s failed: %s; the next one tries again", what, error)
        except Exception:  # noqa: BLE001 - a turn that fails must not be the last one
            self.failures += 1
            _log.exception("%s failed; the next one tries again", what)


async def _end(task: Task[None]) -> None:
    task.cancel()
    try:
        await task
    except CancelledError:
        return
    except Exception:  # noqa: BLE001 - ending goes on whatever breaks
        _log.exception("%s ended badly", task.get_name())
