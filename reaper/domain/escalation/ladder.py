"""
What a case wants next: the one function that climbs, waits and closes.

Every wait is a due time on the case; every "no" is a refusal with its reason.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reaper.domain.escalation import final, owning, saving, setback, telling
from reaper.domain.escalation.case import Case, Saving, State
from reaper.domain.escalation.decision import Hold, Refusal
from reaper.domain.escalation.notice import Notice
from reaper.domain.escalation.refusal import refusals, unheard, unowned
from reaper.domain.escalation.situation import Situation
from reaper.domain.escalation.turn import Turn
from reaper.domain.facts.allocation import Purpose
from reaper.domain.judgement.policy import Mode, Policy, Rung
from reaper.domain.reason import because

#: Active minutes after a warning that prove the owner is back at work.
RETURNED: Final = 2

#: Kind of the hold on a run whose dispute an operator upheld.
UPHELD: Final = "upheld"


def opens(situation: Situation) -> bool:
    """Tell whether an allocation without a case deserves one: its first warning is due."""
    first = situation.policy.warnings[0] if situation.policy.warnings else None
    return (
        situation.unused
        and first is not None
        and situation.exemption is None
        and situation.keep is None
        and not situation.within_quota
        and not _left_alone(situation)
        and situation.idle >= first.after
    )


def advance(case: Case, situation: Situation) -> Turn:
    """Move an open case one turn; a case that acts or verifies is left alone."""
    counted = _count(_resumed(case, situation), situation)
    if case.state not in (State.OPEN, State.PLANNED):
        return Turn(case=counted)
    if counted.own_release is not None:
        if situation.release_now:
            return owning.advance(counted, counted.own_release, situation)
        told = owning.taken_back(counted, counted.own_release, situation.keep)
        left = replace(counted, own_release=None)
        return replace(_climbed(left, situation), given_up=told)
    return _climbed(counted, situation)


def _climbed(counted: Case, situation: Situation) -> Turn:
    """Move a case in which no release of its owner's own stands."""
    closing = _closing(counted, situation)
    undo = _undone(counted)
    if closing:
        return Turn(case=counted, close=closing, undo=undo)
    if counted.state is State.PLANNED:
        return Turn(case=counted)
    if saving.lapsed(counted, situation):
        return Turn(case=_lapsed(counted, situation), undo=undo)
    turn = _climb(counted, situation)
    return replace(turn, case=replace(turn.case, held_by=turn.refusals))


def unmatched(case: Case) -> Turn:
    """Close a case that no policy is for any more; a step that is under way is followed first."""
    if case.state not in (State.OPEN, State.PLANNED):
        return Turn(case=case)
    wished = case.own_release is not None
    return Turn(
        case=replace(case, own_release=None),
        close="no policy matches",
        given_up=owning.NO_POLICY if wished else None,
        undo=_undone(case),
    )


def _resumed(case: Case, situation: Situation) -> Case:
    """Return to the final notice when a keep has ended."""
    if situation.keep is not None:
        return replace(case, kept=True)
    return replace(back_to_final(case, situation.policy), kept=False) if case.kept else case


def _undone(case: Case) -> Saving | None:
    return case.saving if case.saving and case.saving.stands else None


def _lapsed(case: Case, situation: Situation) -> Case:
    """Return to the final notice: what was saved grows old, and is asked for anew."""
    lapsed = replace(case.saving, lapsed=situation.now) if case.saving else None
    return replace(back_to_final(case, situation.policy), saving=lapsed, due=None)


def back_to_final(case: Case, policy: Policy) -> Case:
    """Return the case before its final notice, with a full grace to come."""
    final = max(len(policy.warnings) - 1, 0)
    if case.rung <= final or case.state is not State.OPEN:
        return case
    return replace(
        case,
        rung=final,
        warned=case.warned[:final],
        round=case.round + 1,
        extension=0.0,
        setback=None,
    )


def _count(case: Case, situation: Situation) -> Case:
    warned = delivered(case, situation.notices)
    fresh = situation.active_minutes if any(at is not None for at in warned) else 0
    return replace(
        case,
        warned=warned,
        active_minutes=case.active_minutes + fresh,
        judged_to=max(case.judged_to, situation.counted_to),
        limit=situation.allocation.claim.limit,
        wanted=situation.wanted,
    )


def delivered(case: Case, notices: Sequence[Notice]) -> tuple[float | None, ...]:
    """
    Return, per warning sent, when it counts as delivered.

    Outside act mode a warning counts from when it would have been sent.
    """
    sent: dict[int, Notice] = {}
    for notice in sorted(notices, key=lambda item: item.round):
        if notice.kind in ("warning", "final"):
            sent[notice.rung] = notice
    return tuple(_arrival(case, rung, sent.get(rung)) for rung in range(case.rung))


def _arrival(case: Case, rung: int, notice: Notice | None) -> float | None:
    if case.skipped and not rung:
        return case.opened
    if notice is None:
        return None
    if case.mode != Mode.ACT:
        return notice.created
    return notice.delivered_at if notice.counts else None


def _closing(case: Case, situation: Situation) -> str:
    first_warned = min((at for at in case.warned if at is not None), default=None)
    if case.policy_version != situation.policy.version or case.mode != situation.policy.mode:
        return "policy changed"
    if situation.allocation.owner and not case.owner:
        return "its owner is known now"
    if situation.exemption is not None:
        return f"exempt: {situation.exemption.reason}"
    if upheld(situation.holds):
        return "an operator upheld the dispute"
    if case.active_minutes >= RETURNED:
        return "activity returned"
    if first_warned is None and telling.untrue(case, situation):
        return "it is at work"
    if (
        first_warned is not None
        and situation.allocation.purpose is Purpose.INTERACTIVE
        and situation.last_human is not None
        and situation.last_human > first_warned + situation.pace.step
    ):
        return "its person came back"
    return ""


