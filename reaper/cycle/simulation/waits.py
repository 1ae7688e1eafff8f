"""When what holds a case may clear, so that a simulation need not look before; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Final

from reaper.cycle.item import Item
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past
from reaper.domain.escalation.budget import HOUR
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Intent, Refusal
from reaper.domain.judgement.hours import next_opening
from reaper.domain.judgement.policy import Policy
from reaper.domain.judgement.verdict import Kind, Verdict

_BUDGET: Final = "budget:"

#: Rules that letters, signs or requests clear, all of which are looked at when they change.
_FACTS: Final = frozenset(("evidence", "save", "dispute", "upheld", "kernel", "host"))

#: Rules that the share of some letters clears, or their length, minute by minute.
_SHARES: Final = frozenset(("network", "rhythm"))


def clears(item: Item, case: Case, rules: Rules, past: Past, intents: Iterable[Intent]) -> float:
    """Return the earliest instant at which a case can move, if no letter changes."""
    if not case.held_by:
        return item.verdict.at if case.due is None else case.due
    if item.policy is None:
        return inf
    clear = _Clearing(
        policy=item.policy,
        verdict=item.verdict,
        rules=rules,
        demand=past.changes_after(item.verdict.at),
        spent=min((intent.created + HOUR for intent in intents), default=0.0),
    )
    refusals = item.turn.refusals if item.turn else ()
    rationed = [text for text in case.held_by if text.startswith(_BUDGET)]
    return max(
        (
            *(clear.of(refusal) for refusal in refusals),
            *(clear.budget(part) for text in rationed for part in text.split("; ")),
        ),
        default=item.verdict.at,
    )


def gone(item: Item, case: Case, past: Past) -> float:
    """Return when jobs may wait no more on whose account a final notice was told."""
    told = item.policy is not None and case.rung >= len(item.policy.warnings)
    change = past.changes_after(item.verdict.at) if told and case.wanted is not None else None
    return inf if change is None else change


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clearing:
    """When each rule that holds a case may let it go: never later than it does."""

    policy: Policy
    verdict: Verdict
    rules: Rules
    demand: float | None
    spent: float
    """When the oldest act of the last hour stops counting."""

    def of(self, refusal: Refusal) -> float:
        """Return when a refusal may clear."""
        if refusal.rule in _FACTS:
            return inf
        if refusal.rule == "verdict":
            waits = self.verdict.kind is Kind.HOST_BUSY
            return self.verdict.at if waits else inf
        if refusal.rule in _SHARES:
            return self.verdict.at
        if refusal.rule == "demand":
            return self._waiting()
        if refusal.rule == "hours":
            zone = self.rules.zone(self.policy.hours.zone)
            opening = next_opening(self.policy.hours, self.verdict.at + 1, zone)
            return min(opening, self._waiting())
        return inf if refusal.until is None else refusal.until

    def budget(self, part: str) -> float:
        """Return when one budget may have room again."""
        if "approval" in part:
            return inf
        return self.verdict.at if part.endswith("a cycle") else self.spent

    def _waiting(self) -> float:
        return inf if self.demand is None else self.demand
