"""Idleness that is split over many short runs of one owner, each too short for any window."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Final

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.entries import Tenure
from reaper.domain.money.figures import Figures, total
from reaper.domain.money.ledger import RunFigures

#: Runs of one owner within a span from which on they are a habit.
_RUNS: Final = 12

#: Length of a run in the median below which no usual window sees it; seconds.
_SHORT: Final = 2 * 3600.0

#: What they hold together at least; device-seconds.
_HELD: Final = 8 * 3600.0

#: Share of what was seen of it that was at work at most.
_USED: Final = 0.05

#: Owners whose letters are looked through, where nothing else asks for them.
_OWNERS: Final = 20

#: Share of what was held that must have been seen.
_SEEN: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """An owner's runs of a kind: how many, how long in the median (seconds), and their figures."""

    owner: str
    purpose: str
    runs: int
    median: float
    figures: Figures

    def __str__(self) -> str:
        used = self.figures.active + self.figures.low
        return (
            f"{self.runs} {self.purpose} runs of {self.owner}, {self.median / 60:.0f} min in the "
            f"median, held {self.figures.allocated / 3600:.1f} GPU-h together and worked in "
            f"{used / 3600:.1f} of them"
        )


def many_short(tenures: Iterable[Tenure], *, begin: float) -> tuple[Tenure, ...]:
    """
    Return the tenures of owners whose runs since `begin` (Unix seconds) may be such a habit.

    How many there are, how long and of how many GPUs is known without any letter; of the owners
    whose runs held most so many are looked at.
    """
    ended = [one for one in tenures if one.end is not None and one.begin >= begin and _counted(one)]
    groups: dict[tuple[str, str], list[Tenure]] = defaultdict(list)
    for one in ended:
        groups[one.owner, one.purpose].append(one)
    likely = sorted(filter(_are_many, groups.values()), key=_held, reverse=True)
    return tuple(one for several in likely[:_OWNERS] for one in several)


def _counted(one: Tenure) -> bool:
    return bool(one.owner) and one.purpose is not Purpose.INFERENCE


def _are_many(several: Sequence[Tenure]) -> bool:
    spans = {one.run.key: (one.end or one.begin) - one.begin for one in several}
    return len(spans) >= _RUNS and median(spans.values()) < _SHORT and _held(several) >= _HELD


def _held(several: Sequence[Tenure]) -> float:
    return sum(one.share * ((one.end or one.begin) - one.begin) for one in several)


def split(runs: Iterable[RunFigures]) -> Iterator[Split]:
    """Yield the owners whose many short runs hardly worked; servers wait for their requests."""
    known = sorted((run for run in runs if _counts(run)), key=_whose)
    for (owner, purpose), several in groupby(known, key=_whose):
        own = tuple(several)
        found = Split(
            owner=owner,
            purpose=purpose,
            runs=len(own),
            median=median((run.end or run.begin) - run.begin for run in own),
            figures=total(run.figures for run in own),
        )
        if _is_habit(found):
            yield found


def _whose(run: RunFigures) -> tuple[str, str]:
    return run.key.owner, run.key.purpose


def _counts(run: RunFigures) -> bool:
    return bool(run.end is not None and run.key.owner and run.key.purpose != Purpose.INFERENCE)


def _is_habit(found: Split) -> bool:
    figures = found.figures
    held, seen = figures.allocated, figures.allocated - figures.unknown
    return (
        found.runs >= _RUNS
        and found.median < _SHORT
        and held >= _HELD
        and seen >= _SEEN * held
        and figures.active + figures.low <= _USED * seen
    )
