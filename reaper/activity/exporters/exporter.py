"""One exporter as it is known here: where it answers, and what it last said."""

import logging
from dataclasses import replace

from reaper.activity.exporters.address import Target
from reaper.activity.exporters.binding import Bindings
from reaper.activity.exporters.fetch import Fetched, Fetcher, MissingPageError
from reaper.activity.exporters.page import PageReader, signs
from reaper.activity.exporters.reporter import Reporter
from reaper.activity.exporters.trust import ClockError
from reaper.activity.exposition import Exposition, PageError
from reaper.domain.facts.share import NodeSign
from reaper.ports import Clock, NodeReport, SourceError

_log = logging.getLogger(__name__)


class Exporter:
    """
    A target with its newest report and the memory that reading its pages needs.

    A page that gives another node's name for its own is not read any further.

    Answers may overtake each other (a round and a direct question): one that was sent before
    the newest is returned to who asked, and not remembered.
    """

    def __init__(self, target: Target, fetcher: Fetcher, clock: Clock) -> None:
        self.target = target
        self.node = target.host
        self.report: NodeReport | None = None
        self.people_due = float("-inf")
        """From when on people are asked for again; monotonic seconds."""
        self.bindings = Bindings()
        """Who may speak for which node, as newest known."""
        self._fetcher = fetcher
        self._clock = clock
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
            samples = self._metrics.parse(fetched.body, openmetrics=fetched.openmetrics)
            page = self._reader.read(samples)
        except (SourceError, PageError) as error:
            return self.failed(str(error))
        target = self.target
        if refusal := self.bindings.refusal(target.name, target.node, page.node):
            return self._refused(refusal, page.node)
        try:
            told = self._reporter.report(page, fetched, newest=sent >= self._sent)
        except ClockError as error:
            return replace(self.failed(str(error)), node=page.node)
        return replace(told, signs=self._signs, unbound=not target.node)

    def failed(self, error: str) -> NodeReport:
        """Return the report of an answer that was none."""
        return NodeReport(
            node=self.node, target=self.target.name, as_of=self._clock.now(), error=error
        )

    def _refused(self, why: str, claims: str) -> NodeReport:
        """Return the report of a page that speaks for another node; it is logged once."""
        self.node, self._signs = self.target.host, ()
        if self.report is None or self.report.claims != claims:
            _log.warning("the exporter at %s %s", self.target.name, why)
        return replace(self.failed(why), claims=claims)

    async def _ask_people(self, node: str) -> None:
        """Read the people page; where that fails, whoever was seen cannot be seen any more."""
        try:
            fetched = await self._fetcher.fetch(self.target.people)
            self._signs = self._seen(fetched, node)
        except MissingPageError:
            self._signs = ()
        except (SourceError, PageError):
            self._signs = tuple(
                replace(item, sign=replace(item.sign, state="unreachable")) for item in self._signs
            )

    def _seen(self, fetched: Fetched, node: str) -> tuple[NodeSign, ...]:
        if not fetched.body:
            return ()
        samples = self._people.parse(fetched.body, openmetrics=fetched.openmetrics)
        return signs(samples, node=node, as_of=fetched.received)
