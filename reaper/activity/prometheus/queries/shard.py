"""Some targets of our exporters, asked a family at a time for a whole minute or for nothing."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from exporter.contract import catalog
from exporter.contract.catalog import Family
from reaper.activity.exporters.fetch import Fetched
from reaper.activity.exporters.page import Page
from reaper.activity.exporters.reporter import Reporter
from reaper.activity.exporters.trust import ClockError
from reaper.activity.heap import uncollected
from reaper.activity.prometheus.catching import Reports
from reaper.activity.prometheus.pages import (
    COUNTED,
    IDENTITIES,
    MOVING,
    WANTED,
    Answers,
    Pages,
)
from reaper.activity.prometheus.queries.answer import Vector, vector
from reaper.activity.prometheus.queries.query import Engine
from reaper.activity.prometheus.queries.selectors import selector
from reaper.activity.prometheus.queries.together import together
from reaper.activity.prometheus.targets import Copies, Key, Markings, shown
from reaper.ports import NodeReport

#: Seconds that a scrape may take: the page was written in between.
_SCRAPE: Final = 10.0
_SILENT: Final = "the engine has no sample of it at the last minute's end; does it scrape it?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The targets that an engine has: how they are told apart, each with its node."""

    marks: Markings
    nodes: Mapping[str, Mapping[Key, str]]
    """By instance: each target of that name, and its node."""
    copies: Copies


@dataclass(slots=True, kw_only=True)
class Shard:
    """Some instances and the minute that is asked next."""

    engine: Engine
    next: int
    due: float
    """From when on identities are asked again; monotonic seconds."""
    instances: list[str] = field(default_factory=list)
    _pages: Pages = field(default_factory=Pages)
    _reporters: dict[Key, Reporter] = field(default_factory=dict)

    async def ask(self, at: float, known: Known, *, now: float, every: float) -> Reports:
        """Ask for the minute that ended at `at`; raise SourceError when any part is missing."""
        counted = await self._families(COUNTED, at)
        moving = await self._families(MOVING, at)
        scraped = await self._scraped(at, known)
        identities: Answers = {}
        if now >= self.due or self._pages.suspicious(counted):
            identities = await self._families(IDENTITIES, at)
            self.due = now + every if now >= self.due else self.due
        return await asyncio.to_thread(
            self._read, counted, moving, identities, scraped=scraped, known=known, at=at
        )

    async def _families(self, families: Iterable[Family], at: float) -> dict[Family, Vector]:
        chosen = tuple(families)
        answers = await together(self._family(family, at) for family in chosen)
        return dict(zip(chosen, answers, strict=True))

    async def _family(self, family: Family, at: float) -> Vector:
        return await self._vector(self._selector(family), at)

    async def _scraped(self, at: float, known: Known) -> dict[Key, float]:
        """Return when each target was scraped, by the engine's clock."""
        found = await self._vector(f"timestamp({self._selector(catalog.EXPORTER_START)})", at)
        series = shown(catalog.EXPORTER_START, found, (), known.marks, known.copies)
        return {key: found.values[slot] for key, slot, _ in series}

    async def _vector(self, expression: str, at: float) -> Vector:
        body = await self.engine.ask(expression, at)
        return await asyncio.to_thread(vector, body, whose=self.engine.name)

    def _selector(self, family: Family) -> str:
        pinned, where = self.engine.settings.match, WANTED.get(family)
        return selector([family.name], pinned, instances=self.instances, where=where)

    def _read(
        self,
        counted: Answers,
        moving: Answers,
        identities: Answers,
        *,
        scraped: Mapping[Key, float],
        known: Known,
        at: float,
    ) -> Reports:
        with uncollected():
            pages = self._pages.read(counted, moving, identities, known.marks, known.copies)
            return self._reports(pages, scraped, known, at)

    def _reports(
        self,
        pages: Mapping[Key, Page | str],
        scraped: Mapping[Key, float],
        known: Known,
        at: float,
    ) -> Reports:
        silent = NodeReport(node="", target="", as_of=at, error=_SILENT)
        return {
            key: self._report(key, node, pages[key], scraped[key])
            if key in pages and key in scraped
            else replace(silent, node=node, target=instance)
            for instance in self.instances
            for key, node in known.nodes.get(instance, {}).items()
        }

    def _report(self, key: Key, node: str, page: Page | str, scraped: float) -> NodeReport:
        failed = NodeReport(node=node, target=key[0], as_of=scraped)
        if isinstance(page, str):
            return replace(failed, error=page)
        reporter = self._reporters.setdefault(key, Reporter(key[0]))
        fetched = Fetched(body=b"", sent=scraped - 1.0, received=scraped + _SCRAPE)
        try:
            return replace(reporter.report(page, fetched), as_of=scraped)
        except ClockError as error:
            return replace(failed, error=str(error))
