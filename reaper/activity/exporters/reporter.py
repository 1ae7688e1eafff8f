"""What is believed of a target's pages: each is compared with the one before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from exporter.contract import node_key
from reaper.activity.exporters.fetch import Fetched
from reaper.activity.exporters.page import Page
from reaper.activity.exporters.trust import implausible, refuse_step_back, skew
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.receivers import Receivers
from reaper.domain.facts.share import Share
from reaper.ports import NodeReport


@dataclass(slots=True)
class Reporter:
    """Turns the pages of one target into reports; remembers the newest page and its readings."""

    target: str
    _page: Page | None = None
    _readings: dict[str, Reading] = field(default_factory=dict)
    _shares: tuple[Share, ...] = ()
    """What is said again is the same value: nobody need look at it anew."""

    def report(self, page: Page, fetched: Fetched, *, newest: bool = True) -> NodeReport:
        """
        Return a page's report without what cannot be meant; raise ClockError.

        A page that was overtaken by a newer one is compared with nothing and not remembered.
        """
        off = skew(page, fetched)
        if newest:
            before, self._page = self._page, page
            refuse_step_back(before, page)
        refused = dict(_implausible(self._readings if newest else {}, page.readings))
        if newest:
            # A refused reading too is what the next one is compared with.
            self._readings = {reading.gpu: reading for reading in page.readings}
        if page.shares != self._shares:
            self._shares = page.shares
        return NodeReport(
            node=page.node,
            target=self.target,
            as_of=fetched.received,
            started=page.started,
            devices=page.devices,
            readings=tuple(item for item in page.readings if item.gpu not in refused)
            if refused
            else page.readings,
            signals=page.signals,
            shares=self._shares,
            pressures=tuple(_pressures(page, fetched.received)),
            receivers=tuple(_receivers(page)),
            skew=off,
            faults={**page.faults, **refused},
        )


def _implausible(
    before: Mapping[str, Reading], readings: tuple[Reading, ...]
) -> Iterator[tuple[str, str]]:
    for reading in readings:
        if reason := implausible(before.get(reading.gpu), reading):
            yield reading.gpu, f"{reason}: its reading is dropped"


def _pressures(page: Page, at: float) -> Iterator[Pressure]:
    alone = len(page.pressures) == 1
    for (platform, text), seconds in page.pressures:
        try:
            key = node_key.parse(text)
        except ValueError:
            continue
        yield Pressure(
            node=page.node,
            id=key.id,
            start=float(key.start),
            at=at,
            seconds=seconds,
            platform=platform,
            moved=page.moved,
            alone=alone,
        )


def _receivers(page: Page) -> Iterator[Receivers]:
    for (platform, text), catches in page.catches:
        try:
            key = node_key.parse(text)
        except ValueError:
            continue
        yield Receivers(
            node=page.node,
            id=key.id,
            start=float(key.start),
            catches=catches,
            platform=platform,
        )
