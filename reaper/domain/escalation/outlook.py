"""
What comes next for an open case: the step, when at the earliest, and what it waits for.

Every surface quotes this one function: page, status, explain, API.
"""

from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation import final, telling
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.refusal import HOURS, refusals
from reaper.domain.escalation.situation import Situation
from reaper.domain.escalation.turn import Turn

WARNING: Final = "warning"
FINAL: Final = "final warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """
    The next step of a case ("" for none), and its earliest instant; None where that is unknown.

    `after` is the release that a final warning then allows; `held` are the reasons that stand
    against the step and that time alone does not clear by then.
    """

    step: str
    at: float | None = None
    held: tuple[Refusal, ...] = ()
    after: float | None = None
    spent: bool = False
    """The final notice that was told is good for no release any more."""


def outlook(case: Case, situation: Situation, turn: Turn) -> Outlook:
    """Look ahead from a case as a turn has left it."""
    spent = _spent(case, situation)
    step = _step(case, situation, spent=spent)
    standing = turn.refusals or _ahead(case, situation, step)
    at = _earliest(case, situation, standing)
    after = None
    if step == FINAL and situation.policy.acts:
        after = final.release_at(situation, told=max(situation.now, at or situation.now))
    against = {(one.rule, one.reason): one for one in (*case.held_by, *standing)}
    held = tuple(against.values())
    return Outlook(step=step, at=at, held=held, after=after, spent=spent)


def _spent(case: Case, situation: Situation) -> bool:
    """Tell whether the final notice was told, and can carry a release no more."""
    told = case.warned[-1] if case.warned else None
    over = len(case.warned) == len(situation.policy.warnings) and case.state is State.OPEN
    if not over or told is None or not situation.policy.acts or not situation.unused:
        return False
    return situation.keep is not None or final.term(told, case, situation) is None


def _step(case: Case, situation: Situation, *, spent: bool) -> str:
    warnings, acts = situation.policy.warnings, situation.policy.acts
    if case.rung < len(warnings) or spent:
        rung = warnings[min(case.rung, len(warnings) - 1)]
        return FINAL if rung.final else WARNING
    saved = case.saving is not None and case.saving.stands
    return acts[-1 if saved else 0].step if acts else ""


def _ahead(case: Case, situation: Situation, step: str) -> tuple[Refusal, ...]:
    """Return what stands against a step that is not due yet, and will not have passed by then."""
    if step in ("", WARNING):
        return telling.refusals(situation)
    at = situation.now if case.due is None else case.due
    later = (item for item in refusals(situation) if item.until is None or item.until > at)
    return tuple(item for item in later if step != FINAL or item.rule != HOURS)


def _earliest(case: Case, situation: Situation, standing: tuple[Refusal, ...]) -> float | None:
    """Return when all that stands against the next step may have passed."""
    if situation.keep is not None and not case.disputed:
        return situation.keep.until
    untils = [item.until for item in standing]
    if None in untils:
        return None
    known = (at for at in (*untils, case.due) if at is not None)
    return max(known, default=None)
