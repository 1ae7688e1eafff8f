"""
Asks the engines once a minute for the minute that ended, and for those that were missed.

A round goes on when who asked for it stops waiting; until it ends, the last answer stands.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from exporter.contract.catalog import NODE_INFO
from reaper.activity.exporters.contest import Homes
from reaper.activity.prometheus.gauges.dcgm_metrics import DcgmMetrics
from reaper.activity.prometheus.gauges.dialects import DCGM, SMI
from reaper.activity.prometheus.gauges.hints import (
    JOBSTATS,
    SLURM_JOB_EXPORTER,
    hinted,
    of_jobstats,
    of_slurm_job_exporter,
)
from reaper.activity.prometheus.merging import contested, ours_first
from reaper.activity.prometheus.own import OwnMetrics
from reaper.activity.prometheus.queries.answer import vector
from reaper.activity.prometheus.queries.asking import Direct
from reaper.activity.prometheus.queries.query import Engine
from reaper.activity.prometheus.queries.selectors import selector
from reaper.activity.prometheus.settings import EngineSettings, PrometheusSettings
from reaper.activity.prometheus.unmatched import nothing, there
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.share import Share
from reaper.ports import Clock, NodeReport, Readings, SourceError

#: Seconds for which a caller waits for a round; a first one of a large cluster takes longer.
_PATIENCE: Final = 25.0
#: What every exporter of ours shows.
_OURS: Final = (NODE_INFO.name,)


@dataclass(slots=True, kw_only=True)
class _Source:
    """One engine and what is read of it."""

    engine: Engine
    own: OwnMetrics
    others: tuple[DcgmMetrics, ...]
    """Exporters of gauges, for nodes without one of ours."""
    problem: str = ""
    """Why nothing new of our exporters is known."""
    lack: str = ""
    """Why nothing new of others is known."""


@dataclass(slots=True)
class _Said:
    """What one round found."""

    ours: list[NodeReport] = field(default_factory=list)
    others: list[NodeReport] = field(default_factory=list)
    hints: list[Share] = field(default_factory=list)


def _joined(said: Sequence[_Said], homes: Homes) -> tuple[NodeReport, ...]:
    """Return what all engines said together, every device once and none of a silent target."""
    ours = [report for part in said for report in part.ours]
    others = [report for part in said for report in part.others]
    hints = (hint for part in said for hint in part.hints)
    told = homes.at_home(hinted(ours_first(ours, others), hints), silent_only=True)
    found = contested(told)
    homes.take(found)
    return found


class PrometheusActivity:
    """Activity from Prometheus-compatible engines; close it at the end."""

    name = "prometheus"
    sees_people = False
    """Its rounds bring no signs of people: nodes must be asked for them."""

    def __init__(self, settings: PrometheusSettings, *, clock: Clock, pace: Pace = NORMAL) -> None:
        self._settings = settings
        self._clock = clock
        self._pace = pace
        self._sources = tuple(self._source(item) for item in settings.engines)
        self._direct = Direct(settings.exporters, listed=settings.listed, clock=clock)
        self._begin: int | None = None
        self._homes = Homes()
        self._last = Readings(as_of=clock.now())
        self._newest: int | None = None
        self._under_way: asyncio.Task[Readings] | None = None

    def _source(self, settings: EngineSettings) -> _Source:
        engine = Engine(settings)
        most = self._settings.nodes_per_query
        asked = ((settings.dcgm, DCGM), (settings.nvidia_gpu_exporter, SMI))
        others = tuple(
            DcgmMetrics(engine, item, pace=self._pace, nodes_per_query=most, dialect=dialect)
            for item, dialect in asked
            if item is not None
        )
        own = OwnMetrics(engine, self._settings, clock=self._clock, pace=self._pace)
        return _Source(engine=engine, own=own, others=others)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the round under way and close every connection."""
        if self._under_way is not None:
            self._under_way.cancel()
            await asyncio.gather(self._under_way, return_exceptions=True)
        for source in self._sources:
            await source.engine.close()

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with the lists of targets and the engines, a sentence each."""
        failing = (text for item in self._sources for text in (item.problem, item.lack) if text)
        return (*self._direct.problems, *failing)

    async def unmatched(self) -> tuple[str, ...]:
        """Return, for a person, what the engines have instead of what matches nothing."""
        at = self._pace.ends(self._pace.closed(self._clock.now() - self._settings.delay))
        found = []
        for source in self._sources:
            lacking = [(item.families, item.match) for item in source.others if item.lack]
            if not source.others and not source.own.nodes:
                lacking.append((_OURS, source.engine.settings.match))
            try:
                found += [await there(source.engine, names, match, at) for names, match in lacking]
            except SourceError as error:
                found.append(str(error))
        return tuple(found)

    def resume(self, since: float | None) -> None:
        """
        Ask for the minutes after `since` too, when the last cycle before a start was written.

        That cycle had seen no more than the minute before: samples can be asked for only later.
        """
        if since is not None:
            oldest = self._clock.now() - self._settings.backfill
            self._begin = self._pace.closed(max(since, oldest)) - 1

    # -------------------------------------------------------------- rounds

    async def readings(self, minute: int) -> Readings:
        """Return what is new since the last answer; the last answer while nothing can be new."""
        closed = self._pace.closed(self._clock.now() - self._settings.delay)
        if self._under_way is None:
            if closed == self._newest and not self._behind(closed):
                return self._last
            self._under_way = asyncio.create_task(self._round(closed), name="ask the engines")
        await asyncio.wait({self._under_way}, timeout=_PATIENCE)
        if self._under_way.done():
            round_, self._under_way = self._under_way, None
            self._last = round_.result()
        return self._last

    def _behind(self, closed: int) -> bool:
        return any(
            source.own.behind(closed) or any(item.behind(closed) for item in source.others)
            for source in self._sources
        )

    async def _round(self, closed: int) -> Readings:
        begin = closed if self._begin is None else min(closed, self._begin)
        oldest = closed - self._pace.steps(self._settings.backfill)
        said = [await self._said(source, closed, begin, oldest) for source in self._sources]
        failing = [source.problem for source in self._sources if source.problem]
        if len(failing) == len(self._sources):
            raise SourceError("; ".join(failing))
        if not failing:
            self._begin = None
        self._newest = closed
        reports = await asyncio.to_thread(_joined, said, self._homes)
        return Readings(as_of=self._clock.now(), nodes=tuple(map(self._direct.seen, reports)))

    async def _said(self, source: _Source, closed: int, begin: int, oldest: int) -> _Said:
        said = _Said()
        source.problem = source.lack = ""
        try:
            source.engine.renew_credentials()
            said.ours += await source.own.round(closed, begin, oldest)
        except SourceError as error:
            source.problem = str(error)
            said.ours += source.own.failed(str(error))
            return said
        try:
            for other in source.others:
                said.others += await other.round(closed, begin, oldest)
                source.lack = source.lack or other.lack
            if not source.others and not source.own.nodes:
                source.lack = nothing(source.engine, _OURS, source.engine.settings.match)
            said.hints += await self._hints(source.engine, self._pace.ends(closed))
        except SourceError as error:
            source.lack = str(error)
        return said

    async def _hints(self, engine: Engine, at: float) -> Iterable[Share]:
        wanted = engine.settings.hints
        found: list[Share] = []
        if wanted.jobstats is not None:
            asked = selector(JOBSTATS, wanted.jobstats)
            found += of_jobstats(vector(await engine.ask(asked, at), whose=engine.name), at)
        if wanted.slurm_job_exporter is not None:
            asked = selector(SLURM_JOB_EXPORTER, wanted.slurm_job_exporter)
            answer = vector(await engine.ask(asked, at), whose=engine.name)
            found += of_slurm_job_exporter(answer, at)
        return found

    # -------------------------------------------------------------- direct questions

    async def ask(self, nodes: Sequence[str]) -> Readings:
        """Ask these nodes' own exporters now, for both pages."""
        instances = {
            node: item for source in self._sources for node, item in source.own.nodes.items()
        }
        sure = {node for source in self._sources for node in source.own.sure}
        return await self._direct.ask(nodes, instances, sure)
