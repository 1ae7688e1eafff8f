"""
Buy or rent: what each mix of GPUs of one's own and of rented ones would have cost.

The demand is what was held, hour by hour, in cards.  One more GPU of one's own is worth it when it
would have been in use for a larger part of the hours than its price is of a rented one's: that
part is the break-even.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate
from math import ceil, floor
from typing import Final

from reaper.domain.money.entries import DemandPoint, Tenure
from reaper.domain.money.spans import Span
from reaper.domain.prices.rates import ANYTHING, CASH_KINDS, Kind, Rate, Subject

_HOUR: Final = 3600.0

#: The part of the hours in which at least the steady base was held.
STEADY: Final = 0.95

#: The part of the hours that the common peak covers.
COMMON: Final = 0.95

FIXED: Final = frozenset((Kind.OWNED, Kind.RESERVED))
"""Kinds that cost whether they are used or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Cards of one model held in each hour, in the mean of the hour."""

    model: str
    hours: tuple[float, ...]

    @property
    def total(self) -> float:
        """Return card-hours."""
        return sum(self.hours)

    @property
    def peak(self) -> float:
        """Return the most held in an hour."""
        return max(self.hours, default=0.0)

    @property
    def mean(self) -> float:
        """Return the mean over all hours."""
        return self.total / len(self.hours) if self.hours else 0.0

    def held_for(self, part: float) -> float:
        """Return what was held in at least this part of the hours."""
        ordered = sorted(self.hours, reverse=True)
        return ordered[max(0, ceil(part * len(ordered)) - 1)] if ordered else 0.0

    def enough_for(self, part: float) -> float:
        """Return what would have been enough in this part of the hours."""
        ordered = sorted(self.hours)
        return ordered[max(0, ceil(part * len(ordered)) - 1)] if ordered else 0.0

    def below(self, cards: int) -> float:
        """Return the card-hours that so many cards would have served."""
        return sum(min(one, cards) for one in self.hours)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a GPU-hour costs that is one's own, and one that is rented; and why, in words."""

    own: Decimal
    rent: Decimal
    currency: str
    own_why: str = ""
    rent_why: str = ""

    @property
    def break_even(self) -> Decimal:
        """Return the part of the time from which on a GPU of one's own is cheaper."""
        return self.own / self.rent


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """So many cards of one's own, the rest rented: what that would have cost in the span."""

    name: str
    owned: int
    rented: float
    """Card-hours."""
    idle: float
    """Card-hours in which one's own stood still."""
    cost: Decimal
    share_used: float | None
    """Of one's own; None where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The mixes for one model, the cheapest named; `installed` is None where it is not known."""

    curve: Curve
    prices: Prices
    mixes: tuple[Mix, ...]
    best: Mix
    installed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Cards of a model that somebody held; `end` None where it is still held."""

    model: str
    cards: float
    begin: float
    end: float | None


def hourly(tenures: Iterable[Tenure], span: Span) -> Mapping[str, Curve]:
    """Return the curve of each model over the whole hours of a span; parts of cards as parts."""
    held = (
        Holding(model=one.model, cards=min(one.share, one.size), begin=one.begin, end=one.end)
        for one in tenures
    )
    return curves(held, span)


def curves(holdings: Iterable[Holding], span: Span) -> Mapping[str, Curve]:
    """Return the curve of each model over the whole hours of a span."""
    count = max(0, floor((span[1] - span[0]) / _HOUR))
    end = span[0] + count * _HOUR
    edges: dict[str, list[float]] = defaultdict(lambda: [0.0] * (count + 1))
    slopes: dict[str, list[float]] = defaultdict(lambda: [0.0] * (count + 1))
    for one in holdings:
        first = max(one.begin, span[0])
        last = end if one.end is None else min(one.end, end)
        if first < last:
            begun, ended = (first - span[0]) / _HOUR, (last - span[0]) / _HOUR
            _step(edges[one.model], slopes[one.model], begun, one.cards)
            _step(edges[one.model], slopes[one.model], ended, -one.cards)
    return {
        model: Curve(model=model, hours=_summed(edges[model], slopes[model], count))
        for model in sorted(edges)
    }


def _step(edges: list[float], slopes: list[float], at: float, weight: float) -> None:
    """Add a step at an instant: the rest of its hour, and every hour after."""
    hour = floor(at)
    edges[hour] += weight * (hour + 1 - at)
    if hour + 1 < len(slopes):
        slopes[hour + 1] += weight


def _summed(edges: Sequence[float], slopes: Sequence[float], count: int) -> tuple[float, ...]:
    whole = accumulate(slopes)
    found = zip(edges, whole, strict=True)
    return tuple(max(0.0, round(edge + level, 9)) for edge, level in found)[:count]


def waited(demand: Iterable[DemandPoint], span: Span, *, step: float = 60.0) -> float:
    """Return the GPU-hours that waiting requests asked for in a span."""
    inside = (one.gpus for one in demand if span[0] <= one.minute * step < span[1])
    return sum(inside) * step / _HOUR


def plan(curve: Curve, prices: Prices, *, installed: int | None = None) -> Plan:
    """Return what each mix would have cost, and the cheapest of all, not only of those named."""
    best = _best(curve, prices)
    named = {
        "all rented": 0,
        "steady base": floor(curve.held_for(STEADY)),
        "cheapest": best,
        "mean": round(curve.mean),
        "common peak": ceil(curve.enough_for(COMMON)),
        "all owned": ceil(curve.peak),
    }
    if installed is not None:
        named["as installed"] = installed
    mixes = tuple(mix(name, owned, curve, prices) for name, owned in _distinct(named))
    cheapest = next(one for one in mixes if one.owned == best)
    return Plan(curve=curve, prices=prices, mixes=mixes, best=cheapest, installed=installed)


def mix(name: str, owned: int, curve: Curve, prices: Prices) -> Mix:
    """Return what so many cards of one's own and the rest rented would have cost."""
    hours, served = len(curve.hours), curve.below(owned)
    rented = max(0.0, curve.total - served)
    return Mix(
        name=name,
        owned=owned,
        rented=rented,
        idle=owned * hours - served,
        cost=prices.own * owned * hours + prices.rent * Decimal(rented),
        share_used=served / (owned * hours) if owned and hours else None,
    )


