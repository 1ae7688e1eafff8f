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


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Finding:
    """One contradiction: its kind, the device or node, for how many seconds, in words."""

    kind: str
    subject: str
    seconds: float
    text: str
