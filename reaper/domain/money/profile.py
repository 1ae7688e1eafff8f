"""
The load profile of recorded jobs: how long, how large, how many at once, how they ended.

Only jobs that held GPUs count.  Medians and percentiles are by nearest rank, so that each is the
value of some job.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, fsum, inf
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.jobs import Outcome, RecordedJob

_HOUR: Final = 3600.0

#: Upper ends of the groups of durations; seconds.
DURATIONS: Final = (
    ("under 10 min", 600.0),
    ("10 to 60 min", _HOUR),
    ("1 to 4 h", 4 * _HOUR),
    ("4 to 12 h", 12 * _HOUR),
    ("12 to 24 h", 24 * _HOUR),
    ("1 to 3 days", 72 * _HOUR),
    ("over 3 days", inf),
)

#: Upper ends of the groups of sizes; cards.
SIZES: Final = (
    ("part of a GPU", 0.999),
    ("1 GPU", 1.5),
    ("2 GPUs", 2.5),
    ("3 to 8 GPUs", 8.5),
    ("9 to 32 GPUs", 32.5),
    ("over 32 GPUs", inf),
)


_DURATION_ENDS: Final = [end for _, end in DURATIONS]
_SIZE_ENDS: Final = [end for _, end in SIZES]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How a quantity is spread over jobs; in its own unit."""

    count: int
    least: float
    median: float
    p90: float
    most: float
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Some of the jobs: how many, and their card-seconds."""

    jobs: int = 0
    held: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallel:
    """How much ran at once, in the span from the first begin to the last end."""

    begin: float
    end: float
    most_jobs: int
    mean_jobs: float
    most_cards: float
    mean_cards: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The load of a cluster; groups keep a fixed order and leave out what never occurred."""

    total: Share
    durations: Mapping[str, Share]
    sizes: Mapping[str, Share]
    classes: Mapping[str, Share]
    outcomes: Mapping[str, Share]
    duration: Spread | None
    size: Spread | None
    waits: Mapping[str, Spread]
    """How long jobs of a size waited once they could run."""
    memory_asked: Spread | None
    """Host memory asked for, a card."""
    memory_used: Spread | None
    """Host memory in use at the most, as a share of what was asked for."""
    gpu_memory: Spread | None
    """Memory of the fullest device in use at the most, as a share."""
    parallel: Parallel | None


def profile(jobs: Sequence[RecordedJob]) -> Profile:
    """Return the load profile of jobs that held GPUs."""
    held = tuple(job for job in jobs if job.devices and job.seconds > 0)
    return Profile(
        total=_share(held),
        durations=_grouped(held, [name for name, _ in DURATIONS], duration_of),
        sizes=_grouped(held, [name for name, _ in SIZES], size_of),
        classes=_grouped(held, list(Purpose), lambda job: job.purpose),
        outcomes=_grouped(held, list(Outcome), lambda job: job.outcome),
        duration=spread(job.seconds for job in held),
        size=spread(job.cards for job in held),
        waits=_waits(held),
        memory_asked=spread(
            job.memory_asked / job.cards for job in held if job.memory_asked and job.cards
        ),
        memory_used=spread(
            job.memory_used / job.memory_asked
            for job in held
            if job.memory_asked and job.memory_used is not None
        ),
        gpu_memory=spread(job.gpu_memory for job in held if job.gpu_memory is not None),
        parallel=parallel(held),
    )


def duration_of(job: RecordedJob) -> str:
    """Return the group of a job's duration; one that lasts exactly its end is in the next."""
    return DURATIONS[bisect_right(_DURATION_ENDS, job.seconds)][0]


def size_of(job: RecordedJob) -> str:
    """Return the group of a job's size."""
    return SIZES[bisect_right(_SIZE_ENDS, job.cards)][0]


def spread(values: Iterable[float]) -> Spread | None:
    """Return how values are spread; None where there are none."""
    found = sorted(values)
    if not found:
        return None
    return Spread(
        count=len(found),
        least=found[0],
        median=_rank(found, 0.5),
        p90=_rank(found, 0.9),
        most=found[-1],
        mean=fsum(found) / len(found),
    )


def parallel(jobs: Iterable[RecordedJob]) -> Parallel | None:
    """Return how much ran at once; jobs whose begin is unknown are left out."""
    changes: dict[float, int] = defaultdict(int)
    cards: dict[float, float] = defaultdict(float)
    for job in jobs:
        begin, end = job.began, job.until
        if begin is None or end is None or end <= begin:
            continue
        changes[begin] += 1
        changes[end] -= 1
        cards[begin] += job.cards
        cards[end] -= job.cards
    edges = sorted(changes)
    if not edges:
        return None
    length = edges[-1] - edges[0]
    most_jobs, job_seconds = _swept(edges, changes)
    most_cards, card_seconds = _swept(edges, cards)
    return Parallel(
        begin=edges[0],
        end=edges[-1],
        most_jobs=round(most_jobs),
        mean_jobs=job_seconds / length,
        most_cards=round(most_cards, 6),
        mean_cards=card_seconds / length,
    )


def _swept(edges: Sequence[float], changes: Mapping[float, float]) -> tuple[float, float]:
    """Return the most at once, and the integral over time."""
    now = most = total = 0.0
    for begin, end in pairwise(edges):
        now += changes[begin]
        most = max(most, now)
        total += now * (end - begin)
    return most, total


def _share(jobs: Sequence[RecordedJob]) -> Share:
    return Share(jobs=len(jobs), held=fsum(job.held for job in jobs))


def _grouped(
    jobs: Iterable[RecordedJob], names: Sequence[str], key: Callable[[RecordedJob], str]
) -> Mapping[str, Share]:
    groups: dict[str, list[float]] = defaultdict(list)
    for job in jobs:
        groups[key(job)].append(job.cards * job.seconds)
    return {
        str(name): Share(jobs=len(found), held=fsum(found))
        for name in names
        if (found := groups.get(name))
    }


def _waits(jobs: Iterable[RecordedJob]) -> Mapping[str, Spread]:
    waits: dict[str, list[float]] = defaultdict(list)
    for job in jobs:
        waited = job.waited
        if waited is not None:
            waits[size_of(job)].append(waited)
            waits["all"].append(waited)
    found = {name: spread(waits[name]) for name in ("all", *(name for name, _ in SIZES))}
    return {name: one for name, one in found.items() if one is not None}


def _rank(ordered: Sequence[float], part: float) -> float:
    return ordered[max(0, ceil(part * len(ordered)) - 1)]
