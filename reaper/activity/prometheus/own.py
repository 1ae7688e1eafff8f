"""
Our exporters' metrics in one engine: who is scraped, shards of them, their minutes in order.

A target keeps its shard, so that answers keep their series.
"""

from collections.abc import Iterator
from typing import Final

from exporter.contract import catalog
from reaper.activity.prometheus.answer import Vector, vector
from reaper.activity.prometheus.query import Engine
from reaper.activity.prometheus.selectors import selector
from reaper.activity.prometheus.settings import PrometheusSettings
from reaper.activity.prometheus.shard import Known, Reports, Shard, joined
from reaper.activity.prometheus.targets import Key, Markings, markings, page_label
from reaper.domain.facts.grid import Pace
from reaper.ports import Clock, NodeReport, SourceError

#: Minutes of a shard that one round may ask for: four rounds a minute catch up twelve.
_AT_ONCE: Final = 3
#: Minutes after which a target that is scraped no more is forgotten.
_FORGOTTEN: Final = 1440


class OwnMetrics:
    """The pages of our exporters, as one engine keeps them."""

    def __init__(
        self, engine: Engine, settings: PrometheusSettings, *, clock: Clock, pace: Pace
    ) -> None:
        self.nodes: dict[str, str] = {}
        """Each node's instance label, as newest known."""
        self._engine = engine
        self._settings = settings
        self._clock = clock
        self._pace = pace
        self._shards: list[Shard] = []
        self._seen: dict[str, int] = {}
        self._marks: Markings | None = None
        self._names: dict[Key, str] = {}

    async def round(self, closed: int, begin: int) -> tuple[NodeReport, ...]:
        """
        Return what is new of every target until the minute `closed`; raise SourceError.

        A target that is met for the first time is asked for from the minute `begin` on.
        """
        known = await self._discover(closed, begin)
        told: list[NodeReport] = []
        for shard in self._shards:
            told += await self._catch_up(shard, closed, known)
        return tuple(told)

    async def _catch_up(self, shard: Shard, closed: int, known: Known) -> tuple[NodeReport, ...]:
        """Ask for a shard's minutes in order; one that fails is asked again the next round."""
        minutes: list[Reports] = []
        now = self._clock.now()
        try:
            while shard.next <= closed and len(minutes) < _AT_ONCE:
                at = self._pace.ends(shard.next)
                asked = await shard.ask(at, known, now=now, every=self._settings.identities_every)
                minutes.append(asked)
                shard.next += 1
        except SourceError as error:
            if not minutes:
                return tuple(self._failed(shard, known, str(error)))
        return joined(minutes)

    def _failed(self, shard: Shard, known: Known, error: str) -> Iterator[NodeReport]:
        now = self._clock.now()
        for instance in shard.instances:
            for node in known.nodes.get(instance, {}).values():
                yield NodeReport(node=node, target=instance, as_of=now, error=error)

    # -------------------------------------------------------------- targets

    async def _discover(self, closed: int, begin: int) -> Known:
        chosen = selector([catalog.NODE_INFO.name], self._engine.settings.match)
        body = await self._engine.ask(chosen, self._pace.ends(closed))
        found = vector(body, whose=self._engine.name)
        marks = self._markings(found)
        copies: dict[Key, Key] = {}
        for metric in sorted(found.metrics, key=marks.copy):
            key = marks.key(metric)
            copies.setdefault(key, marks.copy(metric))
            self._meet(key, page_label(metric, "node"), closed, begin)
        self._forget(closed)
        by_instance: dict[str, dict[Key, str]] = {}
        for key, node in self._names.items():
            by_instance.setdefault(key[0], {})[key] = node
        return Known(marks=marks, nodes=by_instance, copies=copies)

    def _markings(self, found: Vector) -> Markings:
        """Return how targets are told apart; when that changes, all is begun anew but the time."""
        labels, replica = catalog.NODE_INFO.labels, self._engine.settings.replica_labels
        marks = markings(found.metrics, labels, replica=replica)
        if self._marks is not None and found.metrics and marks != self._marks:
            self._shards = [
                Shard(engine=self._engine, next=item.next, due=0.0, instances=item.instances)
                for item in self._shards
            ]
            self._names.clear()
        if self._marks is None or found.metrics:
            self._marks = marks
        return self._marks

    def _meet(self, key: Key, node: str, closed: int, begin: int) -> None:
        instance = key[0]
        if instance not in self._seen:
            self._home(begin).instances.append(instance)
        self._seen[instance] = closed
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
        return self._clock.now() + every * ((len(self._shards) * 0.618) % 1.0)

    def _forget(self, closed: int) -> None:
        gone = {item for item, seen in self._seen.items() if closed - seen > _FORGOTTEN}
        for shard in self._shards if gone else ():
            shard.instances[:] = [item for item in shard.instances if item not in gone]
        for instance in gone:
            del self._seen[instance]
        self._names = {key: node for key, node in self._names.items() if key[0] not in gone}
        self.nodes = {node: item for node, item in self.nodes.items() if item not in gone}
