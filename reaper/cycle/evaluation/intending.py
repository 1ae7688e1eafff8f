"""From a rung that is due to the intent that is written down before anything is done; pure."""

from dataclasses import replace
from typing import Final

from reaper.cycle.item import Item
from reaper.domain.escalation.case import Case, Saving, State
from reaper.domain.escalation.decision import Effect, Intent, Phase, Verb
from reaper.domain.escalation.saving import asked
from reaper.domain.judgement.policy import Mode, Rung

#: An intent that was not begun within this many seconds after its re-check is dropped.
EXPIRES: Final = 60.0

#: Kind of the event of a release that its owner asked for.
OWN_INTENDED: Final = "owner's release intended"


def intended(item: Item, case: Case, now: float, epoch: int) -> tuple[Case, Intent, str]:
    """Return the case with its intent, the intent, and the kind of the event that tells of it."""
    rung = item.turn.act if item.turn else None
    effect = _effect(item, case, rung, now, epoch)
    allowed = (Mode.NOTIFY, Mode.ACT) if effect.asked_by else (Mode.ACT,)
    acts = item.policy is not None and item.policy.mode in allowed
    intent = Intent(
        effect=effect,
        phase=Phase.INTENDED if acts else Phase.PLANNED,
        created=now,
        changed=now,
        nodes=item.allocation.nodes,
        node_ids=item.allocation.claim.node_ids or (item.allocation.run.id,),
        owner=item.allocation.owner,
        devices=item.allocation.expected,
    )
    saves = effect.verb is Verb.SAVE
    would = "would have been asked to save itself" if saves else "would have been released"
    moved = replace(
        case,
        state=State.ACTING if acts else State.PLANNED,
        intent_id=effect.id,
        saving=Saving(requeueable=item.allocation.claim.requeueable) if saves else case.saving,
        outcome="" if acts else would,
        held_by=(),
    )
    if effect.asked_by:
        return moved, intent, OWN_INTENDED
    return moved, intent, f"{effect.verb} intended" if acts else f"would {effect.verb}"


def undoing(case: Case, saving: Saving, now: float) -> Intent:
    """Return the intent that puts back what a save has changed on a run that is not released."""
    effect = Effect(
        id=f"{case.id}#{case.attempts}/undo",
        case_id=case.id,
        run=case.run,
        verb=Verb.RESTORE,
        expires=now + EXPIRES,
        requeueable=saving.requeueable,
        flag_only=True,
    )
    return Intent(
        effect=effect,
        phase=Phase.INTENDED,
        created=now,
        changed=now,
        nodes=case.nodes,
        owner=case.owner,
        devices=case.devices,
    )


def _effect(item: Item, case: Case, rung: Rung | None, now: float, epoch: int) -> Effect:
    claim = item.allocation.claim
    save = rung.save if rung else None
    catches = item.situation.catches if item.situation else {}
    signal, target = (asked(save, catches) if save else None) or ("", "")
    return Effect(
        id=f"{case.id}#{case.attempts}",
        case_id=case.id,
        run=item.allocation.run,
        verb=Verb.SAVE if save else Verb.RELEASE,
        requeue=bool(rung and rung.requeue),
        asked_by=case.own_release.by if case.own_release else "",
        expires=now + EXPIRES,
        epoch=epoch,
        member_ids=claim.members,
        limit=claim.limit,
        parting=claim.parting,
        requeueable=claim.requeueable,
        save=save,
        signal=signal,
        target=target,
    )
