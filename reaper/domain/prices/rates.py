"""
Rate cards: what a GPU-hour costs, by model, site, partition and labels, and from when to when.

The most specific rule wins: more keys first, then more exact ones.  Two rules of equal rank that
plainly fit the same GPU at the same time are a mistake, found when the card is made; two that meet
on a GPU nobody thought of leave it unpriced, and the books say so.  Where no rule fits a GPU is
unpriced, which is never a price of zero.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import combinations, pairwise
from math import inf

from reaper.domain.prices.globs import alike, is_exact

ANYTHING = "*"


class Kind(StrEnum):
    """How the GPU is paid for; only on-demand and spot turn a release into cash."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"
    RESERVED = "reserved"
    OWNED = "owned"


#: Kinds whose nodes stop costing when they end.
CASH_KINDS = frozenset((Kind.ON_DEMAND, Kind.SPOT))


class RateError(ValueError):
    """A rate card contradicts itself; `problems` names every mistake at once."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is priced: a GPU by its model, site, partition and labels (``key=value``)."""

    model: str = ""
    site: str = ""
    partition: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """
    One rule: `amount` of `currency` per GPU-hour for whom it fits, in ``[begin, end)``.

    Patterns are shell-style and ignore case; every label pattern must fit one label.
    """

    amount: Decimal
    currency: str
    kind: Kind = Kind.OWNED
    model: str = ANYTHING
    site: str = ANYTHING
    partition: str = ANYTHING
    labels: tuple[str, ...] = ()
    begin: float | None = None
    end: float | None = None
    note: str = ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """Return its patterns that say something, in a fixed order."""
        keys = (self.model, self.site, self.partition)
        return (*(key for key in keys if key != ANYTHING), *self.labels)

    @property
    def span(self) -> tuple[float, float]:
        """Return from when to when it is in effect; infinite where it is open."""
        return -inf if self.begin is None else self.begin, inf if self.end is None else self.end

    @property
    def rank(self) -> tuple[int, int]:
        """Return how specific it is: how many keys it names, and how many of them exactly."""
        return len(self.patterns), sum(is_exact(pattern) for pattern in self.patterns)

    def fits(self, subject: Subject) -> bool:
        """Tell whether the rule is for the subject, at any time."""
        return (
            _matches(subject.model, self.model)
            and _matches(subject.site, self.site)
            and _matches(subject.partition, self.partition)
            and all(any(_matches(one, label) for one in subject.labels) for label in self.labels)
        )

    def holds(self, at: float) -> bool:
        """Tell whether the rule is in effect at an instant."""
        begin, end = self.span
        return begin <= at < end

    def __str__(self) -> str:
        keys = {"model": self.model, "site": self.site, "partition": self.partition}
        named = [f"{name} {key}" for name, key in keys.items() if key != ANYTHING]
        for_whom = ", ".join([*named, *self.labels]) or "everything"
        return f"{self.amount} {self.currency} for {for_whom}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A span of time in which one price holds; `rate` is None where there is none."""

    begin: float
    end: float
    rate: Rate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCard:
    """An ordered list of rules; raises :class:`RateError` when they contradict each other."""

    rates: tuple[Rate, ...] = ()

    def __post_init__(self) -> None:
        if problems := [*_impossible(self.rates), *_ambiguous(self.rates)]:
            raise RateError(problems)

    @property
    def version(self) -> str:
        """Return a digest of all that sets a price; the order of rules does not."""
        text = "\n".join(sorted(repr(rate) for rate in self.rates))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def price(self, subject: Subject, at: float) -> Rate | None:
        """Return the rule that sets the subject's price at an instant; None when unpriced."""
        found = self.fitting(subject, at)
        return found[0] if len(found) == 1 else None

    def fitting(self, subject: Subject, at: float) -> tuple[Rate, ...]:
        """Return the most specific rules for the subject; more than one contradict each other."""
        found = [rate for rate in self.rates if rate.holds(at) and rate.fits(subject)]
        best = max((rate.rank for rate in found), default=(0, 0))
        return tuple(rate for rate in found if rate.rank == best)

    def pieces(self, subject: Subject, begin: float, end: float) -> tuple[Piece, ...]:
        """Return ``[begin, end)`` cut wherever the subject's price may change."""
        changes = {at for rate in self.rates for at in (rate.begin, rate.end) if at is not None}
        edges = [begin, *sorted(at for at in changes if begin < at < end), end]
        return tuple(
            Piece(begin=one, end=other, rate=self.price(subject, one))
            for one, other in pairwise(edges)
            if other > one
        )


def _matches(value: str, pattern: str) -> bool:
    return pattern == ANYTHING or fnmatchcase(value.lower(), pattern.lower())


def _impossible(rates: Iterable[Rate]) -> list[str]:
    problems = []
    for number, rate in enumerate(rates, start=1):
        if not rate.amount.is_finite() or rate.amount < 0:
            problems.append(f"rate {number} ({rate}): write an amount of zero or more")
        if rate.begin is not None and rate.end is not None and rate.end <= rate.begin:
            problems.append(f"rate {number} ({rate}): ends before it begins; swap the dates")
    return problems


def _ambiguous(rates: Iterable[Rate]) -> list[str]:
    return [
        f"rates {first} ({one}) and {second} ({other}) are equally specific and fit the same "
        f"GPU at the same time; add a key to one or end it where the other begins"
        for (first, one), (second, other) in combinations(enumerate(rates, start=1), 2)
        if one.rank == other.rank and _together(one, other) and _same_gpu(one, other)
    ]


def _together(one: Rate, other: Rate) -> bool:
    return max(one.span[0], other.span[0]) < min(one.span[1], other.span[1])


def _same_gpu(one: Rate, other: Rate) -> bool:
    pairs = ((one.model, other.model), (one.site, other.site), (one.partition, other.partition))
    return all(alike(*pair) for pair in pairs) and not any(
        _exclude(first, second) for first in one.labels for second in other.labels
    )


def _exclude(first: str, second: str) -> bool:
    """Tell whether two label patterns want different values of the same key."""
    key, _, value = first.partition("=")
    other_key, _, other_value = second.partition("=")
    return is_exact(key) and key.lower() == other_key.lower() and not alike(value, other_value)
