"""
The final notice: when it may be told, what it names, and for which release it is good.

It belongs to the idleness that it speaks of: told within the present idle stretch, its host at
rest since, with a whole grace in working hours (or the longer one that a waiting job allows), and
no older than that grace and an hour.  Whatever delays a release beyond that spends it.  Where a
release rests on jobs that wait, some have waited without a break since it was told.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.refusal import HOURS, refusals, unproven_person
from reaper.domain.escalation.situation import Situation
from reaper.domain.judgement.hours import Shift
from reaper.domain.judgement.policy import Policy
from reaper.domain.reason import because

#: Shortest grace of a release outside working hours, for jobs that wait.
DEMAND_GRACE: Final = 2 * 3600.0

#: Rules that time alone clears, at an instant that they name.
PASSING: Final = frozenset(("window", "presence", "observed", "host"))

#: Seconds of a grace of days that lie in the working hours in which it ends.
LAST: Final = 1800.0

#: Steps for which a final notice is good once its grace is over.
GOOD_FOR: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """From when to when a final notice allows a release; Unix seconds."""

    due: float
    ends: float


def term(told: float, case: Case, situation: Situation) -> Term | None:
    """Return the term of a final notice that was delivered at `told`; None once it is spent."""
    if _of_other_idleness(told, situation):
        return None
    open_ones = (
        item
        for item in _terms(told, told + case.extension, situation, _named(told, situation))
        if max(item.due, situation.now) <= item.ends
    )
    return min(open_ones, key=lambda item: item.due, default=None)


def _of_other_idleness(told: float, situation: Situation) -> bool:
    """Tell whether there was work after a notice, of its GPUs or of its host."""
    since, worked = situation.verdict.since, situation.host_worked
    return (since is not None and told < since) or (worked is not None and told < worked)


def _named(told: float, situation: Situation) -> float:
    """Return the release that the final notice delivered at `told` named; it, where it named none.

    Jobs may have begun to wait between the words of a notice and its arrival.
    """
    finals = (one for one in situation.notices if one.kind == "final" and one.delivered_at == told)
    return max((one.story.release_at or told for one in finals), default=told)


def _terms(delivered: float, told: float, situation: Situation, named: float) -> Iterator[Term]:
    """
    Yield the terms of a notice that was `delivered`; `told` leaves out what was not heard.

    What only jobs that wait allow is not done before the release that it `named`.
    """
    stood = situation.wanted is not None and situation.wanted <= delivered
    policy, good = situation.policy, GOOD_FOR * situation.pace.step
    usual, longer = told + policy.grace, told + max(policy.grace, DEMAND_GRACE)
    if policy.demand == "waiting" and not stood:
        return
    if policy.any_hour:
        yield Term(due=usual, ends=usual + good)
        return
    coming = situation.waiting and situation.now < situation.shift.begin
    if situation.working_hours or coming:
        due = usual if told >= situation.shift.begin else _in_hours(usual, situation.shift, policy)
        yield Term(due=due, ends=usual + good)
    if stood and _wanted(situation):
        longer = max(longer, named)
        yield Term(due=longer, ends=longer + good)


def _in_hours(usual: float, shift: Shift, policy: Policy) -> float:
    """
    Return when a grace that began before some working hours is over in them.

    They hold all of it, but one that is longer than they are: of that its last half hour.
    """
    lead = policy.grace if policy.grace < shift.end - shift.begin else min(policy.grace, LAST)
    return max(usual, shift.begin + lead)


def grace(situation: Situation) -> float:
    """Return the grace of a final notice that is told now; seconds."""
    outside = not situation.working_hours and not situation.policy.any_hour
    floor = DEMAND_GRACE if outside and _wanted(situation) else 0.0
    return max(situation.policy.grace, floor)


def _wanted(situation: Situation) -> bool:
    """Tell whether a job that waits allows a release outside working hours."""
    return bool(situation.waiting) and not unproven_person(situation)


def untimely(
    case: Case, situation: Situation, standing: tuple[Refusal, ...]
) -> tuple[Refusal, ...]:
    """
    Return what rules out, of all that stands against a release, that a final notice is true now.

    What surely passes within the grace does not; nor do the hours, the first time: the notice
    names when they begin.  Each is looked at again when the grace would end with it.
    """
    left = grace(situation)
    found = []
    for refusal in standing:
        if refusal.rule == HOURS:
            found += [refusal] if case.round and situation.timely is None else []
        elif refusal.until is None or refusal.rule not in PASSING:
            found.append(replace(refusal, until=None))
        elif refusal.until > situation.now + left:
            found.append(replace(refusal, until=refusal.until - left))
    return (*found, *_ends_outside(situation), *_ends_first(situation))


def _ends_outside(situation: Situation) -> tuple[Refusal, ...]:
    """A grace that is longer than working hours begins so that it ends in them."""
    if situation.waiting or situation.timely is None or situation.timely <= situation.now:
        return ()
    reason = because("grace-ends-outside")
    return (Refusal(rule="grace", reason=reason, until=situation.timely),)


def _ends_first(situation: Situation) -> tuple[Refusal, ...]:
    """A run that its own time limit ends before the release is warned of none."""
    limit, first = situation.allocation.claim.limit, release_at(situation)
    if limit is None or first is None or first < limit:
        return ()
    return (Refusal(rule="limit", reason=because("limit-ends-first")),)


def release_at(situation: Situation, *, told: float | None = None) -> float | None:
    """
    Return the earliest release that a final notice names; told now, where nothing is given.

    Unix seconds; None where none is in sight.
    """
    at = situation.now if told is None else told
    untils = (item.until for item in refusals(situation) if item.rule != HOURS)
    clear = max((until for until in untils if until is not None), default=at)
    over = at + situation.policy.grace
    usual = max(over, clear)
    if situation.policy.any_hour:
        return usual
    begun = situation.shift.begin <= at
    if begun and situation.shift.holds(usual):
        return usual
    shift = _following(situation.shift) if begun else situation.shift
    first = _opened(over, clear, shift, situation)
    if _wanted(situation):
        first = min(first, max(at + max(situation.policy.grace, DEMAND_GRACE), clear))
    return first if isfinite(first) else None


def _following(shift: Shift) -> Shift:
    """Return the hours after some that last; as long as these, as far as anybody knows."""
    return Shift(begin=shift.after, end=shift.after + shift.end - shift.begin, after=inf)


def _opened(over: float, clear: float, shift: Shift, situation: Situation) -> float:
    """
    Return the earliest release in hours to come: by the notice itself, or told anew in them.

    The notice's own grace is `over` then, and nothing else stands against it from `clear` on.
    """
    due = max(_in_hours(over, shift, situation.policy), clear)
    good = due <= over + GOOD_FOR * situation.pace.step
    return due if good else max(over, clear, shift.begin + situation.policy.grace)
