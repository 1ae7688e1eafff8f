"""Exporters of gauges in one engine: their targets in shards, their minutes in order."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.activity.prometheus.catching import Reports, Told, catch_up
from reaper.activity.prometheus.gauges.dcgm import Sampled, sampled, states
from reaper.activity.prometheus.gauges.dcgm_nodes import NodeLabels
from reaper.activity.prometheus.gauges.dialects import DCGM, Dialect
from reaper.activity.prometheus.gauges.sums import Sums
from reaper.activity.prometheus.queries.answer import RawSeries, matrix, vector
from reaper.activity.prometheus.queries.query import Engine
from reaper.activity.prometheus.queries.selectors import selector
from reaper.activity.prometheus.queries.together import together
from reaper.activity.prometheus.settings import DcgmSettings
from reaper.activity.prometheus.targets import INSTANCE
from reaper.activity.prometheus.unmatched import nothing
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.reading import Reading
from reaper.ports import NodeReport, SourceError

_SILENT: Final = "the engine has no sample of it in the last minute"
_NAMELESS: Final = "its series name no GPU, they have neither label UUID nor uuid"


@dataclass(slots=True, kw_only=True)
class _Shard:
    """Some instances, the minute that is asked next, and what their devices counted so far."""

    next: int
    instances: tuple[str, ...]
    sums: dict[str, Sums] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    """Each target's node, as newest known."""


class DcgmMetrics:
    """Gauge-only readings of one engine's exporters of one dialect."""

    def __init__(
        self,
        engine: Engine,
        settings: DcgmSettings,
        *,
        pace: Pace,
        nodes_per_query: int,
        dialect: Dialect = DCGM,
    ) -> None:
        self.families = dialect.found_by
        """By these a target is found."""
        self.match = settings.match
        self._engine = engine
        self._dialect = dialect
        self._settings = settings
        self._pace = pace
        self._most = nodes_per_query
        self._shards: list[_Shard] = []
        self._told: Told = {}
        self.lack = ""
        """Why there is nothing at all, where that is so."""

    def behind(self, closed: int) -> bool:
        """Tell whether a minute until `closed` is still to be asked for."""
        return any(shard.next <= closed for shard in self._shards)

    async def round(self, closed: int, begin: int, oldest: int) -> tuple[NodeReport, ...]:
        """Return the newest word of every target until the minute `closed`; raise SourceError."""
        await self._discover(closed, begin)
        for shard in self._shards:
            self._told |= await self._catch_up(shard, closed, oldest)
        return tuple(report for reports in self._told.values() for report in reports)

    async def _discover(self, closed: int, begin: int) -> None:
        chosen = selector(self.families, self.match)
        body = await self._engine.ask(f"count by ({INSTANCE}) ({chosen})", self._pace.ends(closed))
        known = {instance for shard in self._shards for instance in shard.instances}
        found = {metric.get(INSTANCE, "") for metric in vector(body, whose=self._whose).metrics()}
        new = sorted(found - known)
        nobody = not found and not known
        self.lack = nothing(self._engine, self.families, self.match) if nobody else ""
        for first in range(0, len(new), self._most):
            self._shards.append(
                _Shard(next=begin, instances=tuple(new[first : first + self._most]))
            )

    @property
    def _whose(self) -> str:
        return self._engine.name

    async def _catch_up(self, shard: _Shard, closed: int, oldest: int) -> Told:
        async def ask(minute: int) -> Reports:
            return await self._minute(shard, self._pace.ends(minute))

        try:
            return await catch_up(shard, closed, oldest, ask)
        except SourceError as error:
            at = self._pace.ends(closed)
            silent = NodeReport(node="", target="", as_of=at, error=str(error))
            return {
                (item,): (replace(silent, node=shard.nodes.get(item, ""), target=item),)
                for item in shard.instances
            }

    async def _minute(self, shard: _Shard, end: float) -> Reports:
        exporters = await self._exporters(shard, end)
        families = await together(
            self._raw(item.names, shard, end) for item in self._dialect.fields
        )
        rows: dict[str, list[RawSeries]] = {}
        for family in families:
            for row in family:
                rows.setdefault(row.metric.get(INSTANCE, ""), []).append(row)
        return {
            (instance,): self._report(shard, instance, rows.get(instance, []), exporters, end)
            for instance in shard.instances
        }

    async def _raw(
        self, names: tuple[str, ...], shard: _Shard, end: float
    ) -> tuple[RawSeries, ...]:
        """Ask for raw samples of a minute, and of one interval before: those still count."""
        chosen = selector(names, self._settings.match, instances=shard.instances)
        span = self._pace.step + self._settings.interval
        body = await self._engine.ask(f"{chosen}[{span * 1000:.0f}ms]", end)
        return await asyncio.to_thread(matrix, body, whose=self._whose)

    async def _exporters(self, shard: _Shard, end: float) -> dict[str, str]:
        """Return the pod of each target, which is on its `up` series alone."""
        chosen = selector(["up"], self._settings.match, instances=shard.instances)
        found = vector(await self._engine.ask(chosen, end), whose=self._whose)
        return {item.get(INSTANCE, ""): item.get("pod", "") for item in found.metrics()}

    def _report(
        self,
        shard: _Shard,
        instance: str,
        rows: list[RawSeries],
        exporters: dict[str, str],
        end: float,
    ) -> NodeReport:
        labels = NodeLabels(
            label=self._settings.node_label,
            short=self._settings.short_names,
            hosts=self._dialect.hosts,
            speaker=self._dialect.speaker,
        )
        found = sampled(
            rows,
            short_names=labels.short,
            node_label=labels.label,
            dialect=self._dialect,
            exporters=exporters,
            end=end,
        )
        node = found[0].device.node if found else shard.nodes.get(instance, "")
        if not found or not node:
            why = _NAMELESS if rows else _SILENT
            error = labels.missing(rows) if found else f"{labels.speaker}: {why}"
            return NodeReport(node=node, target=instance, as_of=end, error=error)
        shard.nodes[instance] = node
        return NodeReport(
            node=node,
            target=instance,
            as_of=end,
            devices=tuple(item.device for item in found),
            readings=tuple(part for item in found for part in self._read(shard, item, end)),
            signals=tuple(state for item in found for state in states(item)),
            shares=tuple(share for item in found for share in item.shares.values()),
        )

    def _read(self, shard: _Shard, item: Sampled, end: float) -> Iterator[Reading]:
        """Yield a device's counters at the end of a minute; of a new one those of zero before."""
        begin, gpu = end - self._pace.step, item.device.gpu
        sums = shard.sums.get(gpu)
        if sums is None:
            sums = Sums(gpu=gpu, epoch=f"dcgm {begin:.0f}", interval=self._settings.interval)
            shard.sums[gpu] = sums
            yield sums.begun(item.signals(), begin)
        yield sums.add(item.signals(), begin, end)
