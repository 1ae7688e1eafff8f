"""The report of a span, a week unless told otherwise, as one frozen value that every page shows."""

from asyncio import to_thread
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from typing import Final

from reaper.domain.money.account import account
from reaper.domain.money.calendar import week_of
from reaper.domain.money.closing import Closing, Restated
from reaper.domain.money.conduct import ROUTINE, Conduct, Look, conduct
from reaper.domain.money.entries import SPLIT, Event
from reaper.domain.money.figures import ALLOCATED, FREE, Figures
from reaper.domain.money.findings import Compared
from reaper.domain.money.ledger import Accounts, RunFigures, Terms, Whereabouts
from reaper.domain.money.spans import Span
from reaper.domain.money.splitting import split
from reaper.ports import Books
from reaper.reports import reading
from reaper.reports.languages import ENGLISH, Tongue

#: Below this coverage, or with unpriced hours, a sum of money is a lower bound and says so.
SURE: Final = 0.80

#: Allocations listed one by one.
TOP: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a report is told beside the books: the cluster, its terms, and in whose week to tell."""

    cluster: str
    zone: tzinfo
    zone_name: str
    terms: Terms = field(default_factory=Terms)
    places: tuple[Whereabouts, ...] = ()
    policies: tuple[str, ...] = ()
    """Policies in force, each with its version, for the definitions."""
    exemptions: tuple[float | None, ...] = ()
    """Until when each exemption that stands now is in force; None until it is removed."""
    least: float = 24 * 3600.0
    """Device-seconds below which a team is not listed by itself: few hours shame nobody."""
    page: str = ""
    """Address of the reaper's page, for evidence; empty where there is none to link to."""
    tongue: Tongue = ENGLISH
    """The language of who reads it; figures for machines have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The figures of one owner, class, team or model."""

    name: str
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekReport:
    """
    All that a page shows of ``[begin, end)``; durations are device-seconds, money is unrounded.

    `week` is the ISO week the span lies in, empty when it lies in none; `whole` tells whether the
    week is over.  `opened` is from when on the books know the cluster.
    """

    context: Context
    week: str
    whole: bool
    asked: Span
    accounts: Accounts
    actions: Mapping[str, int]
    latest: tuple[Event, ...]
    conduct: Conduct = field(default_factory=Conduct)
    version: int = 0
    """Which closing of the week this is; 0 while its books are open."""
    trend: tuple[Closing, ...] = ()
    """The weeks before, oldest first, each as it was closed last."""
    before: Mapping[tuple[str, ...], Figures] = field(default_factory=dict)
    """The figures of the week before, by team and model."""
    restated: tuple[Restated, ...] = ()
    compared: Compared | None = None
    """How the closed books agreed with a platform's own; None where none keeps any."""
    team: str | None = None
    """The team whose extract this is; None for the whole cluster."""
    veiled: bool = False
    """Whether persons and allocations go by pseudonyms."""

    def told(self, tongue: Tongue) -> "WeekReport":
        """Return the report in a language."""
        return replace(self, context=replace(self.context, tongue=tongue))

    @property
    def total(self) -> Figures:
        """Return the figures of the whole cluster."""
        return self.accounts.total

    @property
    def at_least(self) -> bool:
        """Tell whether its money is a lower bound: too much was unseen, or has no price."""
        coverage = self.total.coverage
        return (coverage is not None and coverage < SURE) or self.total.unpriced > 0

    @property
    def blind(self) -> bool:
        """Tell whether GPUs were held and nothing of that was seen."""
        return self.total.coverage == 0.0

    @property
    def identity(self) -> tuple[tuple[str, float], ...]:
        """Return every state with its device-seconds; they add up to the calendar's."""
        total = self.total
        states = (*ALLOCATED, *FREE)
        return tuple(zip(states, total.of(states), strict=True))

    @property
    def difference(self) -> float:
        """Return by how many device-seconds the identity fails: rounding, or a mistake."""
        return self.total.states - self.total.calendar

    def by(self, name: str) -> tuple[Line, ...]:
        """Return what was held by a field of the key, the most wasteful first."""
        lines = [Line(name=key[0], figures=one) for key, one in self.accounts.by(name).items()]
        return tuple(
            sorted(lines, key=lambda line: (-line.figures.wasted, -line.figures.high, line.name))
        )

    @property
    def top(self) -> tuple[RunFigures, ...]:
        """Return the allocations that wasted most."""
        return tuple(run for run in self.accounts.runs if run.figures.high > 0)[:TOP]


async def week_report(
    books: Books, context: Context, *, now: float, span: Span | None = None
) -> WeekReport:
    """Return the report of a span as known `now`; without a span, of this week so far."""
    week = week_of(now if span is None else span[0], context.zone)
    asked = span or (week.begin, min(week.end, now))
    ledger = await reading.read(
        books,
        asked,
        now=now,
        cluster=context.cluster,
        terms=context.terms,
        places=context.places,
    )
    begin = reading.opened(ledger, asked)
    known = reading.newest(ledger, now, context.terms)
    end = max(begin, min(asked[1], known))
    cases = await books.cases_between(begin, end)
    accounts = await to_thread(
        account, ledger, begin=begin, end=end, as_of=known, terms=context.terms
    )
    happened = [event for event in ledger.events if begin <= event.at < asked[1]]
    told = [event for event in happened if event.kind not in ROUTINE]
    step = context.terms.pace.step
    done = conduct(happened, cases, ledger.demand, minutes=int((end - begin) // step), step=step)
    inside = week.begin <= asked[0] and asked[1] <= week.end
    return WeekReport(
        context=context,
        week=str(week) if inside else "",
        whole=inside and asked == (week.begin, week.end) and now >= week.end,
        asked=asked,
        accounts=accounts,
        actions=done.actions,
        latest=tuple(reversed(told[-TOP:])),
        conduct=replace(done, looks=(*done.looks, *_split(accounts))),
    )


def _split(accounts: Accounts) -> Iterator[Look]:
    for one in split(accounts.runs):
        yield Look(kind=SPLIT, run_key="", text=str(one))
