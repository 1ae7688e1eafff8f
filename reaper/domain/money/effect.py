"""
What a change of a policy came to: the same measures before and after it, and of everybody else.

Shares of what was held are compared, never hours alone; what speaks against believing a gain is
said with it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.money.conduct import Demanded
from reaper.domain.money.figures import Figures, total
from reaper.domain.money.ledger import RunFigures

#: Coverage under which a share of what was seen stands for nothing.
LEAST_COVERAGE: Final = 0.80

#: Device-hours held on a side below which chance decides.
LEAST_HOURS: Final = 100.0

#: How far what waited, and what was held, may differ between the sides.
_DEMAND: Final = 0.20
_VOLUME: Final = 0.30

#: Share of the hours before that must belong to owners who are there after it too.
_SAME: Final = 0.50

_WEEK: Final = 7 * 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One side of a change: from when to when, who was under the policy, and everybody else."""

    begin: float
    end: float
    under: Figures
    others: Figures
    owners: frozenset[str] = frozenset()
    """Whose runs were under the policy."""
    demand: Demanded = field(default_factory=Demanded)
    released: int = 0
    given_back: int = 0

    @property
    def span(self) -> float:
        """Return how long it is."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Wasted per held, as a range: the high end takes what was not seen as idle."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """
    A change, its two sides, and what it came to in shares of what was held.

    `change` is what became of the wasted share under the policy, `elsewhere` of everybody
    else's; None where nothing was held.  `doubts` are what speaks against believing it.
    """

    at: float
    before: Half
    after: Half
    change: float | None
    elsewhere: float | None
    doubts: tuple[str, ...]

    @property
    def owed(self) -> float | None:
        """Return the change that the others do not share."""
        if self.change is None:
            return None
        return self.change - (self.elsewhere or 0.0)


def half(
    runs: Iterable[RunFigures],
    under: frozenset[str],
    *,
    begin: float,
    end: float,
    demand: Demanded,
    released: int,
    given_back: int,
) -> Half:
    """Return one side from the figures of its runs; `under` are the keys under the policy."""
    listed = tuple(runs)
    ours = [run for run in listed if run.run.key in under]
    return Half(
        begin=begin,
        end=end,
        under=total(run.figures for run in ours),
        others=total(run.figures for run in listed if run.run.key not in under),
        owners=frozenset(run.key.owner for run in ours),
        demand=demand,
        released=released,
        given_back=given_back,
    )


def effect(before: Half, after: Half, *, at: float, kept: float) -> Effect:
    """Compare two sides; `kept` is the share of the hours before whose owners are there after."""
    one, other = wasted(before.under), wasted(after.under)
    elsewhere = wasted(before.others), wasted(after.others)
    return Effect(
        at=at,
        before=before,
        after=after,
        change=None if one is None or other is None else other.low - one.low,
        elsewhere=None
        if elsewhere[0] is None or elsewhere[1] is None
        else elsewhere[1].low - elsewhere[0].low,
        doubts=tuple(_doubts(before, after, kept)),
    )


def wasted(figures: Figures) -> Share | None:
    """Return which share of what was held was wasted; None where nothing was held."""
    held = figures.allocated
    return Share(low=figures.wasted / held, high=figures.high / held) if held else None


def _doubts(before: Half, after: Half, kept: float) -> Iterator[str]:
    for name, side in (("before", before), ("after", after)):
        hours = side.under.allocated / 3600.0
        if hours < LEAST_HOURS:
            yield f"only {hours:.0f} GPU-hours were held {name} it"
        coverage = side.under.coverage
        if coverage is not None and coverage < LEAST_COVERAGE:
            yield f"only {coverage:.0%} of the hours {name} it were seen"
    if before.span % _WEEK or after.span % _WEEK or before.span != after.span:
        yield "the sides are no whole weeks of the same number: weekends weigh differently"
    yield from _ranges(before, after)
    if abs(after.demand.share - before.demand.share) > _DEMAND:
        shares = f"{before.demand.share:.0%} of the time before, {after.demand.share:.0%} after"
        yield f"jobs waited {shares}: people hold GPUs differently when they are short"
    if before.under.allocated and after.span:
        rates = after.under.allocated / after.span, before.under.allocated / before.span
        if abs(rates[0] - rates[1]) > _VOLUME * rates[1]:
            yield f"{rates[0] / rates[1] - 1:+.0%} GPU-hours were held: other work, or other people"
    if kept < _SAME:
        yield f"only {kept:.0%} of the hours before belong to owners who are there after it"


def _ranges(before: Half, after: Half) -> Iterator[str]:
    one, other = wasted(before.under), wasted(after.under)
    if one is None or other is None:
        return
    if other.low < one.low and other.high >= one.low:
        yield "what was not seen could explain the whole gain: the ranges overlap"
    elsewhere = wasted(before.others), wasted(after.others)
    if elsewhere[0] is None or elsewhere[1] is None:
        yield "nobody else held GPUs: there is nothing to compare with"
        return
    change, theirs = other.low - one.low, elsewhere[1].low - elsewhere[0].low
    if change < 0 and theirs <= change / 2:
        yield f"everybody else changed by {100 * theirs:+.1f} points too, without the policy"
