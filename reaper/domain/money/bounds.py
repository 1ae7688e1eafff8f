"""
How much of what jobs held can have been waste, from nothing but their averages.

An average says how much of the time something ran, not when.  A device at exactly zero idled from
its start-up on: that is certain.  At a rate above zero it idled at most the rest of its time, if it
ran flat out in between, and perhaps never: that is the bound.  Without a rate nothing is known.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Final, NamedTuple

from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.amounts import NOTHING, Amounts
from reaper.domain.money.booking import cost
from reaper.domain.money.jobs import RecordedJob
from reaper.domain.money.rates import RateCard, Subject
from reaper.domain.money.usage import Usage
from reaper.domain.money.waste import ROUNDING, Waits

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


Bounded = tuple[RecordedJob, Bounds]
"""A job with its own bounds."""


def bounded(jobs: Iterable[RecordedJob], waits: Waits) -> tuple[Bounded, ...]:
    """Return each job with its bounds, from which all sums are made."""
    return tuple((job, _of(job, waits)) for job in jobs)


def total(found: Iterable[Bounded]) -> Bounds:
    """Return the bounds of all jobs together; their order does not matter."""
    return _total([one for _, one in found])


def grouped(found: Iterable[Bounded], key: Callable[[RecordedJob], str]) -> Mapping[str, Bounds]:
    """Return the bounds by a key, the one with most certain waste first, then with most at all."""
    groups: dict[str, list[Bounds]] = defaultdict(list)
    for job, one in found:
        groups[key(job)].append(one)
    sums = {name: _total(parts) for name, parts in groups.items()}
    return dict(sorted(sums.items(), key=_wasteful))


def worth(found: Iterable[Bounded], card: RateCard) -> Worth:
    """Return what the bounds cost, each job at the price of its begin."""
    least, most, unpriced, models = NOTHING, NOTHING, 0.0, set()
    for job, one in found:
        subject = Subject(model=job.model, partition=job.partition)
        rate = None if job.began is None else card.price(subject, job.began)
        if rate is None:
            unpriced += one.most
            models.add(job.model)
        else:
            least += cost(rate, one.least)
            most += cost(rate, one.most)
    return Worth(least=least, most=most, unpriced=unpriced, models=tuple(sorted(models)))


def _of(job: RecordedJob, waits: Waits) -> Bounds:
    wait = waits.of(job.purpose)
    if len(job.usage) == 1:
        return _one(job.usage[0], max(1, job.devices), wait)
    return _total([_one(usage, 1, wait) for usage in job.usage])


def _one(usage: Usage, devices: int, wait: float) -> Bounds:
    """
    Return the bounds of one record.

    An average over several devices may hide one that idled throughout: a stretch can be as long as
    the idle time of all of them, but no longer than the job.
    """
    held, grown = usage.held, max(0.0, usage.seconds - STARTUP)
    if usage.utilisation is None:
        perhaps = usage.gpus * grown if grown >= wait - ROUNDING else 0.0
        return Bounds(held=held, unknown=held, perhaps=perhaps)
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
