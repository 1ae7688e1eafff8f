"""The grid of minutes and the pace at which the system lives."""

from dataclasses import dataclass
from math import ceil, floor
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """
    The few durations that tests shorten together; seconds.

    A configuration file cannot set it, and every output prints a pace that is not the normal one.
    """

    step: float = 60.0
    """One minute of the grid; a letter each."""
    startup: float = 1200.0
    """Longest time in which a young allocation's idleness does not count."""
    verify: float = 900.0
    """After an act, how long before "gone and not recreated" is believed."""
    observe: float = 7 * 86400.0
    """How long a policy version must have been observed before it may act."""

    @property
    def unseen(self) -> float:
        """Return how much of a step may be unseen before its minute is ``?``: 5 %."""
        return self.step * 0.05

    @property
    def fresh(self) -> float:
        """Return how old the newest closed minute may be for an act: three steps."""
        return self.step * 3

    def is_fresh(self, age: float) -> bool:
        """
        Tell whether something so old is new enough for an act.

        More than a step below zero is no age at all: a clock was set back since.
        """
        return -self.step <= age <= self.fresh

    def minute(self, at: float) -> int:
        """Return the minute that holds the instant: minute n covers ``(n*step, (n+1)*step]``."""
        return ceil(at / self.step) - 1

    def begins(self, minute: int) -> float:
        """Return the instant at which a minute begins."""
        return minute * self.step

    def ends(self, minute: int) -> float:
        """Return the instant at which a minute ends."""
        return (minute + 1) * self.step

    def closed(self, now: float) -> int:
        """Return the newest minute that has ended by `now`."""
        return floor(now / self.step) - 1

    def steps(self, duration: float) -> int:
        """Return how many whole minutes cover a duration."""
        return ceil(duration / self.step)

    @property
    def normal(self) -> bool:
        """Tell whether this is the pace of a real cluster."""
        return self == NORMAL


NORMAL: Final = Pace()
