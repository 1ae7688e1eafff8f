"""Whether a run can be asked to save itself, by which signal, and how long a save is good."""

from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.situation import Situation
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.receivers import Catches
from reaper.domain.judgement.policy import Rung, Save
from reaper.domain.reason import Reason, because

#: Signals whose handlers save, in the order in which they are tried (Lightning, submitit; shells).
#: Never INT: every Python and every bash catches it, to end.
USUAL: Final = ("USR1", "USR2")

#: Steps after its proof in which the release must begin; later the save is asked for anew.
GOOD_FOR: Final = 15

_TARGETS: Final = ("batch", "step")


def asked(save: Save, catches: Catches) -> tuple[str, str] | None:
    """Return the signal and who is to get it; None where no receiver of it catches it."""
    for signal in (save.signal,) if save.signal else USUAL:
        for target in (save.to,) if save.to else _TARGETS:
            if signal in catches.get(target, ()):
                return signal, target
    return None


def impossible(save: Save, situation: Situation) -> Reason | None:
    """Return why the run cannot be asked to save itself now; None when it can."""
    if situation.allocation.purpose is Purpose.INTERACTIVE:
        return because("session-unsignalled")
    if asked(save, situation.catches) is None:
        whom = save.to or "any"
        if save.signal:
            return because("signal-uncaught", signal=save.signal, whom=whom)
        return because("signals-uncaught", first=USUAL[0], second=USUAL[1], whom=whom)
    return None


def savable(situation: Situation) -> bool:
    """Tell whether its policy saves, and the run can be asked to."""
    saves = [rung.save for rung in situation.policy.acts if rung.save is not None]
    return any(impossible(save, situation) is None for save in saves)


def due(case: Case, situation: Situation) -> tuple[Rung, tuple[Refusal, ...]]:
    """Return the next act of a case, and what a save that cannot be had says against it."""
    acts = situation.policy.acts
    release = next((rung for rung in acts if rung.step == "release"), acts[-1])
    rung = next((item for item in acts if item.save is not None), None)
    if rung is None or rung.save is None:
        return release, ()
    if case.saving is not None and case.saving.stands:
        return release, _too_early(case, situation)
    reason = impossible(rung.save, situation)
    if reason is None:
        return rung, ()
    if rung.save.unproven == "release":
        return release, ()
    return rung, (Refusal(rule="save", reason=reason),)


def _too_early(case: Case, situation: Situation) -> tuple[Refusal, ...]:
    """A whole minute after the save must be known: what the run does now is its own again."""
    proven = case.saving.proven if case.saving else None
    newest, step = situation.verdict.newest, situation.pace.step
    known = proven is None or (newest is not None and newest - step >= proven)
    if known or proven is None:
        return ()
    return (
        Refusal(
            rule="save",
            reason=because("unknown-after-save"),
            until=proven + 2 * step,
        ),
    )


def lapsed(case: Case, situation: Situation) -> bool:
    """Tell whether a proven save is not followed by its release: what it changed is put back."""
    if case.saving is None or not case.saving.stands or case.saving.proven is None:
        return False
    late = situation.now - case.saving.proven > GOOD_FOR * situation.pace.step
    warned = case.rung >= len(situation.policy.warnings)
    return late or case.kept or case.disputed or not warned
