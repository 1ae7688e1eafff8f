"""
A week's figures as they stood when its books were closed, or restated: derived, rebuildable.

A closing carries the terms it was made with, so that a change of a figure can be told from a
change of a price.  Its number grows with every restatement; the totals of all of them stay.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise

from reaper.domain.money.conduct import Conduct
from reaper.domain.money.figures import Figures, Key
from reaper.domain.money.findings import Compared, Finding
from reaper.domain.money.ledger import Accounts, RunFigures, Tail

#: Wasteful runs that are kept of each team, so that its own report can list them.
RUNS_A_TEAM = 10

#: Device-seconds below which a difference is rounding.
ROUNDING = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The head of one week's figures: which week, in which zone, as of when, under which terms."""

    week: str
    zone: str
    version: int
    begin: float
    """From when on the books know the cluster; the week's own begin, or later in its first."""
    end: float
    asked: tuple[float, float]
    """The whole week."""
    as_of: float
    total: Figures
    teams: Mapping[str, Figures] = field(default_factory=dict)
    """What each team held, for its own trend."""
    terms: str = ""
    """Digest of prices, thresholds and places."""
    rates: str = ""
    policies: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return what people call it: ``2026-W09 v1``."""
        return f"{self.week} v{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A closing with everything a report of that week shows."""

    closing: Closing
    figures: Mapping[Key, Figures] = field(default_factory=dict)
    runs: tuple[RunFigures, ...] = ()
    findings: tuple[Finding, ...] = ()
    tails: tuple[Tail, ...] = ()
    conduct: Conduct = field(default_factory=Conduct)
    compared: Compared | None = None

    @property
    def accounts(self) -> Accounts:
        """Return the figures as the books give them."""
        head = self.closing
        return Accounts(
            begin=head.begin,
            end=head.end,
            as_of=head.as_of,
            figures=self.figures,
            total=head.total,
            runs=self.runs,
            findings=self.findings,
            tails=self.tails,
        )


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Handover:
    """One version of a week's report went to one recipient."""

    zone: str
    week: str
    version: int
    recipient: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """A week whose figures changed after it was closed, and by how many device-seconds."""

    week: str
    version: int
    at: float
    deltas: Mapping[str, float]
    priced: bool = False
    """Whether prices or thresholds changed too."""


def restatements(closings: Sequence[Closing]) -> tuple[Restated, ...]:
    """Return what changed from each version of a week to the next, the latest last."""
    found = [
        Restated(
            week=other.week,
            version=other.version,
            at=other.as_of,
            deltas=changes(one.total, other.total),
            priced=one.terms != other.terms,
        )
        for one, other in pairwise(sorted(closings, key=lambda head: (head.week, head.version)))
        if one.week == other.week
    ]
    return tuple(sorted(found, key=lambda one: (one.at, one.week)))


def newest(closings: Iterable[Closing]) -> tuple[Closing, ...]:
    """Return the last version of each week, oldest week first."""
    latest: dict[str, Closing] = {}
    for head in sorted(closings, key=lambda one: one.version):
        latest[head.week] = head
    return tuple(sorted(latest.values(), key=lambda one: one.asked))


def kept_runs(runs: tuple[RunFigures, ...]) -> tuple[RunFigures, ...]:
    """Return the runs that reports list: of every team those that wasted most, or may have."""
    counts: dict[str, int] = {}
    kept = []
    for run in runs:
        number = counts.get(run.key.team, 0)
        if run.figures.high > 0 and number < RUNS_A_TEAM:
            counts[run.key.team] = number + 1
            kept.append(run)
    return tuple(kept)


def restated(before: Closed, after: Closed) -> Closed | None:
    """Return the later closing as the next version; None where no figure differs."""
    if before.closing.terms == after.closing.terms and not _moved(before, after):
        return None
    head = replace(after.closing, version=before.closing.version + 1)
    return replace(after, closing=head)


def _moved(before: Closed, after: Closed) -> bool:
    keys = {*before.figures, *after.figures}
    none = Figures()
    return any(differs(before.figures.get(key, none), after.figures.get(key, none)) for key in keys)


def differs(one: Figures, other: Figures) -> bool:
    """Tell whether two figures differ by more than rounding."""
    return bool(changes(one, other)) or one.costs.wasted != other.costs.wasted


def changes(one: Figures, other: Figures) -> Mapping[str, float]:
    """Return by how many device-seconds each figure changed, those that did."""
    deltas = {name: getattr(other, name) - getattr(one, name) for name in SECONDS}
    return {name: delta for name, delta in deltas.items() if abs(delta) >= ROUNDING}


SECONDS = tuple(one.name for one in fields(Figures) if one.name != "costs")