def offered(rates: Iterable[Rate], model: str, at: float, *, spot: bool = False) -> Sequence[Rate]:
    """Return the rules that price a model at an instant, whatever their site or partition."""
    kinds = {*FIXED, *(CASH_KINDS if spot else {Kind.ON_DEMAND})}
    found = [
        rate
        for rate in rates
        if rate.kind in kinds and rate.holds(at) and _prices(rate, model) and rate.amount
    ]
    return sorted(found, key=lambda one: (one.amount, str(one)))


def _prices(rate: Rate, model: str) -> bool:
    bare = replace(rate, site=ANYTHING, partition=ANYTHING, labels=())
    return bare.fits(Subject(model=model))


def cheapest(rates: Sequence[Rate]) -> Prices | str:
    """Return the cheapest of one's own and of rented ones in one currency, or what is missing."""
    fixed = [rate for rate in rates if rate.kind in FIXED]
    rented = [rate for rate in rates if rate.kind in CASH_KINDS]
    if not fixed or not rented:
        return " and ".join(
            f"no price of {what}" for what, found in ((_OWN, fixed), (_RENT, rented)) if not found
        )
    pairs = [(own, rent) for own in fixed for rent in rented if own.currency == rent.currency]
    if not pairs:
        names = sorted({rate.currency for rate in rates})
        return f"prices in {' and '.join(names)}, and nothing is converted"
    own, rent = min(pairs, key=lambda pair: (pair[0].amount, pair[1].amount))
    return Prices(
        own=own.amount,
        rent=rent.amount,
        currency=own.currency,
        own_why=_why(own),
        rent_why=_why(rent),
    )


_OWN: Final = "owned or reserved GPUs"
_RENT: Final = "rented GPUs"


def _why(rate: Rate) -> str:
    return f"{rate.kind}, {rate}" + (f": {rate.note}" if rate.note else "")


def _best(curve: Curve, prices: Prices) -> int:
    """Return how many of one's own are cheapest: while the next would be used enough."""
    ordered = sorted(curve.hours)
    sums = [0.0, *accumulate(ordered)]
    hours = len(ordered)

    def served(cards: int) -> float:
        place = bisect_left(ordered, cards)
        return sums[place] + cards * (hours - place)

    low, high = 0, ceil(curve.peak)
    needed = float(prices.break_even) * hours
    while low < high:
        middle = (low + high + 1) // 2
        if served(middle) - served(middle - 1) > needed:
            low = middle
        else:
            high = middle - 1
    return low


def _distinct(named: Mapping[str, int]) -> Iterable[tuple[str, int]]:
    """Yield each number of cards once, smallest first, with all its names."""
    names: dict[int, list[str]] = defaultdict(list)
    for name, owned in named.items():
        names[owned].append(name)
    for owned in sorted(names):
        yield ", ".join(names[owned]), owned
