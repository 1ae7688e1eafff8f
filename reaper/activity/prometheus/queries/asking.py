"""
The nodes' own exporters, asked directly in this mode too; what they said of people is kept.

An engine never holds what speaks of people, so this is the only way to it.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from reaper.activity.exporters.address import AddressError, Target, read
from reaper.activity.exporters.binding import Teller, bindings
from reaper.activity.exporters.exporter import Exporter
from reaper.activity.exporters.fetch import Fetcher
from reaper.activity.exporters.settings import ExporterSettings
from reaper.activity.prometheus.pages import SHOWN_EDGES
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.share import NodeSign
from reaper.ports import Clock, NodeReport, Readings

_UNKNOWN: Final = "no exporter of ours is known there: its people are unknown"


class Direct:
    """Asks the exporters of some nodes; `listed` when the settings name their addresses."""

    def __init__(self, settings: ExporterSettings, *, listed: bool, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._listed = settings.discovery() if listed else None
        self._signs: dict[str, tuple[NodeSign, ...]] = {}

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with the lists of targets, a sentence each."""
        return self._listed.problems if self._listed else ()

    async def ask(
        self, nodes: Sequence[str], instances: Mapping[str, str], sure: Collection[str]
    ) -> Readings:
        """
        Ask these nodes' exporters now; `instances` are their labels in the engine.

        Of the `sure` nodes those labels are proof of whom the engine scraped.
        """
        fetcher = Fetcher(self._settings, self._clock)
        fetcher.renew_credentials()
        lane = asyncio.Semaphore(self._settings.concurrency)

        async def one(node: str) -> NodeReport:
            try:
                target = self._target(node, instances.get(node, ""), sure=node in sure)
            except AddressError as error:
                return self._failed(node, f"{error}; list its address under exporters")
            if target is None:
                return self._failed(node, _UNKNOWN)
            async with lane:
                report = await Exporter(target, fetcher, self._clock).ask(people=True)
            return self._checked(node, report)

        try:
            reports = await asyncio.gather(*map(one, nodes))
        finally:
            await fetcher.close()
        self._remember(reports)
        return Readings(as_of=self._clock.now(), nodes=tuple(reports))

    def _target(self, node: str, instance: str, *, sure: bool) -> Target | None:
        """Return where a node's exporter answers: as listed, else as it is labelled."""
        if self._listed is None:
            target = read(instance, scheme=self._settings.scheme) if instance else None
            return target.bound(node) if target and sure else target
        listed = self._listed.refresh()
        speaks = bindings(map(Teller.of, listed)).speaks(node)
        bound = (item for item in listed if item.node and item.name in speaks)
        loose = (item for item in listed if not item.node and item.name == instance)
        return next(iter((*bound, *loose)), None)

    def _checked(self, node: str, report: NodeReport) -> NodeReport:
        if report.error or report.node == node:
            return replace(report, node=node, readings=tuple(map(_as_asked, report.readings)))
        return self._failed(node, f"{report.target} answers for node {report.node} instead")

    def _failed(self, node: str, error: str) -> NodeReport:
        return NodeReport(node=node, target="", as_of=self._clock.now(), error=error)

    # -------------------------------------------------------------- people

    def _remember(self, reports: Iterable[NodeReport]) -> None:
        for report in reports:
            if not report.error:
                self._signs[report.node] = report.signs
            else:
                self._signs[report.node] = tuple(
                    replace(item, sign=replace(item.sign, state="unreachable"))
                    for item in self._signs.get(report.node, ())
                )

    def seen(self, report: NodeReport) -> NodeReport:
        """Return a report with the signs of people that its node gave when last asked."""
        signs = self._signs.get(report.node)
        return replace(report, signs=signs) if signs and not report.error else report


def _as_asked(reading: Reading) -> Reading:
    """Return a reading as the engine is asked for it, so that the two join."""
    return replace(reading, above=reading.above[:SHOWN_EDGES])
