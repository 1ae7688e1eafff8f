"""
How full a stated capacity was: what recorded jobs held of it, over the time for which it stands.

Time of which no capacity is stated is in no figure.  Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, inf

from reaper.domain.money.jobs import RecordedJob


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
    held = [job for job in jobs if job.began is not None and job.cards and job.seconds > 0]
    models = sorted({one.model for one in stated if one.model})
    found = [_filled("", held, stated)]
    for model in models:
        alike = [job for job in held if fits(model, job.model)]
        found.append(_filled(model, alike, [one for one in stated if one.model == model]))
    return tuple(one for one in found if one is not None)


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


def _filled(model: str, jobs: Sequence[RecordedJob], stated: Sequence[Stated]) -> Filled | None:
    if not jobs:
        return None
    first = min(job.began or 0.0 for job in jobs)
    last = max((job.began or 0.0) + job.seconds for job in jobs)
    steps = _steps(jobs, stated, first, last)
    known = [(begin, end, there, here) for begin, end, there, here in steps if there > 0]
    if not known:
        return None
    return Filled(
        model=model,
        begin=known[0][0],
        end=known[-1][1],
        capacity=fsum(there * (end - begin) for begin, end, there, _ in known),
        held=fsum(here * (end - begin) for begin, end, _, here in known),
        over=fsum(max(0.0, here - there) * (end - begin) for begin, end, there, here in known),
    )


def _steps(
    jobs: Sequence[RecordedJob], stated: Sequence[Stated], first: float, last: float
) -> Iterable[tuple[float, float, float, float]]:
    """Yield from when to when how much was there, and how much was held."""
    there: dict[float, float] = {}
    here: dict[float, float] = {}
    for one in stated:
        begin, end = max(one.begin, first), min(one.end, last)
        if begin < end:
            there[begin] = there.get(begin, 0.0) + one.gpus
            there[end] = there.get(end, 0.0) - one.gpus
    for job in jobs:
        begin = job.began or 0.0
        here[begin] = here.get(begin, 0.0) + job.cards
        here[begin + job.seconds] = here.get(begin + job.seconds, 0.0) - job.cards
    gpus = cards = 0.0
    for begin, end in pairwise(sorted({*there, *here})):
        gpus += there.get(begin, 0.0)
        cards += here.get(begin, 0.0)
        yield begin, end, round(gpus, 9), round(cards, 9)
