"""The rules that stand between a due release and the act, one function each."""

from math import isfinite
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.judgement.policy import Mode, longer_window
from reaper.domain.judgement.verdict import RELEASABLE
from reaper.domain.reason import because, together
from reaper.domain.spoken import coarse

#: The rule of working hours, which begin by themselves.
HOURS: Final = "hours"


def refusals(situation: Situation) -> tuple[Refusal, ...]:
    """Return every rule that forbids an act now, each with its reason."""
    checks = (
        _kind(situation),
        _window(situation),
        _fresh(situation),
        _presence(situation),
        _hours(situation),
    )
    demand = _demand(situation)
    stops = tuple(
        Refusal(rule=hold.kind, reason=hold.reason, until=hold.until) for hold in situation.holds
    )
    found = tuple(item for item in (*checks, demand, _observed(situation)) if item)
    return (*found, *_barred(situation), *stops)


def _kind(situation: Situation) -> Refusal | None:
    """Only idle and empty are released unless the policy names another verdict."""
    kind = situation.verdict.kind
    if kind in RELEASABLE or kind in situation.policy.also:
        return None
    return Refusal(rule="verdict", reason=because("kind-unnamed", kind=str(kind)))


def _barred(situation: Situation) -> tuple[Refusal, ...]:
    """Return what of its verdict rules a release out, though its GPUs idle."""
    return tuple(Refusal(rule=bar.rule, reason=bar.reason) for bar in situation.verdict.bars)


def _window(situation: Situation) -> Refusal | None:
    idle = situation.rested
    if idle >= situation.policy.idle_for:
        return None
    until = situation.now + situation.policy.idle_for - idle
    return Refusal(rule="window", reason=because("idle-only", seconds=coarse(idle)), until=until)


def _fresh(situation: Situation) -> Refusal | None:
    newest = situation.verdict.newest
    if newest is not None and situation.now - newest <= situation.pace.fresh:
        return None
    return Refusal(rule="evidence", reason=because("minute-too-old"))


def _presence(situation: Situation) -> Refusal | None:
    if situation.allocation.purpose is not Purpose.INTERACTIVE:
        return None
    if situation.presence.away and situation.presence.since is not None:
        away = situation.now - situation.presence.since
        if away >= situation.policy.away_for:
            return None
        until = situation.presence.since + situation.policy.away_for
        return Refusal(
            rule="presence", reason=because("input-ago", seconds=coarse(away)), until=until
        )
    if situation.policy.presence_unknown == "hold":
        return Refusal(rule="presence", reason=situation.presence.reason)
    longer = longer_window(situation.policy.idle_for, situation.pace.step)
    if situation.rested >= longer:
        return None
    waits = because("waits-longer", seconds=coarse(longer))
    reason = together(situation.presence.reason, waits)
    until = situation.now + longer - situation.rested
    return Refusal(rule="presence", reason=reason, until=until)


def unproven_person(situation: Situation) -> bool:
    """Tell whether nothing proves the person of an interactive allocation away."""
    interactive = situation.allocation.purpose is Purpose.INTERACTIVE
    proven = situation.presence.away and situation.presence.since is not None
    return interactive and not proven


def _hours(situation: Situation) -> Refusal | None:
    """Outside working hours only a waiting job counts, and only where the person is surely away."""
    if situation.working_hours or situation.policy.any_hour:
        return None
    unproven = unproven_person(situation)
    if situation.waiting and not unproven:
        return None
    known = situation.hours_known
    if unproven:
        reason = because("outside-hours-person" if known else "hours-unknown-person")
    elif waiting_are_workloads(situation.allocation):
        reason = because("outside-hours-workloads" if known else "hours-unknown-workloads")
    else:
        reason = because("outside-hours-jobs" if known else "hours-unknown-jobs")
    opens = situation.shift.begin
    until = opens if isfinite(opens) else None
    return Refusal(rule=HOURS, reason=reason, until=until)


def _demand(situation: Situation) -> Refusal | None:
    if situation.policy.demand == "any" or situation.waiting:
        return None
    workloads = waiting_are_workloads(situation.allocation)
    return Refusal(
        rule="demand", reason=because("no-workload-fits" if workloads else "no-job-fits")
    )


def waiting_are_workloads(allocation: Allocation) -> bool:
    """Tell what waits where an allocation is: workloads where there are namespaces, else jobs."""
    return bool(allocation.claim.namespace)


def _observed(situation: Situation) -> Refusal | None:
    missing = situation.pace.observe - situation.observed_for
    if situation.policy.mode is not Mode.ACT or missing <= 0:
        return None
    reason = because("observed-only", seconds=coarse(situation.observed_for))
    return Refusal(rule="observed", reason=reason, until=situation.now + missing)


def unheard(case: Case) -> tuple[Refusal, ...]:
    """Nothing is released while its person could not say no."""
    if case.deaf is None:
        return ()
    reason = because("answers-unheard", minutes=round(case.deaf / 60))
    return (Refusal(rule="deaf", reason=reason),)


def unowned(case: Case, situation: Situation) -> tuple[Refusal, ...]:
    """Nothing is released whose owner, as known now, is somebody else than who was warned."""
    if situation.allocation.owner == case.owner:
        return ()
    return (Refusal(rule="owner", reason=because("owner-changed")),)
