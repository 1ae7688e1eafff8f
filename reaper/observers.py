"""
A task per source: call it, time it out, put the answer on the board, wait, again.

It knows intervals and patience.  It refuses to read answers: one bad source delays nobody.
"""

import logging
from asyncio import TaskGroup, timeout
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.board import Answer, Board
from reaper.ports import Clock, NodeReport, Readings, SourceError

_log = logging.getLogger(__name__)

#: Nodes whose reports are taken up at once: some milliseconds of work.
_TOGETHER: Final = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One thing to ask: `ask` returns an answer; `interval` and `patience` in seconds."""

    name: str
    role: str
    ask: Callable[[], Awaitable[Answer]]
    interval: float
    patience: float
    slow_after: float = 5.0
    """An answer that takes longer makes the source rest longer."""
    rest_at_most: float = 300.0


async def observe_all(sources: tuple[Source, ...], *, board: Board, clock: Clock) -> None:
    """Observe every source until cancelled."""
    async with TaskGroup() as tasks:
        for source in sources:
            tasks.create_task(_observe(source, board, clock), name=f"observe {source.name}")


async def _observe(source: Source, board: Board, clock: Clock) -> None:
    rest = source.interval
    while True:
        took = await observe_once(source, board=board, clock=clock)
        slow = took > source.slow_after
        rest = min(rest * 2, source.rest_at_most) if slow else source.interval
        if slow:
            _log.warning("%s took %.1f s: asking again in %.0f s", source.name, took, rest)
        await clock.sleep(max(rest - took, source.interval / 10))


async def observe_once(source: Source, *, board: Board, clock: Clock) -> float:
    """Ask a source once and post what it said; return how long that took."""
    began = clock.elapsed()
    try:
        async with timeout(source.patience):
            answer = await source.ask()
    except TimeoutError:
        error = f"no answer within {source.patience:g} s"
        board.fail(source=source.name, role=source.role, error=error, at=clock.now())
    except SourceError as error:
        board.fail(source=source.name, role=source.role, error=str(error), at=clock.now())
    except Exception as error:  # noqa: BLE001 - a source that breaks must not stop the others
        _log.exception("%s failed unexpectedly", source.name)
        board.fail(source=source.name, role=source.role, error=repr(error), at=clock.now())
    else:
        took = clock.elapsed() - began
        if isinstance(answer, Readings):
            await _take(answer.nodes, board=board, clock=clock)
        board.post(source=source.name, role=source.role, answer=answer, took=took)
    return clock.elapsed() - began


async def _take(reports: Sequence[NodeReport], *, board: Board, clock: Clock) -> None:
    """Take up what is said of nodes, some hundred at a time, and let others run in between."""
    for first in range(0, len(reports), _TOGETHER):
        if first:
            await clock.sleep(0)
        board.take(reports[first : first + _TOGETHER])
