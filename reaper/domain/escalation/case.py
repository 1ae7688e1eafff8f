"""The case: one idle allocation on its way up a policy's ladder; a pure state machine."""

from dataclasses import dataclass, field
from enum import StrEnum

from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.notice import Story
from reaper.domain.escalation.setback import Setback
from reaper.domain.facts.allocation import Run
from reaper.domain.reason import Words


class State(StrEnum):
    """
    Where a case stands.

    `planned` means that everything a release needs was there, outside act mode: it is
    recorded and not applied.
    """

    OPEN = "open"
    PLANNED = "planned"
    ACTING = "acting"
    VERIFYING = "verifying"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """
    A save that a case asked for, from its intent on; Unix seconds.

    From `asked` to `proven` whatever the allocation does is the save's own.  `lapsed` is when it
    was given up: what it had changed is then put back.
    """

    requeueable: bool
    """Whether the run could be requeued before: the save switches that off."""
    asked: float | None = None
    proven: float | None = None
    lapsed: float | None = None
    receipt: str = ""

    @property
    def stands(self) -> bool:
        """Tell whether it is proven, so that the release may follow."""
        return self.proven is not None and self.lapsed is None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRelease:
    """
    An owner's own confirmed wish that a run be released: when, why and by which channel.

    `credited` tells whether it counts as given back: the run was idle, or its owner was warned.
    `story` is what messages about it tell.
    """

    by: str
    at: float
    reason: str
    channel: str
    story: Story
    credited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """
    What a warning that has not arrived yet says by the newest turn; true `until` a Unix second.

    `against` is why it is not told now, "" where nothing stands against it.
    """

    story: Story
    until: float
    against: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """
    One idle allocation under one version of one policy.

    `rung` is the next rung to climb; `warned` holds when each warning was delivered, None for
    one still on its way; `extension` is the time in which we could not hear an answer.
    """

    id: str
    run: Run
    owner: str
    policy: str
    policy_version: str
    mode: str
    opened: float
    devices: int
    nodes: tuple[str, ...] = ()
    state: State = State.OPEN
    rung: int = 0
    round: int = 0
    """Grows each time the case returns to its final notice (a keep ended, an outage was long)."""
    kept: bool = False
    warned: tuple[float | None, ...] = field(default=())
    skipped: bool = False
    """Its first warning was left out: its owner was told of the same habit within a day."""
    saying: Saying | None = None
    """What its newest warning says now; None once that has arrived."""
    extension: float = 0.0
    deaf: float | None = None
    """For how long its person's answers cannot be heard by now; None while they can; seconds."""
    active_minutes: int = 0
    wanted: float | None = None
    """Since when jobs have waited for its GPUs without a break; None while none does."""
    judged_to: int = 0
    """The newest minute whose activity is counted in `active_minutes`."""
    attempts: int = 0
    setback: Setback | None = None
    """Its step was dropped at the last look, and is tried again after a pause."""
    intent_id: str = ""
    saving: Saving | None = None
    disputed: bool = False
    disputed_at: float | None = None
    operator_disputes: bool = False
    """It was an operator who disputed it last, not its owner."""
    escalated: bool = False
    """Its dispute has waited for so long that an operator was called."""
    own_release: OwnRelease | None = None
    """Its owner asked for the release himself."""
    limit: float | None = None
    """When its platform ends the run by itself, as it said last; Unix seconds."""
    due: float | None = None
    held_by: tuple[Refusal, ...] = ()
    closed: float | None = None
    outcome: str = ""
