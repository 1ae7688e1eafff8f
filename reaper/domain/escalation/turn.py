"""What one turn decided about a case."""

from dataclasses import dataclass

from reaper.domain.escalation.case import Case, Saving
from reaper.domain.escalation.decision import Refusal
from reaper.domain.judgement.policy import Rung
from reaper.domain.reason import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn decided: the case as it stands, and at most one thing wanted."""

    case: Case
    warn: Rung | None = None
    act: Rung | None = None
    close: str = ""
    given_up: Reason | None = None
    """Why the release that its owner asked for is not tried any more."""
    undo: Saving | None = None
    """A proven save that no release follows: what it has changed is put back."""
    refusals: tuple[Refusal, ...] = ()
