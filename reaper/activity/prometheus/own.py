"""
Our exporters' metrics in one engine: who is scraped, shards of them, their minutes in order.

A target keeps its shard, so that answers keep their series.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from exporter.contract import catalog
from reaper.activity.heap import settle
from reaper.activity.prometheus.bound import Bound
from reaper.activity.prometheus.catching import Reports, Told, catch_up
from reaper.activity.prometheus.queries.answer import Metric, vector
from reaper.activity.prometheus.queries.query import Engine
from reaper.activity.prometheus.queries.selectors import selector
from reaper.activity.prometheus.queries.shard import Known, Shard
from reaper.activity.prometheus.queries.together import together
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.activity.prometheus.targets import Key, Markings, markings, page_label
from reaper.domain.facts.grid import Pace
from reaper.ports import Clock, NodeReport, SourceError

#: Shards that are asked for or put together at the same time: the engine works on one of them
#: while another is read.
_SIDE_BY_SIDE: Final = 3
#: Targets from which on what stays is a burden to the garbage collector.
_MANY: Final = 1000
#: Minutes after which a target that is scraped no more is forgotten.
_FORGOTTEN: Final = 1440


class OwnMetrics:
    """The pages of our exporters, as one engine keeps them."""

    def __init__(
        self, engine: Engine, settings: PrometheusSettings, *, clock: Clock, pace: Pace
    ) -> None:
        self.nodes: dict[str, str] = {}
        """Each node's instance label, as newest known, of the target that may speak for it."""
        self.bound = Bound(settings)
        self._engine = engine
        self._settings = settings
        self._clock = clock
        self._pace = pace
        self._shards: list[Shard] = []
        self._seen: dict[str, int] = {}
        self._marks: Markings | None = None
        self._names: dict[Key, str] = {}
        self._told: Told = {}
        self._settled = False

    @property
    def sure(self) -> frozenset[str]:
        """Return the nodes of which more than their pages says which target is theirs."""
        held = {node for key, node in self._names.items() if self.bound.nodes.get(key)}
        return frozenset(held & set(self.nodes))

    def behind(self, closed: int) -> bool:
        """Tell whether a minute until `closed` is still to be asked for."""
        return any(shard.next <= closed for shard in self._shards)

    async def round(self, closed: int, begin: int, oldest: int) -> tuple[NodeReport, ...]:
        """
        Return the newest word of every target until the minute `closed`; raise SourceError.

        A target that is met for the first time is asked for from the minute `begin` on.
        """
        known = await self._discover(closed, begin)
        lane = asyncio.Semaphore(_SIDE_BY_SIDE)

        async def turn(shard: Shard) -> Told:
            async with lane:
                return await self._catch_up(shard, closed, oldest, known)

        for told in await together(map(turn, self._shards)):
            self._told |= told
        if not self._settled and len(self._told) > _MANY:
            self._settled = True
            settle()
        return self._all()

    def failed(self, error: str) -> tuple[NodeReport, ...]:
        """Return that nothing new is known of any target, and why."""
        now = self._clock.now()
        for key, node in self._names.items():
            report = NodeReport(node=node, target=key[0], as_of=now, error=error)
            self._told[key] = (report,)
        return self._all()

    def _all(self) -> tuple[NodeReport, ...]:
        return tuple(
            self.bound.believed(key, report)
            for key in self._names
            for report in self._told.get(key, ())
        )

    async def _catch_up(self, shard: Shard, closed: int, oldest: int, known: Known) -> Told:
        now, every = self._clock.now(), self._settings.identities_every
        elapsed = self._clock.elapsed()

        async def ask(minute: int) -> Reports:
            return await shard.ask(self._pace.ends(minute), known, now=elapsed, every=every)

        try:
            return await catch_up(shard, closed, oldest, ask)
        except SourceError as error:
            failed = NodeReport(node="", target="", as_of=now, error=str(error))
            return {
                key: (replace(failed, node=node, target=instance),)
                for instance in shard.instances
                for key, node in known.nodes.get(instance, {}).items()
            }

    # -------------------------------------------------------------- targets

    async def _discover(self, closed: int, begin: int) -> Known:
        chosen = selector([catalog.NODE_INFO.name], self._engine.settings.match)
        body = await self._engine.ask(chosen, self._pace.ends(closed))
        found = vector(body, whose=self._engine.name).metrics()
        marks = self._markings(found)
        copies: dict[Key, Key] = {}
        self.bound.meet((marks.key(metric), metric) for metric in found)
        for metric in sorted(found, key=marks.copy):
            key = marks.key(metric)
            copies.setdefault(key, marks.copy(metric))
            self._meet(key, page_label(metric, "node"), closed, begin)
        self._forget(closed)
        by_instance: dict[str, dict[Key, str]] = {}
        for key, node in self._names.items():
            by_instance.setdefault(key[0], {})[key] = node
        return Known(marks=marks, nodes=by_instance, copies=copies)

    def _markings(self, found: Sequence[Metric]) -> Markings:
        """Return how targets are told apart; when that changes, all is begun anew but the time."""
        labels, replica = catalog.NODE_INFO.labels, self._engine.settings.replica_labels
        marks = markings(found, labels, replica=replica)
        if self._marks is not None and found and marks != self._marks:
            self._shards = [
                Shard(engine=self._engine, next=item.next, due=0.0, instances=item.instances)
                for item in self._shards
            ]
            self._names.clear()
        if self._marks is None or found:
            self._marks = marks
        return self._marks

    def _meet(self, key: Key, node: str, closed: int, begin: int) -> None:
        instance = key[0]
        if instance not in self._seen:
            self._home(begin).instances.append(instance)
        self._seen[instance] = closed
        if self.bound.refusal(key, node):
            self._names[key] = self.bound.called(key)
        else:
            self._names[key] = node
            self.nodes[node] = instance

    def _home(self, begin: int) -> Shard:
        """Return a shard with room."""
        most = self._settings.nodes_per_query
        for shard in self._shards:
            if len(shard.instances) < most:
                return shard
        shard = Shard(engine=self._engine, next=begin, due=self._due())
        self._shards.append(shard)
        return shard

    def _due(self) -> float:
        """Return when a new shard's identities are asked again: spread over their interval."""
        every = self._settings.identities_every
        return self._clock.elapsed() + every * ((len(self._shards) * 0.618) % 1.0)

    def _forget(self, closed: int) -> None:
        gone = {item for item, seen in self._seen.items() if closed - seen > _FORGOTTEN}
        for shard in self._shards if gone else ():
            shard.instances[:] = [item for item in shard.instances if item not in gone]
        for instance in gone:
            del self._seen[instance]
        if gone:
            self.bound.forget(gone)
        self._names = {key: node for key, node in self._names.items() if key[0] not in gone}
        self.nodes = {node: item for node, item in self.nodes.items() if item not in gone}
