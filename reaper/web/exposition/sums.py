"""A week's figures as the metrics show them: by team, class and model, many teams together."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final

from reaper.domain.money.closing import SECONDS
from reaper.domain.money.figures import ALLOCATED, FREE, Costs, Figures, Key, total

#: Lines with samples of their own; what held least beyond that is one team, `OTHERS`.
LINES: Final = 300
OTHERS: Final = "(others)"

Line = tuple[str, str, str]
"""Team, class and model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekSums:
    """The figures of one week; `span` says which: ``this_week`` so far, or ``last_week`` closed."""

    span: str
    week: str
    version: int
    as_of: float
    lines: Mapping[Line, Figures]


def sums(
    *, span: str, week: str, version: int, as_of: float, figures: Mapping[Key, Figures]
) -> WeekSums:
    """Return a week's figures by team, class and model; they add up to those of the week."""
    groups: dict[Line, list[Figures]] = defaultdict(list)
    for key, one in figures.items():
        groups[key.team, key.purpose, key.model].append(one)
    lines = {line: total(found) for line, found in groups.items()}
    ranked = sorted(lines, key=lambda line: (-lines[line].states, line))
    kept = {line: lines[line] for line in sorted(ranked[:LINES])}
    rest: dict[Line, list[Figures]] = defaultdict(list)
    for line in ranked[LINES:]:
        rest[OTHERS, line[1], line[2]].append(lines[line])
    together = {line: total(found) for line, found in sorted(rest.items())}
    return WeekSums(span=span, week=week, version=version, as_of=as_of, lines={**kept, **together})


def states(week: WeekSums) -> Iterator[tuple[Line, str, float]]:
    """Yield GPU-seconds by state, those that there are; every state of every GPU once."""
    for line, one in week.lines.items():
        for name in (*ALLOCATED, *FREE):
            if seconds := getattr(one, name):
                yield line, name, seconds


def counted(week: WeekSums) -> Iterator[tuple[Line, str, float]]:
    """Yield the GPU-seconds of every other figure that there is."""
    for line, one in week.lines.items():
        for name in SECONDS:
            if name not in (*ALLOCATED, *FREE) and (seconds := getattr(one, name)):
                yield line, name, seconds


def costs(week: WeekSums) -> Iterator[tuple[Line, str, str, float]]:
    """Yield what figures cost, by currency."""
    for line, one in week.lines.items():
        for part in fields(Costs):
            amounts = getattr(one.costs, part.name)
            for currency in amounts.currencies:
                yield line, part.name, currency, float(amounts.of(currency))
