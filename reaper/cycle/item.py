"""What one turn reads of the books, and what it finds of each allocation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold, Intent
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.escalation.situation import Situation
from reaper.domain.escalation.turn import Turn
from reaper.domain.facts.allocation import Allocation
from reaper.domain.judgement.policy import Policy
from reaper.domain.judgement.verdict import Verdict
from reaper.domain.reason import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The books' small rooms as one turn reads them."""

    cases: Mapping[str, Case]
    """Open cases by run key."""
    notices: Mapping[str, tuple[Notice, ...]]
    """Notices by case id."""
    keeps: Sequence[Keep]
    holds: Sequence[Hold]
    intents: Sequence[Intent]
    """Intents of the last hour and every open one."""
    policy_since: Mapping[str, float]
    delayed: Sequence[Case] = ()
    """Those of the cases that a silence has just delayed: nobody need tell of their runs now."""
    disputed: frozenset[str] = frozenset()
    """Keys of the runs on whose dispute nobody has ruled, though its case may be closed."""
    approved: frozenset[str] = frozenset()
    """Cases on large allocations whose act two operators approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One allocation in one turn."""

    allocation: Allocation
    verdict: Verdict
    policy: Policy | None
    situation: Situation | None
    """All that its case looks at; None without a policy, and where it works and no case stands."""
    case: Case | None
    turn: Turn | None
    opened: bool = False
    presence: Words = ""
    """Why its person counts as away, or not; empty without a policy."""
    carried: bool = False
    """Its verdict is the one of the turn before: nothing happened that could change it."""
    until: float = 0.0
    """Until when that goes on while its devices do nothing but work; Unix seconds."""
