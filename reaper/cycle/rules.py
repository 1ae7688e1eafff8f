"""What an operator configured, as the cycle reads it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.interlock import Bounds
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.thresholds import DEFAULT, Thresholds
from reaper.domain.judgement.policy import Exemption, Policy

#: Returns the price of one GPU-hour of an allocation, None where unpriced.
Price = Callable[[Allocation, float], float | None]


def unpriced(allocation: Allocation, now: float) -> None:
    """Return no price: without a rate card nothing is priced."""
    del allocation, now


def always_utc(name: str) -> tzinfo:
    """Return UTC for every zone name, where no zone database is at hand."""
    del name
    return UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything that decides, apart from the facts."""

    cluster: str
    policies: tuple[Policy, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    limits: Limits = field(default_factory=Limits)
    bounds: Bounds = field(default_factory=Bounds)
    pace: Pace = NORMAL
    thresholds: Thresholds = DEFAULT
    price: Price = unpriced
    currency: str = ""
    zone: Callable[[str], tzinfo] = always_utc
    page: str = ""
    """Address of the page, for messages."""
    back: Mapping[str, str] = field(default_factory=dict)
    """By platform, the command that starts a released run again, with ``{id}`` for its id."""
    lacking: str = ""
    """What acting still needs, in words; while it is not empty nothing acts."""
    kill_switch: Callable[[], bool] = lambda: False
    """Tells whether the kill switch (a file) is set."""

    @property
    def ages(self) -> frozenset[float]:
        """Return the ages at which an allocation begins to be matched by some rule."""
        matches = (
            *(policy.match for policy in self.policies),
            *(exemption.match for exemption in self.exemptions),
        )
        return frozenset(match.older_than for match in matches if match.older_than)
