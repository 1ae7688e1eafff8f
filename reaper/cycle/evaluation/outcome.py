"""What became of begun acts, and what a silence of ours means for open cases; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from reaper.domain.escalation.case import Case, OwnRelease, Saving, State
from reaper.domain.escalation.decision import Hold, Intent, Phase, Refusal, Verb
from reaper.domain.escalation.ladder import back_to_final
from reaper.domain.escalation.setback import after
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Policy
from reaper.domain.money.entries import GIVEN_BACK, OWN_END
from reaper.domain.reason import Reason, Words, because

#: Steps of silence of ours after which open cases get their final notice again.
LONG_OUTAGE: Final = 10

#: Kinds of events: a save is proven, or was asked for and is not.
SAVED: Final = "saved"
UNSAVED: Final = "not saved"

#: Steps without a cycle that are no outage.
LATE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """
    A case moved by its intent's fate; `hold` stops what failed from being tried again.

    `undo` is a save whose fate nobody knows: what it may have changed is put back.
    """

    case: Case
    event: str = ""
    text: Words = ""
    by: str = ""
    """Whose doing it is; empty for ours."""
    hold: Hold | None = None
    undo: Saving | None = None


def follow(case: Case, intent: Intent | None, now: float) -> Followed:
    """Move a case that acts or verifies by the phase of its intent."""
    if intent is None:
        lost = replace(case, state=State.OPEN, intent_id="", saving=_given_up(case, now))
        return Followed(case=lost, undo=case.saving)
    if intent.effect.verb is Verb.SAVE:
        return _follow_save(case, intent, now)
    if intent.phase in (Phase.BEGUN, Phase.DONE):
        return Followed(case=replace(case, state=State.VERIFYING, setback=None))
    if intent.phase is Phase.VERIFIED and case.own_release is not None:
        return _given_back(case, case.own_release, now)
    if intent.phase is Phase.VERIFIED:
        closed = _closed(case, now, "released")
        return Followed(case=closed, event="verified", text=because("released", run=str(case.run)))
    if intent.phase in (Phase.FAILED, Phase.REVERTED):
        failed = intent.phase is Phase.FAILED
        text = because(
            "release-failed" if failed else "release-reverted",
            run=str(case.run),
            error=intent.error,
        )
        return _stopped(case, now, str(intent.phase), text)
    if intent.phase is Phase.DROPPED:
        opened = replace(case, state=State.OPEN, intent_id="", attempts=case.attempts + 1)
        return _dropped(opened, intent, now)
    return Followed(case=case)


def _dropped(opened: Case, intent: Intent, now: float) -> Followed:
    """Return a case whose step was dropped: after a pause it is tried again, an owner's at once."""
    own = opened.own_release is not None
    held = replace(
        opened,
        setback=None if own else after(opened.setback, intent.error, now),
        held_by=(Refusal(rule="dropped", reason=intent.error),),
    )
    return Followed(
        case=held,
        event="dropped",
        text=because("step-dropped", run=str(opened.run), error=intent.error),
    )


def _given_back(case: Case, asked: OwnRelease, now: float) -> Followed:
    """Close the case of a run that its owner gave back: the reaper takes no credit for it."""
    kind = GIVEN_BACK if asked.credited else OWN_END
    text = because("gone-as-asked", run=str(case.run), who=asked.by)
    return Followed(case=_closed(case, now, kind), event=kind, text=text, by=asked.by)


def _follow_save(case: Case, intent: Intent, now: float) -> Followed:
    """Move a case that asked for a save; the release may follow only a proven one."""
    saving = case.saving or Saving(requeueable=bool(intent.effect.requeueable))
    again = replace(case, state=State.OPEN, intent_id="", attempts=case.attempts + 1)
    if intent.phase is Phase.BEGUN:
        asked = replace(saving, asked=intent.changed, receipt=intent.receipt)
        return Followed(case=replace(case, state=State.VERIFYING, saving=asked, setback=None))
    if intent.phase is Phase.DROPPED:
        return _dropped(replace(again, saving=_given_up(case, now)), intent, now)
    if intent.phase not in (Phase.VERIFIED, Phase.FAILED):
        return Followed(case=case)
    asked_at = saving.asked if saving.asked is not None else intent.created
    over = replace(saving, asked=asked_at, proven=intent.changed, receipt=intent.receipt)
    if intent.phase is Phase.VERIFIED:
        text = because("saved-itself", run=str(case.run))
        return Followed(case=replace(again, saving=over), event=SAVED, text=text)
    text = because("save-unproven", run=str(case.run), error=intent.error)
    if intent.effect.save is not None and intent.effect.save.unproven == "release":
        return Followed(case=replace(again, saving=over), event=UNSAVED, text=text)
    return _stopped(replace(case, saving=None), now, UNSAVED, text)


def _given_up(case: Case, now: float) -> Saving | None:
    return replace(case.saving, lapsed=now) if case.saving else None


def _stopped(case: Case, now: float, kind: str, text: Reason) -> Followed:
    """
    Close a case whose act came to nothing, and hold its run until an operator has looked.

    What was started again is held by what it is called: whoever did that would do it again.
    """
    hold = Hold(
        id=f"{kind}:{case.run.key}",
        kind=kind,
        reason=text,
        by="gpu-reaper",
        begin=now,
        scope=str(case.run) if kind == Phase.REVERTED else case.run.key,
    )
    return Followed(case=_closed(case, now, kind), event=kind, text=text, hold=hold)


def after_silence(
    cases: Mapping[str, Case],
    policies: Mapping[str, Policy],
    *,
    heartbeat: float | None,
    now: float,
    pace: Pace,
) -> dict[str, Case]:
    """
    Return the open cases with the time added in which no answer could reach us.

    After a long silence each returns to its final notice and gets a full grace again.
    """
    silence = now - heartbeat if heartbeat is not None else 0.0
    if silence <= LATE * pace.step:
        return dict(cases)
    moved = {}
    for key, case in cases.items():
        policy = policies.get(case.policy)
        longer = replace(case, extension=case.extension + silence)
        again = policy is not None and silence > LONG_OUTAGE * pace.step
        moved[key] = back_to_final(longer, policy) if again and policy else longer
    return moved


def _closed(case: Case, now: float, outcome: str) -> Case:
    return replace(case, state=State.CLOSED, closed=now, outcome=outcome, due=None)
