"""
What stands between a due warning and its telling: mass events, a day's budget, the same habit.

A sign that the whole system may be wrong holds notices as it holds acts, and nobody is told twice
a day about the same; pure.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.interlock import KIND
from reaper.domain.escalation.notice import Delivery, Notice, Told
from reaper.domain.escalation.sequel import WARNINGS
from reaper.domain.escalation.situation import Situation
from reaper.domain.judgement.policy import Mode, Rung
from reaper.domain.judgement.verdict import Kind
from reaper.domain.reason import because

#: Seconds over which notices are counted.
DAY: Final = 86400.0

#: The rule of the day's budget.
NOTICES: Final = "notices"


def remembered(
    before: Mapping[str, tuple[Told, ...]], notices: Iterable[Notice], now: float
) -> dict[str, tuple[Told, ...]]:
    """Return what owners were told within a day, by run key, with notices that may have arrived."""
    told = dict(before)
    for notice in notices:
        if notice.kind in WARNINGS and notice.delivery is not Delivery.FAILED:
            assumed = notice.delivery is Delivery.ASSUMED
            fresh = Told(at=notice.created, final=notice.kind == "final", assumed=assumed)
            told[notice.run_key] = (*told.get(notice.run_key, ()), fresh)
    kept = ((key, of_a_day(several, now)) for key, several in told.items())
    return {key: several for key, several in kept if several}


def unheard(
    told: Mapping[str, tuple[Told, ...]], cases: Iterable[Case]
) -> dict[str, tuple[Told, ...]]:
    """Return what was told, without the last warning of a case that ended before it arrived."""
    found = dict(told)
    for case in cases:
        if case.state is State.CLOSED and case.warned and case.warned[-1] is None:
            found[case.run.key] = found.get(case.run.key, ())[:-1]
    return found


def of_a_day(told: Iterable[Told], now: float, mode: Mode = Mode.OBSERVE) -> tuple[Told, ...]:
    """Return what was told within the last day: what is assumed counts where nothing else is."""
    assumed = mode is Mode.OBSERVE
    return tuple(item for item in told if item.at > now - DAY and item.assumed <= assumed)


def told_already(case: Case, situation: Situation, rung: Rung) -> bool:
    """
    Tell whether a first warning would only say once more what was said within a day.

    What comes back that often is a habit, told as advice.  Under a policy that has changed since
    it says something new.
    """
    if case.rung or rung.final:
        return False
    since = situation.now - situation.observed_for
    return any(told.at >= since for told in situation.told if not told.final)


def untrue(case: Case, situation: Situation) -> bool:
    """Tell whether a warning of which its owner has not heard yet is true no more: it works."""
    known = not case.rung or situation.verdict.kind is not Kind.UNKNOWN
    return known and not case.disputed and not situation.unused


def tripped(situation: Situation) -> tuple[Refusal, ...]:
    """Return the latched interlocks, which hold every notice."""
    return tuple(
        Refusal(rule=KIND, reason=hold.reason, until=hold.until)
        for hold in situation.holds
        if hold.kind == KIND
    )


def refusals(situation: Situation) -> tuple[Refusal, ...]:
    """
    Return what holds every notice: a latched interlock, or a budget that is spent.

    The last of a day is kept for working hours: jobs that wait at night, and go, do not spend it.
    """
    found = [*tripped(situation)]
    hours = situation.working_hours or situation.policy.any_hour
    allowed = max(1, situation.policy.notices_per_day - (not hours))
    if len(situation.told) >= allowed:
        first = sorted(told.at for told in situation.told)[-allowed]
        until = first + DAY if hours else min(first + DAY, situation.shift.begin)
        reason = because("told-within-day", notices=len(situation.told))
        found.append(Refusal(rule=NOTICES, reason=reason, until=until))
    return tuple(found)
