"""
How much of what jobs held can have been waste, from nothing but their averages.

An average says how much of the time something ran, not when.  A device at exactly zero idled from
its start-up on: that is certain.  At a rate above zero it idled at most the rest of its time, if it
ran flat out in between, and perhaps never: that is the bound.  Without a rate nothing is known.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import Final, NamedTuple

from reaper.domain.audit.jobs import RecordedJob
from reaper.domain.audit.sums import HELD, Sums, condensed
from reaper.domain.audit.usage import Usage
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.booking import cost
from reaper.domain.money.waste import ROUNDING, Waits
from reaper.domain.prices.amounts import NOTHING, Amounts
from reaper.domain.prices.rates import RateCard, Subject

#: Idleness before this is start-up and nobody's waste.
STARTUP: Final = NORMAL.startup


class Bounds(NamedTuple):
    """
    Card-seconds: what was held, seen, and can have been waste, at least and at most.

    `unknown` was held without a rate and is in neither bound; `perhaps` is what of it could be
    waste if all of it idled.
    """

    held: float = 0.0
    unknown: float = 0.0
    zero: float = 0.0
    used: float = 0.0
    least: float = 0.0
    most: float = 0.0
    perhaps: float = 0.0

    @property
    def unused(self) -> float:
        """Return what was seen and not used."""
        return self.held - self.unknown - self.used

    @property
    def mean(self) -> float | None:
        """Return the mean rate of what was seen; None where nothing was."""
        seen = self.held - self.unknown
        return self.used / seen if seen > 0 else None

    @property
    def coverage(self) -> float | None:
        """Return which share of what was held has a rate; None where nothing was held."""
        return (self.held - self.unknown) / self.held if self.held else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What the bounds cost by the rate card; `unpriced` card-seconds of waste have no price."""

    least: Amounts = NOTHING
    most: Amounts = NOTHING
    unpriced: float = 0.0
    models: tuple[str, ...] = ()
    """Models without a price."""


_Group = tuple[str, str, str, str, str]

#: Where each of a group's names stands.
_CLASS, _OWNER, _ACCOUNT, _PARTITION, _MODEL = range(5)


@dataclass(slots=True)
class _Worth:
    """What bounds cost, summed job by job."""

    least: Amounts = NOTHING
    most: Amounts = NOTHING
    unpriced: list[float] = field(default_factory=list)
    models: set[str] = field(default_factory=set)

    def add(self, job: RecordedJob, one: Bounds, card: RateCard) -> None:
        subject = Subject(model=job.model, partition=job.partition)
        rate = None if job.began is None else card.price(subject, job.began)
        if rate is not None:
            self.least += cost(rate, one.least)
            self.most += cost(rate, one.most)
            return
        self.models.add(job.model)
        self.unpriced.append(one.most)
        if len(self.unpriced) > HELD:
            self.unpriced = condensed(self.unpriced)

    def told(self) -> Worth:
        return Worth(
            least=self.least,
            most=self.most,
            unpriced=fsum(self.unpriced),
            models=tuple(sorted(self.models)),
        )


@dataclass(slots=True)
class Bounding:
    """Sums the bounds of jobs as they come, by class, owner, account, partition and model."""

    waits: Waits
    card: RateCard = field(default_factory=RateCard)
    _sums: Sums[_Group] = field(default_factory=Sums)
    _worth: _Worth = field(default_factory=_Worth)

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Add jobs; the order in which they come does not matter."""
        rows, priced, count = self._sums.rows, bool(self.card.rates), 0
        waits = {purpose: self.waits.of(purpose) for purpose in Purpose}
        for job in jobs:
            one = _of(job, waits[job.purpose])
            rows[job.purpose, job.owner, job.account, job.partition, job.model].append(one)
            count += 1
            if priced:
                self._worth.add(job, one, self.card)
        self._sums.condense(count)

    def total(self) -> Bounds:
        """Return the bounds of all jobs together."""
        return self._together(self._sums.rows)

    def by_class(self) -> Mapping[str, Bounds]:
        """Return the bounds by purpose, the most wasteful first."""
        return self._by(_CLASS)

    def by_owner(self) -> Mapping[str, Bounds]:
        """Return the bounds by owner, the most wasteful first."""
        return self._by(_OWNER)

    def by_account(self) -> Mapping[str, Bounds]:
        """Return the bounds by account, the most wasteful first."""
        return self._by(_ACCOUNT)

    def by_partition(self) -> Mapping[str, Bounds]:
        """Return the bounds by partition, the most wasteful first."""
        return self._by(_PARTITION)

    def by_model(self) -> Mapping[str, Bounds]:
        """Return the bounds by model, the most wasteful first."""
        return self._by(_MODEL)

    def worth(self) -> Worth | None:
        """Return what the bounds cost, each job at the price of its begin; None without prices."""
        return self._worth.told() if self.card.rates else None

    def _by(self, place: int) -> Mapping[str, Bounds]:
        """Return the bounds by a name, the one with most certain waste first, then with most."""
        groups: dict[str, list[_Group]] = defaultdict(list)
        for group in self._sums.rows:
            groups[group[place]].append(group)
        sums = {name: self._together(found) for name, found in groups.items()}
        return dict(sorted(sums.items(), key=_wasteful))

    def _together(self, groups: Iterable[_Group]) -> Bounds:
        return Bounds(*self._sums.total(groups, len(Bounds._fields)))


def _of(job: RecordedJob, wait: float) -> Bounds:
    if len(job.usage) == 1:
        return _one(job.usage[0], job.devices or 1, wait)
    return _total([_one(usage, 1, wait) for usage in job.usage])


def _one(usage: Usage, devices: int, wait: float) -> Bounds:
    """
    Return the bounds of one record.

    An average over several devices may hide one that idled throughout: a stretch can be as long as
    the idle time of all of them, but no longer than the job.
    """
    held, grown = usage.gpus * usage.seconds, usage.seconds - STARTUP
    grown = max(grown, 0.0)
    if usage.utilisation is None:
        perhaps = usage.gpus * grown if grown >= wait - ROUNDING else 0.0
        return Bounds(held, held, 0.0, 0.0, 0.0, 0.0, perhaps)
    rest = usage.seconds * (1 - usage.utilisation)
    most = min(usage.gpus * grown, usage.gpus * rest)
    longest = min(grown, devices * rest)
    certain = usage.utilisation == 0 and grown >= wait - ROUNDING
    return Bounds(
        held=held,
        zero=held if usage.utilisation == 0 else 0.0,
        used=held * usage.utilisation,
        least=usage.gpus * grown if certain else 0.0,
        most=most if longest >= wait - ROUNDING else 0.0,
    )


def _total(parts: Iterable[Bounds]) -> Bounds:
    return Bounds(*map(fsum, zip(*parts, strict=True)))


def _wasteful(entry: tuple[str, Bounds]) -> tuple[float, float, float, str]:
    name, found = entry
    return -found.least, -found.most, -found.held, name
