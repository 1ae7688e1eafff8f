"""Findings: what in the books contradicts itself; shown with the figures, never hidden in them."""

from dataclasses import dataclass
from typing import Final

OVERLAP: Final = "overlap"
"""Several exclusive holders on one device."""
BEYOND: Final = "beyond inventory"
"""More held than the scheduler's inventory has."""
PRICE: Final = "two prices"
"""Equally specific rates for the same GPU."""
STATE: Final = "unknown state"
"""A node in a state that has no meaning here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """
    How the books of a week agreed with a platform's own when the week was closed.

    Device-seconds; `theirs` is None where they could not be read, then `problem` says why.
    """

    source: str
    ours: float = 0.0
    theirs: float | None = None
    problem: str = ""

    @property
    def difference(self) -> float | None:
        """Return by which share of the platform's hours ours differ; None where it has none."""
        return (self.ours - self.theirs) / self.theirs if self.theirs else None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Finding:
    """One contradiction: its kind, the device or node, for how many seconds, in words."""

    kind: str
    subject: str
    seconds: float
    text: str
