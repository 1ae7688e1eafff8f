"""
An owner's own confirmed release: no ladder, no idleness, no grace, no hours, no budget.

What remains is that the run is known and the same, that nothing stops every act, that it is done
gently and verified.  What was dropped at the last look is tried again the next minute, while its
owner waits; a wish that cannot be done soon is given up: nobody is surprised later.
"""

from dataclasses import replace
from typing import Final

from reaper.domain.escalation.case import Case, OwnRelease
from reaper.domain.escalation.decision import LACKING, Refusal
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.situation import Situation
from reaper.domain.escalation.turn import Turn
from reaper.domain.judgement.policy import Mode, Rung
from reaper.domain.judgement.verdict import Kind
from reaper.domain.reason import Reason, because, together

#: Steps for which an owner's wish stands.
STANDS: Final = 15

#: Why a wish is given up for whose run no policy is any more.
NO_POLICY: Final = because("no-policy-any-more")

#: What is done: an owner who gives a run back does not want it requeued.
_RELEASE: Final = Rung(step="release")


def advance(case: Case, wish: OwnRelease, situation: Situation) -> Turn:
    """Release as soon as nothing forbids it; give up when that takes too long."""
    against = (*_taken(wish, situation), *refusals(situation))
    watched = situation.policy.mode is Mode.OBSERVE
    if watched or situation.now - wish.at > STANDS * situation.pace.step:
        return _given_up(case, _why(against or case.held_by, watched=watched))
    if against:
        return Turn(case=replace(case, held_by=against), refusals=against)
    return Turn(case=case, act=_RELEASE)


def refusals(situation: Situation) -> tuple[Refusal, ...]:
    """Return what forbids an owner's own release: holds, and a run of which nothing is known."""
    found = [
        Refusal(rule=hold.kind, reason=hold.reason, until=hold.until)
        for hold in situation.holds
        if hold.kind != LACKING
    ]
    if situation.verdict.kind is Kind.UNKNOWN:
        found.append(Refusal(rule="evidence", reason=situation.verdict.reason))
    return tuple(found)


def taken_back(case: Case, wish: OwnRelease, keep: Keep | None) -> Reason | None:
    """Say who took a wish back; nothing where its owner did it, who knows."""
    if keep is not None:
        return because("operator-keeps") if keep.by != wish.by else None
    return because("operator-disputes") if case.operator_disputes else None


def _taken(wish: OwnRelease, situation: Situation) -> tuple[Refusal, ...]:
    """Nobody gives back what is not theirs any more."""
    if situation.allocation.owner == wish.by:
        return ()
    return (Refusal(rule="owner", reason=because("not-theirs", who=wish.by)),)


def _why(against: tuple[Refusal, ...], *, watched: bool) -> Reason:
    """Return why a wish is given up."""
    if watched:
        return because("only-observes-now")
    refused = [one.said for one in against]
    return together(*refused) if refused else because("wish-not-begun")


def _given_up(case: Case, reason: Reason) -> Turn:
    """Forget the wish; a case that was opened for it alone is over."""
    left = replace(case, own_release=None, held_by=())
    close = "" if case.rung else "its owner's release was not done"
    return Turn(case=left, given_up=reason, close=close)