def _left_alone(situation: Situation) -> bool:
    """Tell whether an operator must look first: at a dispute, or an act that came to nothing."""
    run = situation.allocation.run
    own = (run.key, str(run))
    return situation.disputed or any(hold.scope in own for hold in situation.holds)


def upheld(holds: Sequence[Hold]) -> bool:
    """Tell whether an operator ruled that this run is to be left alone."""
    return any(hold.kind == UPHELD for hold in holds)


def _climb(case: Case, situation: Situation) -> Turn:
    standing = _standing(case, situation)
    if standing:
        return Turn(case=replace(case, due=standing[0].until), refusals=standing)
    warnings = situation.policy.warnings
    if case.rung < len(warnings):
        return _warn(case, situation, warnings[case.rung])
    return _act(case, situation)


def _standing(case: Case, situation: Situation) -> tuple[Refusal, ...]:
    """Return what stops every step of a case, warnings included."""
    found: list[Refusal] = []
    if situation.keep is not None:
        until = situation.keep.until
        found.append(Refusal(rule="keep", reason=situation.keep.said, until=until))
    if situation.within_quota:
        found.append(Refusal(rule="quota", reason=situation.within_quota))
    if case.disputed or situation.disputed:
        found.append(Refusal(rule="dispute", reason=because("disputed")))
    if not situation.unused:
        verdict = situation.verdict
        reason = because("verdict-is", kind=str(verdict.kind), reason=verdict.reason)
        found.append(Refusal(rule="evidence", reason=reason))
    return tuple(found)


def _warn(case: Case, situation: Situation, rung: Rung) -> Turn:
    """Warn when idle for long enough, and never closer to the last warning than their rungs."""
    last = rung.final and bool(situation.policy.acts)
    waits = [situation.now + rung.after - (situation.rested if last else situation.idle)]
    if case.rung > 0:
        previous = situation.policy.warnings[case.rung - 1]
        at = case.warned[case.rung - 1]
        if at is None:
            return Turn(case=replace(case, due=None), refusals=(_undelivered(case, situation),))
        waits.append(at + rung.after - previous.after)
    due = max(waits)
    if due > situation.now:
        return Turn(case=replace(case, due=due))
    climbed = replace(
        case, rung=case.rung + 1, warned=(*case.warned, None), extension=0.0, due=None
    )
    if telling.told_already(case, situation, rung):
        return Turn(case=replace(climbed, skipped=True, warned=(case.opened,)))
    against = telling.refusals(situation) or _untimely(case, situation, rung)
    if against:
        return Turn(case=replace(case, due=_look_again(against)), refusals=against)
    return Turn(case=climbed, warn=rung)


def against_telling(case: Case, situation: Situation) -> tuple[Refusal, ...]:
    """Return why the newest warning of a case would not be true, if it arrived now."""
    standing = _standing(case, situation) or telling.tripped(situation)
    if standing or not case.rung:
        return standing
    before = replace(case, rung=case.rung - 1, warned=case.warned[: case.rung - 1])
    return _untimely(before, situation, situation.policy.warnings[before.rung])


def _untimely(case: Case, situation: Situation, rung: Rung) -> tuple[Refusal, ...]:
    """Return why a final notice would not be true now; nothing where no act follows a warning."""
    if not rung.final or not situation.policy.acts:
        return ()
    _, unsaved = saving.due(case, situation)
    return final.untimely(case, situation, _against(case, situation, unsaved))


def _look_again(against: Sequence[Refusal]) -> float | None:
    """Return when all that stands against a step passes by itself; None where that is unknown."""
    untils = [item.until for item in against]
    return None if None in untils else max(item for item in untils if item is not None)


def _undelivered(case: Case, situation: Situation) -> Refusal:
    last = max(situation.notices, key=lambda notice: notice.created, default=None)
    state = str(last.delivery) if last else "unsent"
    if last is None or not last.error:
        reason = because("not-arrived", warning=case.rung, state=state)
    else:
        reason = because("not-arrived-for", warning=case.rung, state=state, error=last.error)
    return Refusal(rule="delivery", reason=reason)


def _act(case: Case, situation: Situation) -> Turn:
    acts = situation.policy.acts
    if not acts:
        return Turn(case=replace(case, due=None))
    if not case.warned or case.warned[-1] is None:
        return Turn(case=replace(case, due=None), refusals=(_undelivered(case, situation),))
    term = final.term(case.warned[-1], case, situation)
    if term is not None and term.due > situation.now:
        return Turn(case=replace(case, due=term.due))
    rung, unsaved = saving.due(case, situation)
    dropped = setback.refusals(case.setback, situation.now, situation.pace)
    against = (*dropped, *_against(case, situation, unsaved))
    if against:
        return Turn(case=replace(case, due=_look_again(against)), refusals=against)
    if term is None:
        return _told_anew(case, situation)
    return Turn(case=replace(case, due=term.due), act=rung)


def _against(case: Case, situation: Situation, unsaved: tuple[Refusal, ...]) -> tuple[Refusal, ...]:
    """Return all that stands against a release, but its notice."""
    return (*unsaved, *unheard(case), *unowned(case, situation), *refusals(situation))


def _told_anew(case: Case, situation: Situation) -> Turn:
    """Tell the final notice again: the one that was told is spent, and nothing else stands."""
    before = replace(back_to_final(case, situation.policy), setback=case.setback)
    return _warn(before, situation, situation.policy.warnings[-1])
