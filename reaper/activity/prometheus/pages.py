"""
The pages that some exporters would have shown at a minute's end, put together from answers.

A target's series are worked out once for each set of series; then only their numbers are read.
What jobs bring and take away with them is worked out every minute.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import lt
from typing import Final

from exporter.contract import catalog
from exporter.contract.catalog import Family
from reaper.activity.exporters.page import Page, PageReader
from reaper.activity.exporters.plan import OF_JOBS, Plan
from reaper.activity.exposition import PageError, Series
from reaper.activity.prometheus.queries.answer import Vector
from reaper.activity.prometheus.queries.planning import listed, plans
from reaper.activity.prometheus.targets import Copies, Key, Markings

#: What a device counts, and when its exporter started and took its samples.
COUNTED: Final[tuple[Family, ...]] = (
    catalog.EXPORTER_START,
    catalog.SAMPLE_AGE,
    catalog.SAMPLE_TIMESTAMP,
    catalog.OBSERVED,
    *catalog.ACTIVE_COUNTERS.values(),
    catalog.ACTIVITY_ABOVE,
    catalog.LINK_BYTES,
    catalog.ENERGY,
    catalog.MEMORY_USED,
    catalog.POWER,
    catalog.PROCESSES,
)
#: What comes and goes with jobs and cards.
MOVING: Final[tuple[Family, ...]] = (
    catalog.ALLOCATION_SHARE,
    catalog.PRESSURE,
    catalog.CATCHES_SIGNAL,
    catalog.ALLOCATION_ENGINE,
    catalog.NETWORK,
)
#: What changes only with its series, or with a restart of the exporter.
IDENTITIES: Final[tuple[Family, ...]] = (
    catalog.BUILD_INFO,
    catalog.NODE_INFO,
    catalog.INFO,
    catalog.SIGNAL_INFO,
)
#: Edges of which seconds above are asked for: the lowest ends idleness.
SHOWN_EDGES: Final = 1
#: Of families with many series a device, those that a letter needs.
WANTED: Final[Mapping[Family, Mapping[str, tuple[str, ...]]]] = {
    catalog.OBSERVED: {"signal": (*catalog.ACTIVITY_SIGNALS, catalog.TENANT)},
    catalog.ACTIVITY_ABOVE: {"edge": catalog.EDGES[:SHOWN_EDGES]},
}
_GROWING: Final = frozenset(family for family in COUNTED if family.kind == "counter")

Answers = Mapping[Family, Vector]


@dataclass(slots=True, kw_only=True)
class _Kept:
    """What is kept of a family's newest answer."""

    digest: bytes
    values: "array[float]"


@dataclass(slots=True)
class Pages:
    """The pages of some targets; remembers the meaning of the newest answers."""

    _kept: dict[Family, _Kept] = field(default_factory=dict)
    _plans: dict[Key, Plan | str] = field(default_factory=dict)
    """A target's meaning, or why it is no page of an exporter."""
    _readers: dict[Key, PageReader] = field(default_factory=dict)

    def suspicious(self, counted: Answers) -> bool:
        """Tell whether identities must be read anew: other series, a restart, a reset."""
        return any(self._changed(family, vector) for family, vector in counted.items())

    def _changed(self, family: Family, vector: Vector) -> bool:
        kept = self._kept.get(family)
        if kept is None or kept.digest != vector.digest:
            return True
        if family is catalog.EXPORTER_START:
            return kept.values != vector.values
        return family in _GROWING and any(map(lt, vector.values, kept.values))

    def read(
        self,
        counted: Answers,
        moving: Answers,
        identities: Answers,
        marks: Markings,
        copies: Copies,
    ) -> dict[Key, Page | str]:
        """
        Return each target's page, or why it cannot be used.

        Without `identities` the newest ones stand: their series are the same.
        """
        fresh = {**counted, **identities}
        if any(self._is_new(family, vector) for family, vector in fresh.items()):
            slots = [(family, fresh[family]) for family in (*COUNTED, *IDENTITIES)]
            self._adopt(plans(slots, marks, copies))
        for family, vector in fresh.items():
            self._kept[family] = _Kept(digest=vector.digest, values=vector.values)
        values = array("d")
        for family in (*COUNTED, *IDENTITIES):
            values.extend(self._kept[family].values)
        jobs = _jobs(moving, marks, copies, values)
        return {key: self._page(key, chosen, jobs, values) for key, chosen in self._plans.items()}

    def _is_new(self, family: Family, vector: Vector) -> bool:
        kept = self._kept.get(family)
        return kept is None or kept.digest != vector.digest

    def _adopt(self, plans: dict[Key, Plan | str]) -> None:
        self._plans = plans
        for key, chosen in plans.items():
            if isinstance(chosen, Plan):
                self._readers.setdefault(key, PageReader()).adopt(chosen)

    def _page(
        self, key: Key, chosen: Plan | str, jobs: "_Jobs", values: Sequence[float]
    ) -> Page | str:
        if isinstance(chosen, str):
            return chosen
        of_jobs = jobs.get(key, {})
        for family, found in of_jobs.items():
            if len(found) > OF_JOBS:
                return f"{family.name} stands {len(found)} times on the page; at most {OF_JOBS} do"
        whole = replace(
            chosen,
            shares=tuple(of_jobs.get(catalog.ALLOCATION_SHARE, ())),
            pressures=tuple(of_jobs.get(catalog.PRESSURE, ())),
            receivers=tuple(of_jobs.get(catalog.CATCHES_SIGNAL, ())),
            tenants=tuple(of_jobs.get(catalog.ALLOCATION_ENGINE, ())),
            network=tuple(of_jobs.get(catalog.NETWORK, ())),
        )
        try:
            return self._readers[key].facts(whole, values)
        except PageError as error:
            return str(error)


_Jobs = dict[Key, dict[Family, list[tuple[Series, int]]]]


def _jobs(moving: Answers, marks: Markings, copies: Copies, values: "array[float]") -> _Jobs:
    """Work out what jobs have on each target, and add their numbers to the values."""
    found: _Jobs = {}
    for family, vector in moving.items():
        for key, slot, item in listed(family, vector, marks, copies):
            of_target = found.setdefault(key, {}).setdefault(family, [])
            of_target.append((item, len(values) + slot))
        values.extend(vector.values)
    return found
