"""
What the system did in a span and what came of it: warnings, answers, releases, disputes, demand.

Counted from cases and events alone; what was only recorded (outside act mode) is counted apart.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.judgement.policy import Mode
from reaper.domain.money.entries import (
    GIVEN_BACK,
    LOOKS,
    RELEASED,
    REVERTED,
    WAITED,
    DemandPoint,
    Event,
)
from reaper.domain.reason import Words

#: Kinds of events that say only that something began or ended by itself.
ROUTINE: Final = frozenset(("run began", "run ended"))

_INTENDED: Final = frozenset(("would release", "release intended"))
_BACK: Final = frozenset(("activity returned", "its person came back"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run's newest case stood: when its owner was warned, and what came of it."""

    warned: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Demanded:
    """What waited for GPUs: GPU-seconds asked for, the share of time, and the most at once."""

    asked: float = 0.0
    share: float = 0.0
    peak: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """
    What a person should look at: what it looks like (of `LOOKS`), and the arithmetic.

    `run_key` is empty where it is no single run.
    """

    kind: str
    run_key: str
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """What was done in a span, and what waited meanwhile."""

    actions: Mapping[str, int] = field(default_factory=dict)
    """Events by kind, the routine left out."""
    warned: int = 0
    """Cases whose owner was warned, delivered."""
    kept: int = 0
    disputed: int = 0
    """Cases whose owner said that they were wrong, while they were open or after the release."""
    upheld: int = 0
    """Disputes that an operator found right: false alarms."""
    back_at_work: int = 0
    """Cases that ended because work came back."""
    given_back: int = 0
    released: int = 0
    would_release: int = 0
    failed: int = 0
    reverted: int = 0
    idle_before_release: float | None = None
    """Median time from idle to the decision to release, seconds; None without any."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """By run key."""
    looks: tuple[Look, ...] = ()
    """Each run once a kind, with its newest arithmetic."""
    demand: Demanded = field(default_factory=Demanded)
    queue_wait: float | None = None
    """Median seconds that the runs which began had waited; None where nobody said."""

    @property
    def false_alarms(self) -> float | None:
        """Return disputes per warned case; None where nobody was warned."""
        return self.disputed / self.warned if self.warned else None


def conduct(
    events: Iterable[Event],
    cases: Iterable[Case],
    demand: Iterable[DemandPoint],
    *,
    minutes: int,
    step: float,
) -> Conduct:
    """Return what was done in a span of so many minutes of the grid, each `step` seconds."""
    happened = tuple(events)
    told = [event for event in happened if event.kind not in ROUTINE]
    waited = [event.numbers[WAITED] for event in happened if WAITED in event.numbers]
    counts = Counter(event.kind for event in told)
    known = tuple(cases)
    idle = [e.numbers["idle_seconds"] for e in told if e.kind in _INTENDED and e.numbers]
    return Conduct(
        actions=dict(sorted(counts.items())),
        warned=sum(1 for case in known if _warned(case)),
        kept=counts["keep"],
        disputed=_cases_of(told, "dispute"),
        upheld=_cases_of(told, "dispute upheld"),
        back_at_work=sum(1 for case in known if case.outcome in _BACK),
        given_back=counts[GIVEN_BACK],
        released=counts[RELEASED],
        would_release=counts["would release"],
        failed=counts["failed"],
        reverted=counts[REVERTED],
        idle_before_release=median(idle) if idle else None,
        outcomes={
            case.run.key: Outcome(warned=_warned(case), text=case.outcome or str(case.state))
            for case in sorted(known, key=lambda one: one.opened)
        },
        looks=_looks(told),
        demand=_demanded(demand, minutes, step),
        queue_wait=median(waited) if waited else None,
    )


def _looks(events: Iterable[Event]) -> tuple[Look, ...]:
    newest = {
        (kind, event.run_key): event.text
        for event in sorted(events, key=lambda one: one.at)
        for kind in LOOKS
        if kind in event.numbers
    }
    return tuple(
        Look(kind=kind, run_key=key, text=newest[kind, key]) for kind, key in sorted(newest)
    )


def _cases_of(events: Iterable[Event], kind: str) -> int:
    """Return how many cases something happened to; what is said twice of one counts once."""
    return len({(event.run_key, event.case_id) for event in events if event.kind == kind})


def _warned(case: Case) -> int:
    """Return how many warnings were delivered; what a policy only observes is told to nobody."""
    told = case.mode != Mode.OBSERVE
    return sum(1 for at in case.warned if at is not None) if told else 0


def _demanded(demand: Iterable[DemandPoint], minutes: int, step: float) -> Demanded:
    waiting = [point.gpus for point in demand if point.gpus > 0]
    return Demanded(
        asked=sum(waiting) * step,
        share=min(1.0, len(waiting) / minutes) if minutes else 0.0,
        peak=max(waiting, default=0),
    )
