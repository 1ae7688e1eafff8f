"""All that a case looks at in one turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice, Told
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.demand import Request
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.receivers import Catches
from reaper.domain.facts.sign import Presence
from reaper.domain.judgement.hours import ALWAYS, Shift
from reaper.domain.judgement.policy import Exemption, Policy
from reaper.domain.judgement.verdict import Kind, Verdict
from reaper.domain.reason import Reason, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that a case looks at in one turn."""

    now: float
    pace: Pace
    policy: Policy
    allocation: Allocation
    verdict: Verdict
    presence: Presence
    last_human: float | None = None
    notices: Sequence[Notice] = ()
    keep: Keep | None = None
    exemption: Exemption | None = None
    disputed: bool = False
    """Nobody has ruled yet on a dispute of the run, be it of an earlier case."""
    holds: Sequence[Hold] = ()
    active_minutes: int = 0
    """Minutes with an active device that the case has not counted yet."""
    counted_to: int = 0
    """The newest minute that `active_minutes` has looked at."""
    waiting: Sequence[Request] = ()
    """Pending requests that could start on these devices."""
    wanted: float | None = None
    """Since when some have waited without a break, as far as its case knows."""
    host_worked: float | None = None
    """When its host was at work last; None where it was not, as far as that is known."""
    told: Sequence[Told] = ()
    """What its owner was told of the run within a day, by this case and by earlier ones."""
    shift: Shift = ALWAYS
    """Its owner's working hours: those that last, or the next."""
    timely: float | None = None
    """From when on a grace that is longer than working hours ends in them; None for others."""
    hours_known: bool = True
    """Whether a directory has told when its owner works, or that it does not know."""
    observed_for: float = 0.0
    team_held: int = 0
    """GPUs that its team holds."""
    team_idle: int = 0
    """GPUs of its team that idled in the newest minute."""
    catches: Catches = field(default_factory=dict)
    """Which signals its receivers catch, by target; empty where not every node says so."""
    release_now: bool = False
    """The owner confirmed the release himself, and has not kept or disputed it since."""

    @property
    def working_hours(self) -> bool:
        """Tell whether its owner is at work now."""
        return self.shift.holds(self.now)

    @property
    def unused(self) -> bool:
        """Tell whether its owner is to be told of it; what goes on beside its GPUs is work, too."""
        if self.verdict.kind is Kind.HOST_BUSY:
            return Kind.HOST_BUSY in self.policy.also
        return self.verdict.is_idle and not self.verdict.works

    @property
    def within_quota(self) -> Reason | None:
        """Return which quota of the policy its team keeps within; None when it exceeds them all."""
        if self.policy.team_held_over is not None and self.team_held <= self.policy.team_held_over:
            return because("team-holds", held=self.team_held, allowed=self.policy.team_held_over)
        if self.policy.team_idle_over is not None and self.team_idle <= self.policy.team_idle_over:
            return because("team-idles", idle=self.team_idle, allowed=self.policy.team_idle_over)
        return None

    @property
    def idle(self) -> float:
        """
        Return for how many seconds the allocation is idle for its policy.

        In an interactive one a person's input resets the clock as work does.
        """
        idle = self.verdict.idle_for(self.now)
        if self.allocation.purpose is not Purpose.INTERACTIVE or self.last_human is None:
            return idle
        return min(idle, max(0.0, self.now - self.last_human))

    @property
    def rested(self) -> float:
        """
        Return for how many seconds it is idle for a last notice and for its release.

        All of the longest start-up is spared, though it worked before: an early sign of life
        brings no release forward.
        """
        grown = self.now - self.allocation.run.started - self.pace.startup
        return max(0.0, min(self.idle, grown))
