"""
The metrics page: the picture of the last cycle as samples, rendered by ``prometheus_client``.

What the picture does not know has no sample: never a zero in its place.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from reaper.domain.picture import NodeLine, Picture, Row
from reaper.web.exposition import catalog
from reaper.web.exposition.catalog import Family
from reaper.web.exposition.sums import WeekSums, costs, counted, states
from reaper.web.exposition.totals import Sample, counters, histograms
from reaper.web.html.headline import is_seen
from reaper.web.words import plain

#: Signs that mean something in a pattern, or break the query that it stands in.
_IN_PATTERN: Final = re.compile(r"[^A-Za-z0-9_-]")

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What one page is made of: the picture, the reaper's clock, what to show of whom."""

    picture: Picture
    now: float
    version: str
    owners: bool = False
    bound: int = 1000
    """Idle allocations with samples of their own, costliest first."""
    weeks: tuple[WeekSums, ...] = ()

    @cached_property
    def idle(self) -> tuple[Row, ...]:
        """Return the idle allocations, costliest first."""
        rows = (row for row in self.picture.rows if row.idle_since is not None)
        return tuple(sorted(rows, key=lambda row: (-(row.cost_per_hour or 0.0), row.run_key)))

    @property
    def shown(self) -> tuple[Row, ...]:
        """Return the idle allocations that have samples of their own."""
        return self.idle[: self.bound]

    def labels(self, row: Row) -> tuple[str, ...]:
        """Return the labels of an allocation, in the order of its families."""
        whose = (row.team, row.owner if self.owners else "")
        called = "|".join(_IN_PATTERN.sub(".", name) for name in row.node_ids or (row.id,))
        return (row.platform, row.id, called, row.partition, row.namespace, *whose)


