"""
How full a stated capacity was: what recorded jobs held of it, over the time for which it stands.

Time of which no capacity is stated is in no figure.  Pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from math import fsum, inf
from typing import NamedTuple

from reaper.domain.audit.changes import Changes
from reaper.domain.audit.jobs import RecordedJob
from reaper.domain.audit.shelves import Held, Room
from reaper.domain.audit.sums import Sums
from reaper.domain.money.spans import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """So many GPUs of a model ("" for any) from `begin` to before `end`, Unix seconds."""

    gpus: float
    model: str = ""
    begin: float = -inf
    end: float = inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Card-seconds that there were and that were held, between two instants; `model` "" for all."""

    model: str
    begin: float
    end: float
    capacity: float
    held: float
    over: float = 0.0
    """Card-seconds held beyond what was there: then one of the two is wrong."""

    @property
    def share(self) -> float:
        """Return which part of the capacity was held."""
        return self.held / self.capacity


def filled(jobs: Iterable[RecordedJob], stated: Sequence[Stated]) -> tuple[Filled, ...]:
    """Return how full all of it was, then each model that is stated by name."""
    filling = Filling(stated)
    filling.add(jobs)
    return filling.told()


class Filling:
    """Tells how full a stated capacity was, of jobs as they come."""

    def __init__(self, stated: Sequence[Stated], room: Room = Held) -> None:
        self._stated = stated
        models = sorted({one.model for one in stated if one.model})
        self._held = {model: Changes(room) for model in ("", *models)} if stated else {}
        self._spans: dict[str, Span] = {}

    def add(self, jobs: Iterable[RecordedJob]) -> None:
        """Add jobs; those whose begin is unknown do not count."""
        if not self._held:
            return
        held = [
            (job.model, (job.began, job.began + job.seconds, job.cards))
            for job in jobs
            if job.began is not None and job.cards and job.seconds > 0
        ]
        for model, changes in self._held.items():
            spans = [span for kind, span in held if not model or fits(model, kind)]
            if spans:
                begins, ends, cards = zip(*spans, strict=True)
                changes.add(begins, ends, cards)
                begin, end = self._spans.get(model, (inf, -inf))
                self._spans[model] = (min(begin, *begins), max(end, *ends))

    def told(self) -> tuple[Filled, ...]:
        """Return how full all of it was, then each model that is stated by name."""
        found = [
            _filled(model, self._there(model, span), self._held[model])
            for model in self._held
            if (span := self._spans.get(model)) is not None
        ]
        return tuple(one for one in found if one is not None)

    def _there(self, model: str, span: Span) -> dict[float, float]:
        """Return by how much there is more from when on, as far as there were jobs."""
        there: dict[float, float] = {}
        for one in self._stated:
            begin, end = max(one.begin, span[0]), min(one.end, span[1])
            if begin < end and model in ("", one.model):
                there[begin] = there.get(begin, 0.0) + one.gpus
                there[end] = there.get(end, 0.0) - one.gpus
        return there


def fits(stated: str, model: str) -> bool:
    """Tell whether a job's type is of a stated model: one name holds the other."""
    one, other = stated.lower(), model.lower()
    return bool(other) and (one in other or other in one)


def at(stated: Iterable[Stated], model: str, instant: float) -> float | None:
    """Return the GPUs of a model at an instant; without models all of them; None where unsaid."""
    there = [one for one in stated if one.begin <= instant < one.end]
    alike = [one for one in there if one.model and fits(one.model, model)]
    bare = [one for one in there if not one.model]
    chosen = alike or bare
    return fsum(one.gpus for one in chosen) if chosen else None


class _Step(NamedTuple):
    """What there was and what was held, from when to when."""

    begin: float
    end: float
    there: float
    here: float


def _filled(model: str, there: Mapping[float, float], held: Changes) -> Filled | None:
    """Return how full a capacity was; None where none is stated for the time of the jobs."""
    begin = end = None
    parts = Sums[str]()
    for step in _steps(there, held):
        if step.there > 0:
            begin = step.begin if begin is None else begin
            end, lasts = step.end, step.end - step.begin
            over = max(0.0, step.here - step.there)
            parts.rows[model].append((step.there * lasts, step.here * lasts, over * lasts))
            parts.condense(1)
    if begin is None or end is None:
        return None
    capacity, taken, beyond = parts.total([model], 3)
    return Filled(model=model, begin=begin, end=end, capacity=capacity, held=taken, over=beyond)


def _steps(there: Mapping[float, float], held: Changes) -> Iterator[_Step]:
    """Yield how much was there and held between each two instants at which that changes."""
    gpus = cards = 0.0
    since = None
    changed = merge(
        ((at, more, 0.0) for at, more in sorted(there.items())),
        ((at, 0.0, more.imag) for part in held.inorder() for at, more in zip(*part, strict=True)),
    )
    for at, more, taken in changed:
        if since is not None and at > since:
            yield _Step(since, at, round(gpus, 9), round(cards, 9))
        gpus += more
        cards += taken
        since = at
