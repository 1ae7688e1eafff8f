"""What is known of a device's holder: its state, by whose word, and why it is unknown."""

from dataclasses import dataclass
from typing import Literal

State = Literal["held", "assigned", "free", "unknown"]
"""``held``: a process of an allocation has a context on it, seen by driver and kernel.
``assigned``: its scheduler gave it away, and no process has a context on it.
``free``: nobody holds it.  ``unknown``: the reason says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """One device's holder; `source` is ``driver``, ``kubelet``, ``scenario`` or ``none``."""

    gpu: str
    at: float
    state: State
    source: str
    reason: str = ""
