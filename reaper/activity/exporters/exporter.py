"""One exporter as it is known here: where it answers, and what it last said."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from exporter.contract import node_key
from reaper.activity.exporters.address import Target
from reaper.activity.exporters.fetch import Fetched, Fetcher, MissingPageError
from reaper.activity.exporters.page import Page, PageReader, signs
from reaper.activity.exporters.trust import ClockError, implausible, refuse_step_back, skew
from reaper.activity.exposition import Exposition, PageError
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.share import NodeSign
from reaper.ports import Clock, NodeReport, SourceError


class Exporter:
    """
    A target with its newest report and the memory that reading its pages needs.

    Answers may overtake each other (a round and a direct question): one that was sent before
    the newest is returned to who asked, and not remembered.
    """

    def __init__(self, target: Target, fetcher: Fetcher, clock: Clock) -> None:
        self.target = target
        self.node = target.host
        self.report: NodeReport | None = None
        self.people_due = 0.0
        self._fetcher = fetcher
        self._clock = clock
        self._metrics = Exposition()
        self._people = Exposition()
        self._reader = PageReader()
        self._page: Page | None = None
        self._signs: tuple[NodeSign, ...] = ()
        self._readings: dict[str, Reading] = {}
        self._sent = 0.0

    @property
    def failing(self) -> bool:
        """Tell whether its newest answer was none."""
        return self.report is not None and bool(self.report.error)

    async def ask(self, *, people: bool) -> NodeReport:
        """Ask now, for the people page too where wanted; an error is a report like any other."""
        sent = self._clock.now()
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
            return self._reported(page, fetched, newest=sent >= self._sent)
        except (SourceError, PageError) as error:
            return self.failed(str(error))

    def failed(self, error: str) -> NodeReport:
        """Return the report of an answer that was none."""
        return NodeReport(
            node=self.node, target=self.target.name, as_of=self._clock.now(), error=error
        )

    def _reported(self, page: Page, fetched: Fetched, *, newest: bool) -> NodeReport:
        try:
            off = skew(page, fetched)
            if newest:
                before, self._page = self._page, page
                refuse_step_back(before, page)
        except ClockError as error:
            return replace(self.failed(str(error)), node=page.node)
        refused = dict(_implausible(self._readings if newest else {}, page.readings))
        if newest:
            # A refused reading too is what the next one is compared with.
            self._readings = {reading.gpu: reading for reading in page.readings}
        return NodeReport(
            node=page.node,
            target=self.target.name,
            as_of=fetched.received,
            started=page.started,
            devices=page.devices,
            readings=tuple(item for item in page.readings if item.gpu not in refused),
            signals=page.signals,
            shares=page.shares,
            signs=self._signs,
            pressures=tuple(_pressures(page, fetched.received)),
            skew=off,
            faults={**page.faults, **refused},
        )

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


def _implausible(
    before: Mapping[str, Reading], readings: tuple[Reading, ...]
) -> Iterator[tuple[str, str]]:
    for reading in readings:
        if reason := implausible(before.get(reading.gpu), reading):
            yield reading.gpu, f"{reason}: its reading is dropped"


def _pressures(page: Page, at: float) -> Iterator[Pressure]:
    for text, seconds in page.pressures:
        try:
            key = node_key.parse(text)
        except ValueError:
            continue
        yield Pressure(node=page.node, id=key.id, start=float(key.start), at=at, seconds=seconds)
