"""
Closing weeks: from tracks to kept figures, once a week, late enough, caught up after an outage.

Before a week is closed the four before it are made again: what came late becomes a further
version of them, with what changed.  Whatever fails is tried again a little later.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.app.past.reconciling import Comparer
from reaper.domain.money.calendar import Week, week_named, week_of
from reaper.domain.money.closing import Closed, Closing, newest, restated
from reaper.ports import Clock, Store
from reaper.reports.past import closed
from reaper.reports.week import Context

_log = logging.getLogger(__name__)

_WEEK: Final = 7 * 86400.0

#: Weeks that an outage may last until its oldest ones stay unclosed.
CAUGHT_UP: Final = 13

#: Weeks before the one being closed that are made again.
RESTATED: Final = 4


#: Seconds until what failed is tried again.
_PATIENCE: Final = 900.0


@dataclass(slots=True, kw_only=True)
class Bookkeeper:
    """Closes what is due; `after` seconds after its end, or later where a threshold is longer."""

    store: Store
    clock: Clock
    epoch: int
    context: Context
    after: float
    comparer: Comparer | None = None
    """What holds each closed week against books that a platform keeps."""
    done: str = field(default="", init=False)
    """The newest week that is known to be closed."""
    _again_at: float = field(default=float("-inf"), init=False)

    async def turn(self) -> tuple[Closed, ...]:
        """Close every week that is due, and return what was closed or restated."""
        now = self.clock.now()
        last = self.due(now)
        if str(last) == self.done or self.clock.elapsed() < self._again_at:
            return ()
        self._again_at = self.clock.elapsed() + _PATIENCE
        heads = await self._heads(last)
        found: list[Closed] = []
        for week in await self._missing(last, heads):
            _log.info("closing %s", week)
            found += await self._again(week, now)
            found.append(await self._closed(week, now))
            await self._keep(found[-1])
        self.done, self._again_at = str(last), float("-inf")
        return tuple(found)

    def due(self, now: float) -> Week:
        """Return the newest week that may be closed."""
        terms = self.context.terms
        late = max(self.after, terms.look_around + terms.pace.fresh)
        return week_of(now - late, self.context.zone).shifted(-1)

    async def _heads(self, last: Week) -> tuple[Closing, ...]:
        async with self.store.reading() as books:
            begin = last.end - (CAUGHT_UP + RESTATED) * _WEEK
            return newest(await books.closings(self.context.zone_name, begin, last.end))

    async def _missing(self, last: Week, heads: Sequence[Closing]) -> list[Week]:
        """Return the weeks without a closing, oldest first, from when the books begin."""
        known = {head.week for head in heads}
        weeks = [last.shifted(-back) for back in range(CAUGHT_UP - 1, -1, -1)]
        missing = [week for week in weeks if str(week) not in known]
        if not missing:
            return []
        async with self.store.reading() as books:
            spans = await books.capacity(0.0, last.end)
        first = min((span.begin for span in spans), default=last.end)
        return [week for week in missing if week.end > first]

    async def _again(self, week: Week, now: float) -> list[Closed]:
        """Return the restatements of the weeks before one, kept."""
        found = []
        async with self.store.reading() as books:
            begin = week.begin - RESTATED * _WEEK
            heads = newest(await books.closings(self.context.zone_name, begin, week.begin))
        for head in heads:
            if (again := await self._restated(head, now)) is not None:
                _log.info("restating %s", again.closing.name)
                await self._keep(again)
                found.append(again)
        return found

    async def _restated(self, head: Closing, now: float) -> Closed | None:
        zone = self.context.zone
        async with self.store.reading() as books:
            before = await books.closed_week(head.zone, head.week)
        if before is None:
            return None
        after = await self._closed(week_named(head.week, zone), now)
        heading = replace(after.closing, policies=head.policies)
        return restated(before, replace(after, closing=heading))

    async def _closed(self, week: Week, now: float) -> Closed:
        async with self.store.reading() as books:
            found = await closed(books, self.context, week, now=now)
        return await self.comparer.compared(found, now=now) if self.comparer else found

    async def _keep(self, week: Closed) -> None:
        async with self.store.transaction(self.epoch) as books:
            await books.keep_closed(week)


def recent(heads: Sequence[Closing], now: float) -> Iterator[Closing]:
    """Yield the closings whose report is still worth handing over."""
    for head in newest(heads):
        if head.asked[1] > now - (RESTATED + 1) * _WEEK:
            yield head
