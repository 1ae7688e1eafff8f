"""
The load profile of recorded jobs: how long, how large, how many at once, how they ended.

Only jobs that held GPUs count.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.changes import Changes
from reaper.domain.money.jobs import Outcome, RecordedJob
from reaper.domain.money.shelves import Held, Room
from reaper.domain.money.spread import Spread, Tally
from reaper.domain.money.sums import Sums

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


def profile(jobs: Iterable[RecordedJob]) -> Profile:
    """Return the load profile of jobs that held GPUs."""
    profiling = Profiling()
    profiling.add(jobs)
    return profiling.told()


_Group = tuple[int, int, Purpose, Outcome]

#: Where each of a group's names stands.
_DURATION, _SIZE, _CLASS, _OUTCOME = range(4)


class Profiling:
    """Makes the load profile of jobs as they come; the order in which they come does not matter."""

    def __init__(self, room: Room = Held) -> None:
        self._jobs: Counter[_Group] = Counter()
        self._held: Sums[_Group] = Sums()
        self._duration, self._size = Tally(room), Tally(room)
        self._asked, self._used, self._gpu_memory = Tally(room), Tally(room), Tally(room)
        self._waits: dict[int, Tally] = defaultdict(lambda: Tally(room))
        self._waited = Tally(room)
        self._changes = Changes(room)

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Add jobs; those that held no GPU do not count."""
        held = [job for job in jobs if job.devices and job.seconds > 0]
        groups = [
            (
                bisect_right(_DURATION_ENDS, job.seconds),
                bisect_right(_SIZE_ENDS, job.cards),
                job.purpose,
                job.outcome,
            )
            for job in held
        ]
        self._jobs.update(groups)
        rows = self._held.rows
        for job, group in zip(held, groups, strict=True):
            rows[group].append((job.cards * job.seconds,))
        self._held.condense(len(held))
        self._duration.add([job.seconds for job in held])
        self._size.add([job.cards for job in held])
        self._wait(held, groups)
        self._memory(held)
        self._changes.add(spans(held))

    def told(self) -> Profile:
        """Return the profile of all that was added."""
        return Profile(
            total=self._share(self._jobs),
            durations=self._by(_DURATION, enumerate(name for name, _ in DURATIONS)),
            sizes=self._by(_SIZE, enumerate(name for name, _ in SIZES)),
            classes=self._by(_CLASS, ((one, str(one)) for one in Purpose)),
            outcomes=self._by(_OUTCOME, ((one, str(one)) for one in Outcome)),
            duration=self._duration.spread(),
            size=self._size.spread(),
            waits=self._spread_waits(),
            memory_asked=self._asked.spread(),
            memory_used=self._used.spread(),
            gpu_memory=self._gpu_memory.spread(),
            parallel=_parallel(self._changes),
        )

    def _wait(self, held: Iterable[RecordedJob], groups: Iterable[_Group]) -> None:
        by_size: dict[int, list[float]] = defaultdict(list)
        for job, group in zip(held, groups, strict=True):
            if (waited := job.waited) is not None:
                by_size[group[_SIZE]].append(waited)
        for size, waits in by_size.items():
            self._waits[size].add(waits)
            self._waited.add(waits)

    def _memory(self, held: Iterable[RecordedJob]) -> None:
        asking = [job for job in held if job.memory_asked]
        self._asked.add([job.memory_asked / job.cards for job in asking if job.cards])
        self._used.add(
            [job.memory_used / job.memory_asked for job in asking if job.memory_used is not None]
        )
        self._gpu_memory.add([job.gpu_memory for job in held if job.gpu_memory is not None])

    def _by(self, place: int, names: Iterable[tuple[object, str]]) -> Mapping[str, Share]:
        groups: dict[object, list[_Group]] = defaultdict(list)
        for group in self._jobs:
            groups[group[place]].append(group)
        return {name: self._share(groups[one]) for one, name in names if one in groups}

    def _share(self, groups: Collection[_Group]) -> Share:
        (held,) = self._held.total(groups, 1)
        return Share(jobs=sum(self._jobs[group] for group in groups), held=held)

    def _spread_waits(self) -> Mapping[str, Spread]:
        names = [name for name, _ in SIZES]
        found = {"all": self._waited.spread()}
        found |= {names[size]: self._waits[size].spread() for size in sorted(self._waits)}
        return {name: one for name, one in found.items() if one is not None}


def spans(jobs: Iterable[RecordedJob]) -> Iterator[tuple[float, float, float]]:
    """Yield begin, end and cards of jobs; those whose begin is unknown are left out."""
    for job in jobs:
        begin, end = job.began, job.until
        if begin is not None and end is not None and end > begin:
            yield begin, end, job.cards


def parallel(jobs: Iterable[RecordedJob]) -> Parallel | None:
    """Return how much ran at once; jobs whose begin is unknown are left out."""
    changes = Changes()
    changes.add(spans(jobs))
    return _parallel(changes)


def _parallel(changes: Changes) -> Parallel | None:
    """Return the most at once, and the means over time, of changes in order."""
    first = last = None
    jobs = most_jobs = 0
    cards = most_cards = job_seconds = card_seconds = 0.0
    for at, more, held in changes.inorder():
        if first is None or last is None:
            first = last = at
        job_seconds += jobs * (at - last)
        card_seconds += cards * (at - last)
        jobs += more
        cards += held
        most_jobs, most_cards, last = max(most_jobs, jobs), max(most_cards, cards), at
    if first is None or last is None:
        return None
    return Parallel(
        begin=first,
        end=last,
        most_jobs=most_jobs,
        mean_jobs=job_seconds / (last - first),
        most_cards=round(most_cards, 6),
        mean_cards=card_seconds / (last - first),
    )
