"""The rules that stand between a due release and the act, one function each."""

from math import isfinite
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Mode
from reaper.domain.judgement.verdict import RELEASABLE
from reaper.domain.spoken import english as lasting

#: Where presence cannot be known, the window grows by this factor, at least to so many minutes.
LONGER: Final = 4
LONGER_AT_LEAST: Final = 240

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
    return Refusal(rule="verdict", reason=f"{kind} is released only where a policy names it")


def _barred(situation: Situation) -> tuple[Refusal, ...]:
    """Return what of its verdict rules a release out, though its GPUs idle."""
    return tuple(Refusal(rule=bar.rule, reason=bar.reason) for bar in situation.verdict.bars)


def _window(situation: Situation) -> Refusal | None:
    idle = situation.rested
    if idle >= situation.policy.idle_for:
        return None
    until = situation.now + situation.policy.idle_for - idle
    return Refusal(rule="window", reason=f"idle for {lasting(idle)} only", until=until)


def _fresh(situation: Situation) -> Refusal | None:
    newest = situation.verdict.newest
    if newest is not None and situation.now - newest <= situation.pace.fresh:
        return None
    return Refusal(rule="evidence", reason="the newest closed minute is too old")


def _presence(situation: Situation) -> Refusal | None:
    if situation.allocation.purpose is not Purpose.INTERACTIVE:
        return None
    if situation.presence.away and situation.presence.since is not None:
        away = situation.now - situation.presence.since
        if away >= situation.policy.away_for:
            return None
        until = situation.presence.since + situation.policy.away_for
        return Refusal(rule="presence", reason=f"input {lasting(away)} ago", until=until)
    if situation.policy.presence_unknown == "hold":
        return Refusal(rule="presence", reason=situation.presence.reason)
    longer = max(LONGER * situation.policy.idle_for, _longer_at_least(situation.pace))
    if situation.rested >= longer:
        return None
    reason = f"{situation.presence.reason}; waits for {lasting(longer)} of idleness"
    until = situation.now + longer - situation.rested
    return Refusal(rule="presence", reason=reason, until=until)


def unproven_person(situation: Situation) -> bool:
    """Tell whether nothing proves the person of an interactive allocation away."""
    interactive = situation.allocation.purpose is Purpose.INTERACTIVE
    proven = situation.presence.away and situation.presence.since is not None
    return interactive and not proven


def _longer_at_least(pace: Pace) -> float:
    return LONGER_AT_LEAST * pace.step


def _hours(situation: Situation) -> Refusal | None:
    """Outside working hours only a waiting job counts, and only where the person is surely away."""
    if situation.working_hours or situation.policy.any_hour:
        return None
    unproven = unproven_person(situation)
    if situation.waiting and not unproven:
        return None
    when = "outside" if situation.hours_known else "no directory answers about its owner's"
    why = "nothing proves its person away" if unproven else "no job waits for these GPUs"
    opens = situation.shift.begin
    until = opens if isfinite(opens) else None
    return Refusal(rule=HOURS, reason=f"{when} working hours and {why}", until=until)


def _demand(situation: Situation) -> Refusal | None:
    if situation.policy.demand == "any" or situation.waiting:
        return None
    return Refusal(rule="demand", reason="no pending job could start on these GPUs")


def _observed(situation: Situation) -> Refusal | None:
    missing = situation.pace.observe - situation.observed_for
    if situation.policy.mode is not Mode.ACT or missing <= 0:
        return None
    reason = f"this policy version is observed for {lasting(situation.observed_for)} only"
    return Refusal(rule="observed", reason=reason, until=situation.now + missing)


def unheard(case: Case) -> tuple[Refusal, ...]:
    """Nothing is released while its person could not say no."""
    if case.deaf is None:
        return ()
    reason = f"answers cannot be heard for {case.deaf / 60:.0f} min"
    return (Refusal(rule="deaf", reason=reason),)


def unowned(case: Case, situation: Situation) -> tuple[Refusal, ...]:
    """Nothing is released whose owner, as known now, is somebody else than who was warned."""
    if situation.allocation.owner == case.owner:
        return ()
    return (Refusal(rule="owner", reason="whoever was warned is not known as its owner now"),)