def render(scene: Scene | None) -> bytes:
    """Return the page; before the first cycle it names the families and has no samples."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(scene))
    return generate_latest(registry)


@dataclass(frozen=True, slots=True, eq=False)
class _Collector:
    scene: Scene | None

    def collect(self) -> Iterator[Metric]:
        for family in catalog.FAMILIES:
            yield (
                _histogram(family, self.scene)
                if family.kind == "histogram"
                else (_metric(family, self.scene))
            )


def _metric(family: Family, scene: Scene | None) -> Metric:
    kind = GaugeMetricFamily if family.kind == "gauge" else CounterMetricFamily
    metric = kind(family.name, family.help, labels=family.labels)
    for labels, value in _samples(family, scene):
        metric.add_metric([plain(label) for label in labels], value)
    return metric


def _histogram(family: Family, scene: Scene | None) -> Metric:
    metric = HistogramMetricFamily(family.name, family.help, labels=family.labels)
    for labels, buckets, total in histograms(family, scene.picture.totals) if scene else ():
        metric.add_metric([plain(label) for label in labels], buckets, total)
    return metric


def _samples(family: Family, scene: Scene | None) -> Iterable[Sample]:
    if scene is None:
        return ()
    if family.totals:
        return counters(family, scene.picture.totals)
    return _MAKERS[family](scene)


# ------------------------------------------------------------------ one maker a family


def _age(scene: Scene, as_of: float | None) -> Iterator[float]:
    if as_of is not None:
        yield scene.now - as_of


def _gpus(scene: Scene) -> Iterator[Sample]:
    picture = scene.picture
    working = picture.allocated - picture.idle - picture.unknown
    yield ("idle",), picture.idle
    yield ("unknown",), picture.unknown
    yield ("working",), max(0, working)
    yield ("free",), picture.free
    yield ("free_slices",), picture.free_slices
    yield ("unusable",), picture.unusable


def _holds(scene: Scene) -> Iterator[Sample]:
    kinds = Counter(hold.kind for hold in scene.picture.holds)
    for kind in sorted({"paused", "interlock", *kinds}):
        yield (kind,), kinds[kind]


def _cases(scene: Scene) -> Iterator[Sample]:
    cases = (row.case for row in scene.picture.rows if row.case is not None)
    yield from sorted(Counter((case.state, case.mode) for case in cases).items())


def _policies(scene: Scene) -> Iterator[Sample]:
    rows = (row for row in scene.picture.rows if row.policy)
    yield from sorted(Counter((row.policy, row.mode) for row in rows).items())


def _allocation_costs(scene: Scene) -> Iterator[Sample]:
    for row in scene.shown:
        if row.cost_per_hour is not None:
            yield (*scene.labels(row), scene.picture.currency), row.cost_per_hour


def _total_cost(scene: Scene) -> Iterator[Sample]:
    if scene.picture.cost_per_hour is not None:
        yield (scene.picture.currency,), scene.picture.cost_per_hour


def _source_ages(scene: Scene) -> Iterator[Sample]:
    for line in scene.picture.sources:
        for age in _age(scene, line.as_of):
            yield (line.name, line.role), age


def _node_ages(scene: Scene) -> Iterator[Sample]:
    for line in scene.picture.nodes:
        for age in _age(scene, line.as_of):
            yield (line.node,), age


def _of_nodes(value: Callable[[NodeLine], bool]) -> Callable[[Scene], Iterable[Sample]]:
    return lambda scene: [((line.node,), float(value(line))) for line in scene.picture.nodes]


def _one(value: Callable[[Scene], float]) -> Callable[[Scene], Iterable[Sample]]:
    return lambda scene: [((), value(scene))]


_MAKERS: Final[dict[Family, Callable[[Scene], Iterable[Sample]]]] = {
    catalog.BUILD_INFO: lambda scene: [((scene.version, scene.picture.cluster), 1.0)],
    catalog.PACE_NORMAL: _one(lambda scene: float(scene.picture.pace_normal)),
    catalog.CYCLE_LAST: _one(lambda scene: scene.picture.at),
    catalog.CYCLE_AGE: _one(lambda scene: scene.now - scene.picture.at),
    catalog.CYCLE_STEP: _one(lambda scene: scene.picture.step),
    catalog.ALLOCATIONS: lambda scene: [
        ((verdict,), number) for verdict, number in sorted(scene.picture.counts.items())
    ],
    catalog.GPUS: _gpus,
    catalog.WAITING_GPUS: _one(lambda scene: scene.picture.waiting_gpus),
    catalog.WAITING_REQUESTS: lambda scene: [
        ((line.partition, line.purpose), line.requests) for line in scene.picture.waiting
    ],
    catalog.COVERAGE: _one(lambda scene: scene.picture.coverage),
    catalog.COST: _total_cost,
    catalog.UNPRICED: _one(lambda scene: scene.picture.unpriced_gpus),
    catalog.ALLOCATION_IDLE: lambda scene: [
        (scene.labels(row), row.idle_seconds) for row in scene.shown
    ],
    catalog.ALLOCATION_GPUS: lambda scene: [
        (scene.labels(row), row.idle_gpus) for row in scene.shown
    ],
    catalog.ALLOCATION_COST: _allocation_costs,
    catalog.ALLOCATIONS_OMITTED: _one(lambda scene: len(scene.idle) - len(scene.shown)),
    catalog.SOURCE_UP: lambda scene: [
        ((line.name, line.role), float(not line.error and line.as_of is not None))
        for line in scene.picture.sources
    ],
    catalog.SOURCE_AGE: _source_ages,
    catalog.SOURCE_DURATION: lambda scene: [
        ((line.name, line.role), line.took) for line in scene.picture.sources
    ],
    catalog.SOURCE_FAILURES: lambda scene: [
        ((line.name, line.role), line.failures) for line in scene.picture.sources
    ],
    catalog.NODE_BLIND: lambda scene: [
        ((line.node,), float(not is_seen(line, scene.picture))) for line in scene.picture.nodes
    ],
    catalog.NODE_DOUBTED: _of_nodes(lambda line: bool(line.doubt)),
    catalog.NODE_MISNAMED: _of_nodes(lambda line: bool(line.claims)),
    catalog.NODE_AGE: _node_ages,
    catalog.HOLDS: _holds,
    catalog.CASES: _cases,
    catalog.POLICY_ALLOCATIONS: _policies,
    catalog.WEEK_INFO: lambda scene: [
        ((one.span, one.week, str(one.version)), 1.0) for one in scene.weeks
    ],
    catalog.WEEK_AS_OF: lambda scene: [((one.span,), one.as_of) for one in scene.weeks],
    catalog.WEEK_STATES: lambda scene: [
        ((one.span, state, *line), seconds)
        for one in scene.weeks
        for line, state, seconds in states(one)
    ],
    catalog.WEEK_FIGURES: lambda scene: [
        ((one.span, name, *line), seconds)
        for one in scene.weeks
        for line, name, seconds in counted(one)
    ],
    catalog.WEEK_COSTS: lambda scene: [
        ((one.span, name, currency, *line), amount)
        for one in scene.weeks
        for line, name, currency, amount in costs(one)
    ],
}
