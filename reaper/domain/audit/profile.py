"""
The load profile of recorded jobs: how long, how large, how many at once, how they ended.

Only jobs that held GPUs count.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import inf
from operator import attrgetter, mul, sub
from typing import Any, Final

from reaper.domain.audit.changes import Changes
from reaper.domain.audit.jobs import Outcome, RecordedJob
from reaper.domain.audit.shelves import Held, Room
from reaper.domain.audit.spread import Spread, Tally
from reaper.domain.audit.sums import Sums
from reaper.domain.facts.allocation import Purpose

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

#: Return the place of a duration's group, and of a size's; what is exactly an end is in the next.
_duration: Final = partial(bisect_right, _DURATION_ENDS)
_size: Final = partial(bisect_right, _SIZE_ENDS)

#: The parts of a level.
_JOBS: Final = attrgetter("real")
_CARDS: Final = attrgetter("imag")


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
        self._held: Sums[_Group] = Sums()
        self._duration, self._size = Tally(room), Tally(room)
        self._asked, self._used, self._gpu_memory = Tally(room), Tally(room), Tally(room)
        self._waits: dict[int, Tally] = defaultdict(lambda: Tally(room))
        self._waited = Tally(room)
        self._changes = Changes(room)

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Add jobs; those that held no GPU do not count."""
        held = [job for job in jobs if job.devices and job.seconds > 0]
        if not held:
            return
        # Column by column: so the most is done a thousand jobs at a time.
        of = dict(zip(RecordedJob._fields, zip(*held, strict=True), strict=True))
        seconds, cards = of["seconds"], of["cards"]
        sizes = list(map(_size, cards))
        groups = zip(map(_duration, seconds), sizes, of["purpose"], of["outcome"], strict=True)
        rows = self._held.rows
        for group, card_seconds in zip(groups, map(mul, cards, seconds), strict=True):
            rows[group].append((card_seconds, 1.0))
        self._held.condense(len(held))
        self._duration.add(seconds)
        self._size.add(cards)
        self._wait(held, sizes)
        self._memory(of)
        _change(held, self._changes)

    def told(self) -> Profile:
        """Return the profile of all that was added."""
        return Profile(
            total=self._share(self._held.rows),
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

    def _wait(self, held: Iterable[RecordedJob], sizes: Iterable[int]) -> None:
        by_size: dict[int, list[float]] = defaultdict(list)
        for job, size in zip(held, sizes, strict=True):
            if (waited := job.waited) is not None:
                by_size[size].append(waited)
        for size, waits in by_size.items():
            self._waits[size].add(waits)
            self._waited.add(waits)

    def _memory(self, of: Mapping[str, Sequence[Any]]) -> None:
        asked, used = of["memory_asked"], of["memory_used"]
        self._asked.add(
            [many / on for many, on in zip(asked, of["cards"], strict=True) if many and on]
        )
        self._used.add(
            [
                most / many
                for most, many in zip(used, asked, strict=True)
                if many and most is not None
            ]
        )
        self._gpu_memory.add([share for share in of["gpu_memory"] if share is not None])

    def _by(self, place: int, names: Iterable[tuple[object, str]]) -> Mapping[str, Share]:
        groups: dict[object, list[_Group]] = defaultdict(list)
        for group in self._held.rows:
            groups[group[place]].append(group)
        return {name: self._share(groups[one]) for one, name in names if one in groups}

    def _share(self, groups: Iterable[_Group]) -> Share:
        held, jobs = self._held.total(groups, 2)
        return Share(jobs=round(jobs), held=held)

    def _spread_waits(self) -> Mapping[str, Spread]:
        names = [name for name, _ in SIZES]
        found = {"all": self._waited.spread()}
        found |= {names[size]: self._waits[size].spread() for size in sorted(self._waits)}
        return {name: one for name, one in found.items() if one is not None}


def parallel(jobs: Iterable[RecordedJob]) -> Parallel | None:
    """Return how much ran at once; jobs whose begin is unknown are left out."""
    changes = Changes()
    _change(jobs, changes)
    return _parallel(changes)


def _change(jobs: Iterable[RecordedJob], changes: Changes) -> None:
    known = [
        (begin, end, job.cards)
        for job in jobs
        if (begin := job.began) is not None and (end := job.until) is not None and end > begin
    ]
    if known:
        changes.add(*zip(*known, strict=True))


def _parallel(changes: Changes) -> Parallel | None:
    """Return the most at once, and the means over time, of changes in order."""
    first = last = None
    level = spent = 0j
    most_jobs = most_cards = 0.0
    for instants, more in changes.inorder():
        first = instants[0] if first is None else first
        before = (first if last is None else last, *instants[:-1])
        # From each instant the level holds that was reached at the one before it.
        levels = list(accumulate(more, initial=level))
        spent = sum(map(mul, levels, map(sub, instants, before)), spent)
        most_jobs = max(most_jobs, *map(_JOBS, levels))
        most_cards = max(most_cards, *map(_CARDS, levels))
        level, last = levels[-1], instants[-1]
    if first is None or last is None:
        return None
    return Parallel(
        begin=first,
        end=last,
        most_jobs=round(most_jobs),
        mean_jobs=spent.real / (last - first),
        most_cards=round(most_cards, 6),
        mean_cards=spent.imag / (last - first),
    )
