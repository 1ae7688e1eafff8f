"""Effects and intents: what is to be done to a platform, written down before it is done."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reaper.domain.facts.allocation import Run
from reaper.domain.judgement.policy import Save
from reaper.domain.reason import Reason, Words, because

#: Kind of the hold that stands while acting still needs something (a channel, a pinned CA).
LACKING: Final = "lacking"


class Verb(StrEnum):
    """What can be done to a run."""

    RELEASE = "release"
    SAVE = "save"
    RESTORE = "restore"


class Phase(StrEnum):
    """
    How far an intent has come.

    `planned` is recorded and never done (outside act mode); `intended` is written before the
    effect, `begun` after the platform took it; the others are outcomes.
    """

    PLANNED = "planned"
    INTENDED = "intended"
    BEGUN = "begun"
    DONE = "done"
    VERIFIED = "verified"
    FAILED = "failed"
    REVERTED = "reverted"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """
    One act on one run; adapters refuse it after `expires`.

    `id` is the idempotency key (case and attempt); `epoch` the leader that wanted it.
    """

    id: str
    case_id: str
    run: Run
    verb: Verb
    requeue: bool = False
    asked_by: str = ""
    """The owner who asked for it: then idleness, warnings and budgets are not what it rests on."""
    expires: float
    epoch: int = 0
    member_ids: tuple[str, ...] = ()
    limit: float | None = None
    """When the platform would have ended it by itself, as claimed when this was decided."""
    parting: float = 0.0
    """Seconds that its programs have when they are asked to end; 0 where nobody says."""
    requeueable: bool | None = None
    """Whether it could be requeued then; None where the claim's word was not written down."""
    former: str = ""
    """For a restore or a save: the receipt so far, which says what stood before."""
    flag_only: bool = False
    """For a restore: a save has changed the requeue flag, and nothing else."""
    save: Save | None = None
    """For a save: what proves it; `signal` goes to `target` (``batch`` or ``step``)."""
    signal: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """An effect with its fate; `receipt` is what the platform answered when it began."""

    effect: Effect
    phase: Phase
    created: float
    changed: float
    nodes: tuple[str, ...] = ()
    node_ids: tuple[str, ...] = ()
    """The ids by which nodes see the run."""
    owner: str = ""
    devices: int = 0
    receipt: str = ""
    error: Words = ""

    @property
    def open(self) -> bool:
        """Tell whether its outcome is still awaited."""
        return self.phase in (Phase.INTENDED, Phase.BEGUN, Phase.DONE)

    @property
    def spends(self) -> bool:
        """Tell whether it counts against the budgets: no owner's own act, nothing never begun."""
        if self.effect.verb is Verb.RESTORE or self.effect.asked_by:
            return False
        return self.phase is not Phase.DROPPED or bool(self.receipt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """
    Why something due is not done: the rule, why, and when to look again.

    `rule` is "" for what is only said to whoever reads, and is no rule's.
    """

    rule: str
    reason: Words
    until: float | None = None

    @property
    def said(self) -> Reason:
        """Return the rule and its reason as one reason."""
        return because("refused", rule=self.rule, reason=self.reason)


def scopes(key: str, name: str, nodes: Iterable[str], policy: str) -> frozenset[str]:
    """
    Return the scopes of the holds that stop an act on a run, by its key and what it is called.

    What it is called outlives it: a hold on that stops the next run of the same object too.
    """
    return frozenset(("", key, name, *nodes, *((f"policy:{policy}",) if policy else ())))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A standing stop: paused, killed, tripped or disputed; `scope` is "" for everything."""

    id: str
    kind: str
    reason: Words
    by: str
    begin: float
    until: float | None = None
    scope: str = ""
    """A run key, what a run is called, a node name, or "" for the whole cluster."""

    def stands(self, now: float) -> bool:
        """Tell whether it holds now."""
        return self.begin <= now and (self.until is None or now < self.until)
