"""One exporter as it is known here: where it answers, and what it last said."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Final, ParamSpec, TypeVar

from reaper.activity.exporters.address import Target
from reaper.activity.exporters.binding import Bindings, Teller
from reaper.activity.exporters.fetch import Fetched, Fetcher, MissingPageError
from reaper.activity.exporters.page import Page, PageReader, meaning, signs
from reaper.activity.exporters.plan import Plan
from reaper.activity.exporters.reporter import Reporter
from reaper.activity.exporters.trust import ClockError
from reaper.activity.exposition import Exposition, PageError, Samples
from reaper.activity.heap import uncollected
from reaper.domain.facts.share import NodeSign
from reaper.ports import Clock, NodeReport, SourceError

_log = logging.getLogger(__name__)

#: Bytes above which nothing of a page is read in the loop; eight cards make less than half of it.
_LARGE: Final = 256 * 1024

P = ParamSpec("P")
T = TypeVar("T")


class Exporter:
    """
    A target with its newest report and the memory that reading its pages needs.

    A page that gives another node's name for its own is not read any further.  A page of a new
    shape is read in a thread of `aside`: whoever writes it must not stop everybody else.

    Answers may overtake each other (a round and a direct question): one that was sent before
    the newest is returned to who asked, and not remembered.
    """

    def __init__(
        self,
        target: Target,
        fetcher: Fetcher,
        clock: Clock,
        *,
        aside: Executor | None = None,
        first: str = "",
    ) -> None:
        self.target = target
        self.node = first or target.host
        self.report: NodeReport | None = None
        self.people_due = float("-inf")
        """From when on people are asked for again; monotonic seconds."""
        self.teller = Teller.of(target, first=first)
        """By what it is bound, as newest known."""
        self.bindings = Bindings()
        """Who may speak for which node, as newest known."""
        self._fetcher = fetcher
        self._clock = clock
        self._aside = aside
        self._reading = asyncio.Lock()
        self._metrics = Exposition()
        self._people = Exposition()
        self._reader = PageReader()
        self._signs: tuple[NodeSign, ...] = ()
        self._reporter = Reporter(target.name)
        self._sent = float("-inf")

    @property
    def failing(self) -> bool:
        """Tell whether its newest answer was none."""
        return self.report is not None and bool(self.report.error)

    @property
    def bound(self) -> tuple[str, ...]:
        """Return the nodes that it alone may speak for; none where nothing binds it."""
        return self.bindings.of_teller(self.teller)

    async def ask(self, *, people: bool) -> NodeReport:
        """Ask now, for the people page too where wanted; an error is a report like any other."""
        sent = self._clock.elapsed()
        report = await self._asked(sent)
        if sent >= self._sent:
            self._sent, self.report, self.node = sent, report, report.node
        if people and not report.error:
            await self._ask_people(report.node)
            report = replace(report, signs=self._signs)
            if sent >= self._sent:
                self.report = report
        return report

    async def _asked(self, sent: float) -> NodeReport:
        try:
            fetched = await self._fetcher.fetch(self.target.metrics)
            async with self._reading:
                page = await self._page(fetched)
        except (SourceError, PageError) as error:
            return self.failed(str(error))
        first = self.teller.first
        self.teller = Teller.of(self.target, certified=fetched.certified, first=first)
        if refusal := self.bindings.refusal(self.teller, page.node):
            return self._refused(refusal, page.node)
        if not first:
            self.teller = replace(self.teller, first=page.node)
        try:
            told = self._reporter.report(page, fetched, newest=sent >= self._sent)
        except ClockError as error:
            return replace(self.failed(str(error)), node=page.node)
        return replace(told, signs=self._signs, unbound=not self.bound, first=self._word)

    async def _page(self, fetched: Fetched) -> Page:
        """Read a page: a small one of a known shape here, since that costs little, else aside."""
        large = len(fetched.body) > _LARGE
        if not large:
            samples = _again(self._metrics, fetched)
        else:
            samples = await self._apart(_again, self._metrics, fetched)
        if samples is None or not self._reader.knows(samples):
            samples = await self._learnt(fetched)
        return (
            await self._apart(self._reader.read, samples) if large else self._reader.read(samples)
        )

    async def _learnt(self, fetched: Fetched) -> Samples:
        samples, chosen = await self._apart(_first, self._metrics, fetched)
        self._metrics.keep(samples)
        self._reader.learn(samples.layout, chosen)
        return samples

    async def _apart(self, read: Callable[P, T], *given: P.args, **_: P.kwargs) -> T:
        """Read in a thread; what it returns is taken over by who waits for it, or by nobody."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, read, *given)

    def failed(self, error: str) -> NodeReport:
        """Return the report of an answer that was none."""
        return NodeReport(
            node=self.node,
            target=self.target.name,
            as_of=self._clock.now(),
            error=error,
            first=self._word,
        )

    @property
    def _word(self) -> str:
        """Return the name that it goes by because it gave it first; "" where it is bound."""
        return "" if self.bound else self.teller.first

    def _refused(self, why: str, claims: str) -> NodeReport:
        """Return the report of a page that speaks for another node; it is logged once."""
        own = self.bound or (self.teller.first or self.target.host,)
        self.node, self._signs = own[0], ()
        if self.report is None or self.report.claims != claims:
            _log.warning("the exporter at %s %s", self.target.name, why)
        return replace(self.failed(why), claims=claims)

    async def _ask_people(self, node: str) -> None:
        """Read the people page; where that fails, whoever was seen cannot be seen any more."""
        try:
            fetched = await self._fetcher.fetch(self.target.people)
            async with self._reading:
                self._signs = await self._apart(_seen, self._people, fetched, node)
        except MissingPageError:
            self._signs = ()
        except (SourceError, PageError):
            self._signs = tuple(
                replace(item, sign=replace(item.sign, state="unreachable")) for item in self._signs
            )


def _again(pages: Exposition, fetched: Fetched) -> Samples | None:
    return pages.again(fetched.body, openmetrics=fetched.openmetrics)


def _first(pages: Exposition, fetched: Fetched) -> tuple[Samples, Plan]:
    with uncollected():
        samples = pages.first(fetched.body, openmetrics=fetched.openmetrics)
        return samples, meaning(samples)


def _seen(pages: Exposition, fetched: Fetched, node: str) -> tuple[NodeSign, ...]:
    if not fetched.body:
        return ()
    with uncollected():
        samples = pages.parse(fetched.body, openmetrics=fetched.openmetrics)
        return signs(samples, node=node, as_of=fetched.received)
