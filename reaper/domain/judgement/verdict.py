"""The answer of judgement: a kind, a one-line reason with its numbers, and until when it holds."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from reaper.domain.reason import Reason

Hosted = Literal["unmeasured", "quiet", "at work"]
"""What is known of the hosts at present: not measured is not quiet."""


class Kind(StrEnum):
    """What an allocation is doing, judged over all its devices and nodes."""

    BUSY = "busy"
    STARVED = "starved"
    PARTIAL = "partial"
    IDLE = "idle"
    EMPTY = "empty"
    HOST_BUSY = "idle, host busy"
    STALLED = "stalled"
    SUSPECT = "suspect"
    WARM = "warm"
    UNKNOWN = "unknown"


#: Kinds that a policy may release without naming them.
RELEASABLE = frozenset((Kind.IDLE, Kind.EMPTY))

#: Kinds in which nothing is done with the GPUs: their owners are told.
UNUSED = frozenset((*RELEASABLE, Kind.HOST_BUSY, Kind.WARM))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """
    What rules a release out at present, though the GPUs idle: its rule and its reason.

    While one stands nothing is released, and no notice may say that something will be.
    """

    rule: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """
    What an allocation is doing, since when, and why we say so.

    `since` is the begin of the unbroken idle stretch on all devices (None unless idle);
    `held_until` is when it must be judged again though its devices do nothing but work.
    """

    kind: Kind
    reason: Reason
    at: float
    held_until: float
    since: float | None = None
    idle_devices: int = 0
    devices: int = 0
    coverage: float = 1.0
    newest: float | None = None
    """End of the newest minute that every device has closed."""
    witnesses: tuple[str, ...] = ()
    host: Hosted = "quiet"
    """What its hosts do now; the letters before are in `kind` and `since`."""
    host_worked: float | None = None
    """When the newest minute ended in which its hosts worked; None where none is known."""
    hung_since: float | None = None
    """Since when its engines wait without any work; None unless it is stalled."""
    works: str = ""
    """What goes on now beside its GPUs (its host, a kernel); empty where nothing is known to."""
    bars: tuple[Bar, ...] = ()
    """What rules a release out at present, beyond its kind."""

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing is done with any of its GPUs, whatever its host does."""
        return self.kind in UNUSED

    def idle_for(self, now: float) -> float:
        """Return for how many seconds every device has been idle without a break."""
        return 0.0 if self.since is None else max(0.0, (self.newest or now) - self.since)
