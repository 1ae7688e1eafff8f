"""Figures of the week so far and of the last closed one, summed now and then for the metrics."""

from dataclasses import dataclass, field
from typing import Final

from reaper.domain.money.calendar import week_of
from reaper.domain.money.closing import newest
from reaper.ports import Clock, Store
from reaper.reports.past import of_week, told
from reaper.reports.week import Context, WeekReport
from reaper.web.exposition.sums import WeekSums, sums

#: Seconds of the clock between two sums of the week so far.
_OFTEN: Final = 600.0

#: How many times as long as it took a sum rests: at most two per cent of a core are spent on it.
_REST: Final = 50.0

_WEEK: Final = 7 * 86400.0


@dataclass(slots=True, kw_only=True)
class Summing:
    """Keeps the sums that the metrics page shows; costs little however large the cluster."""

    store: Store
    clock: Clock
    context: Context
    _weeks: dict[str, WeekSums] = field(default_factory=dict, init=False)
    _due: float = field(default=float("-inf"), init=False)
    _closed: bool = field(default=False, init=False)

    def weeks(self) -> tuple[WeekSums, ...]:
        """Return the sums as they are known."""
        return tuple(self._weeks.values())

    def again(self) -> None:
        """Sum the closed week again at the next turn: there is a new closing."""
        self._closed = False

    async def turn(self) -> None:
        """Sum what is due."""
        if not self._closed:
            self._closed = True
            await self._last()
        now, began = self.clock.now(), self.clock.elapsed()
        if began < self._due:
            return
        async with self.store.reading() as books:
            week = str(week_of(now, self.context.zone))
            report = await of_week(books, self.context, week, now=now)
        self._take("this_week", report)
        took = self.clock.elapsed() - began
        self._due = self.clock.elapsed() + max(_OFTEN, _REST * took)

    async def _last(self) -> None:
        now, zone = self.clock.now(), self.context.zone_name
        async with self.store.reading() as books:
            heads = newest(await books.closings(zone, now - 6 * _WEEK, now))
            known = await books.closed_week(zone, heads[-1].week) if heads else None
        if known is not None:
            self._take("last_week", told(known, self.context))

    def _take(self, span: str, report: WeekReport) -> None:
        accounts = report.accounts
        self._weeks[span] = sums(
            span=span,
            week=report.week,
            version=report.version,
            as_of=accounts.as_of,
            figures=accounts.figures,
        )
