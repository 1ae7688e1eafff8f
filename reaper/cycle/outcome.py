"""What became of begun acts, and what a silence of ours means for open cases; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Hold, Intent, Phase
from reaper.domain.escalation.ladder import back_to_final
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Policy

#: Steps of silence of ours after which open cases get their final notice again.
_LONG_OUTAGE: Final = 10

#: Steps without a cycle that are no outage.
_LATE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A case moved by its intent's fate; `hold` stops what failed from being tried again."""

    case: Case
    event: str = ""
    text: str = ""
    hold: Hold | None = None


def follow(case: Case, intent: Intent | None, now: float) -> Followed:
    """Move a case that acts or verifies by the phase of its intent."""
    if intent is None:
        return Followed(case=replace(case, state=State.OPEN, intent_id=""))
    if intent.phase in (Phase.BEGUN, Phase.DONE):
        return Followed(case=replace(case, state=State.VERIFYING))
    if intent.phase is Phase.VERIFIED:
        closed = _closed(case, now, "released")
        return Followed(case=closed, event="verified", text=f"{case.run} is gone: released")
    if intent.phase in (Phase.FAILED, Phase.REVERTED):
        text = f"{case.run}: release {intent.phase}: {intent.error}"
        hold = Hold(
            id=f"{intent.phase}:{case.run.key}",
            kind=str(intent.phase),
            reason=text,
            by="gpu-reaper",
            begin=now,
            scope=case.run.key,
        )
        closed = _closed(case, now, str(intent.phase))
        return Followed(case=closed, event=str(intent.phase), text=text, hold=hold)
    if intent.phase is Phase.DROPPED:
        opened = replace(case, state=State.OPEN, intent_id="", attempts=case.attempts + 1)
        return Followed(case=opened, event="dropped", text=f"{case.run}: {intent.error}")
    return Followed(case=case)


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
    if silence <= _LATE * pace.step:
        return dict(cases)
    moved = {}
    for key, case in cases.items():
        policy = policies.get(case.policy)
        longer = replace(case, extension=case.extension + silence)
        again = policy is not None and silence > _LONG_OUTAGE * pace.step
        moved[key] = back_to_final(longer, policy) if again and policy else longer
    return moved


def _closed(case: Case, now: float, outcome: str) -> Case:
    return replace(case, state=State.CLOSED, closed=now, outcome=outcome, due=None)
