"""
What the series of some targets mean, worked out family by family.  Pure.

There are millions of them: those of devices go straight to their places, and only what stands
once a device or a target is made a series as on a page.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from sys import intern

from exporter.contract import catalog
from exporter.contract.catalog import Family
from reaper.activity.exporters.places import PLACES, Places
from reaper.activity.exporters.plan import INFOS, Plan, planned
from reaper.activity.exposition import PageError, Series
from reaper.activity.prometheus.queries.answer import Vector
from reaper.activity.prometheus.queries.columns import Row
from reaper.activity.prometheus.targets import Copies, Key, Markings, shown
from reaper.domain.facts.device import SignalState


@dataclass(slots=True)
class _Target:
    """What is found of one target."""

    found: dict[str, list[tuple[Series, int]]] = field(default_factory=dict)
    places: dict[str, Places] = field(default_factory=dict)
    signals: list[SignalState] = field(default_factory=list)
    ones: "array[int]" = field(default_factory=lambda: array("q"))

    def plan(self) -> Plan | str:
        """Return its meaning, or why it is no page of an exporter."""
        try:
            signals = tuple(self.signals)
            slots = {gpu: item.plan() for gpu, item in self.places.items()}
            return planned(self.found, slots=slots, signals=signals, ones=self.ones)
        except PageError as error:
            return str(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """A family's answer, and the slot at which its numbers begin."""

    family: Family
    found: Vector
    begin: int
    marks: Markings
    copies: Copies

    def series(self, *labels: str) -> Iterator[tuple[Key, int, Row]]:
        """Return target, slot and labels of the series that are read."""
        marks, copies = self.marks, self.copies
        return shown(self.family, self.found, labels, marks, copies, begin=self.begin)


_Targets = defaultdict[Key, _Target]


def plans(
    answers: Iterable[tuple[Family, Vector]], marks: Markings, copies: Copies
) -> dict[Key, Plan | str]:
    """Work out what each target's slots mean, or why nothing; numbers stand as the answers do."""
    targets: _Targets = defaultdict(_Target)
    begin = 0
    for family, found in answers:
        answer = _Answer(family=family, found=found, begin=begin, marks=marks, copies=copies)
        if family.name in PLACES:
            _count(targets, answer)
        elif family is catalog.SIGNAL_INFO:
            _see(targets, answer)
        else:
            _list(targets, answer)
        begin += len(found.values)
    return {key: target.plan() for key, target in targets.items()}


def _count(targets: _Targets, answer: _Answer) -> None:
    """Put what devices count in its places."""
    label, put = PLACES[answer.family.name]
    for key, slot, (gpu, one) in answer.series("gpu", label or "gpu"):
        places = targets[key].places
        if gpu not in places:
            places[intern(gpu)] = Places()
        put(places[gpu], intern(one), slot)


def _see(targets: _Targets, answer: _Answer) -> None:
    """Add what can be read of devices."""
    for key, slot, values in answer.series("gpu", "signal", "source", "state", "reason"):
        gpu, signal, source, state, reason = map(intern, values)
        target = targets[key]
        target.ones.append(slot)
        target.signals.append(
            SignalState(gpu=gpu, signal=signal, source=source, state=state, reason=reason)
        )


def _list(targets: _Targets, answer: _Answer) -> None:
    """Add series as they are."""
    family = answer.family
    for key, slot, item in listed(family, answer.found, answer.marks, answer.copies):
        target = targets[key]
        target.found.setdefault(family.name, []).append((item, answer.begin + slot))
        if family in INFOS:
            target.ones.append(answer.begin + slot)


def listed(
    family: Family, found: Vector, marks: Markings, copies: Copies
) -> Iterator[tuple[Key, int, Series]]:
    """Yield the series of the copies that are read, as their pages showed them."""
    labels = tuple(sorted(family.labels))
    for key, slot, values in shown(family, found, labels, marks, copies):
        yield key, slot, Series(family.name, labels, tuple(map(intern, values)))
