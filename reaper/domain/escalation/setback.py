"""
Steps that were dropped at the last look: each is tried again, after longer and longer pauses.

A platform or a node that says no is not asked again every minute; pure.
"""

from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.decision import Refusal
from reaper.domain.facts.grid import Pace
from reaper.domain.reason import Words, because

#: Steps of the longest pause; the first takes two, each further one twice as many.
LONGEST: Final = 30

#: The rule that holds a case in a pause.
RULE: Final = "last look"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setback:
    """When (Unix seconds) and why a step was dropped last, and how often in a row by then."""

    at: float
    why: Words
    times: int = 1

    def again(self, pace: Pace) -> float:
        """Return when it is tried again; Unix seconds."""
        doubled = 1 << min(self.times, LONGEST)
        return self.at + min(doubled, LONGEST) * pace.step


def after(before: Setback | None, why: Words, at: float) -> Setback:
    """Return the setback of a step that was dropped once more."""
    return Setback(at=at, why=why, times=before.times + 1 if before else 1)


def refusals(setback: Setback | None, now: float, pace: Pace) -> tuple[Refusal, ...]:
    """Return what a setback has against a step now; nothing once its pause is over."""
    if setback is None or now >= setback.again(pace):
        return ()
    reason = because("dropped-in-a-row", why=setback.why, times=setback.times)
    return (Refusal(rule=RULE, reason=reason, until=setback.again(pace)),)
