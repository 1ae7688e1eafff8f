"""How runs ended, as a platform remembers them for a while."""

from dataclasses import dataclass

from reaper.domain.facts.allocation import Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A run with GPUs that is over; `outcome` in the words of recorded jobs."""

    key: str
    """Its `Run.key`."""
    outcome: str
    partition: str = ""
    purpose: Purpose = Purpose.OTHER
    at: float | None = None
    """When it ended; None where the platform does not say."""
