"""Notices: what an owner is told, and whether it arrived."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal

from reaper.domain.reason import Words


class Delivery(StrEnum):
    """
    The fate of a notice.

    `assumed` stands for "would have been sent" outside act mode; `ambiguous` for a time-out
    after which nobody knows, so that it is not repeated blindly; `returned` for what a channel
    took and then brought back, so that it never counts.
    """

    QUEUED = "queued"
    DELIVERED = "delivered"
    FAILED = "failed"
    AMBIGUOUS = "ambiguous"
    ASSUMED = "assumed"
    RETURNED = "returned"


#: Wait before a notice of unknown fate is sent once more, four times as long after each; seconds.
_UNSURE: Final = 300.0
_LONGEST_UNSURE: Final = 86400.0

#: No other wait for a next attempt is longer; seconds.
_LONGEST: Final = 3600.0

UNSETTLED: Final = (Delivery.QUEUED, Delivery.AMBIGUOUS)
"""Fates of notices that are tried again: a person who may have got it gets it once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """
    The numbers of a verdict and a case that a message tells; the same object everywhere.

    Instants in Unix seconds; `release_at` is None where nothing will be released, and `would`
    is True outside act mode: texts then say "would be".
    """

    allocation: str
    user: str
    name: str
    nodes: tuple[str, ...]
    devices: int
    model: str
    purpose: str
    verdict: str
    reason: Words
    idle_since: float
    idle_seconds: float
    policy: str
    would: bool
    cost_per_hour: float | None = None
    currency: str = ""
    release_at: float | None = None
    conditions: tuple[str, ...] = ()
    """Rules that stand against its release as it is told, by name."""
    acts: bool = False
    """Its policy releases: where `release_at` is None, a last notice comes first."""
    keep_seconds: float = 0.0
    keeps_left: int = 0
    mornings_left: int = 0
    """How often this week it may still be kept until the next working morning."""
    can_save: bool = False
    requeue: bool = False
    parting: float = 0.0
    """Seconds that its programs have when they are asked to end; 0 where nobody says."""
    hooked: bool = False
    """A hook of its own runs before they are asked."""
    back: str = ""
    """The command by which its owner starts it again after a release, "" where there is none."""
    outcome: Words = ""
    own: bool = False
    """Its owner asked for what happened."""
    page: str = ""
    """Address of the page that explains it, where one is configured."""
    spare: float = 0.0
    """GPUs, or parts of one, that could go; of advice alone."""
    seen_at: float | None = None
    """When it was so, where it is told later."""
    late: bool = False
    """It could not be told when it was due: what it says is of now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How the newest attempt on one channel ended, at a Unix second, and why it failed."""

    channel: str
    delivery: Delivery
    at: float
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """
    That an owner was warned of a run: when (Unix seconds), and whether it was the last time.

    What is `assumed`, under a policy that only observes, was told to nobody.
    """

    at: float
    final: bool
    assumed: bool = False


NoticeKind = Literal["warning", "final", "released", "reverted", "failed", "operator", "advice"]


def advice_on(run_key: str) -> str:
    """Return what advice on a run has in place of a case, so that no case knows of it."""
    return f"advice:{run_key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """
    One notice to one person about one step of a case.

    `id` is unique for case, kind, rung and round.
    `personal` tells whether the channel that took it reaches the person alone: only such a
    delivery counts.
    """

    id: str
    case_id: str
    run_key: str
    to: str
    kind: NoticeKind
    rung: int
    round: int = 0
    story: Story
    created: float
    delivery: Delivery = Delivery.QUEUED
    channel: str = ""
    personal: bool = False
    delivered_at: float | None = None
    handle: str = ""
    """What the channel needs to find it again (a Slack timestamp, a message id)."""
    attempts: int = 0
    repeats: bool = False
    """The fate of an earlier attempt is unknown: it may arrive twice, and the text says so."""
    retry_at: float | None = None
    error: Words = ""
    trials: tuple[Trial, ...] = ()
    """Every channel that was tried, in the order of the newest attempts."""
    together: tuple[str, ...] = ()
    """Ids of the other cases whose notices came in the same message."""
    told: str = ""
    """What its message was changed to say since, as the mark of a sequel."""

    @property
    def counts(self) -> bool:
        """Tell whether it is proven to have reached the person."""
        return self.delivery is Delivery.DELIVERED and self.personal

    def delivered(self, *, channel: str, at: float, personal: bool, handle: str) -> "Notice":
        """Return the notice as delivered."""
        return replace(
            self,
            delivery=Delivery.DELIVERED,
            channel=channel,
            delivered_at=at,
            personal=personal,
            handle=handle,
            error="",
        )

    @property
    def unsure_for(self) -> float:
        """Return how long it waits when its fate is unknown: it may arrive each time."""
        return min(_UNSURE * 4.0 ** min(self.attempts - 1, 9), _LONGEST_UNSURE)

    def due(self, now: float) -> bool:
        """
        Tell whether it is to be tried now.

        It is, too, where its time lies further ahead than any wait: the clock was set back.
        Advice waits for somebody's work to begin, which is a time of the day.
        """
        at = self.retry_at
        if at is None or at <= now:
            return True
        longest = self.unsure_for if self.delivery is Delivery.AMBIGUOUS else _LONGEST
        return self.kind != "advice" and at - now > longest

    def tried(self, trial: Trial) -> "Notice":
        """Return the notice with how an attempt on a channel ended, in place of the one before."""
        others = tuple(one for one in self.trials if one.channel != trial.channel)
        return replace(self, trials=(*others, trial))

    def fate(self, channel: str) -> Delivery | None:
        """Return how the newest attempt on a channel ended; None where there was none."""
        return next((one.delivery for one in self.trials if one.channel == channel), None)

    def returned(self, *, at: float, why: str) -> "Notice":
        """Return the notice as brought back by its channel: others are tried at once."""
        trial = Trial(channel=self.channel, delivery=Delivery.RETURNED, at=at, error=why)
        queued = replace(
            self, delivery=Delivery.QUEUED, personal=False, delivered_at=None, retry_at=at
        )
        return replace(queued.tried(trial), error=f"{self.channel}: {why}")
