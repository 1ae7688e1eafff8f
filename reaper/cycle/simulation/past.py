"""The past as a simulation reads it: runs, letters, demand; pure."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reaper.domain.escalation.keep import Keep
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.demand import Request
from reaper.domain.facts.host import Host
from reaper.domain.facts.serving import Service
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.track import Track

Signs = Callable[[float], tuple[Sign, ...]]
"""Returns what was seen of people at an instant."""


def nobody(now: float) -> tuple[Sign, ...]:
    """Return no sign: what was seen of people is not kept."""
    del now
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """
    One run: who held what from `begin` to `end` (None: longer than is known), Unix seconds.

    `marks` are the instants at which its signs, host or requests change; `ended_by_us` is when a
    reaper ended it, so that what came after is not known.
    """

    allocation: Allocation
    begin: float
    end: float | None
    signs: Signs = nobody
    marks: Sequence[float] = ()
    host: Host | None = None
    service: Service | None = None
    ended_by_us: float | None = None
    keeps: tuple[Keep, ...] = ()

    @property
    def key(self) -> str:
        """Return the run's key."""
        return self.allocation.run.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """
    All runs of ``[begin, end)``, the letters of their devices, and what waited.

    `waiting` are the requests from each instant on, in order.
    """

    begin: float
    end: float
    runs: tuple[PastRun, ...]
    tracks: Mapping[str, Track]
    waiting: Sequence[tuple[float, tuple[Request, ...]]] = ()
    _since: list[float] = field(default_factory=list, repr=False)

    def waited(self, now: float) -> tuple[Request, ...]:
        """Return the requests that waited at an instant."""
        place = bisect_right(self._instants(), now)
        return self.waiting[place - 1][1] if place else ()

    def changes_after(self, now: float) -> float | None:
        """Return when what waits changes next; None for never."""
        instants = self._instants()
        place = bisect_right(instants, now)
        return instants[place] if place < len(instants) else None

    def _instants(self) -> list[float]:
        if len(self._since) != len(self.waiting):
            self._since[:] = [at for at, _ in self.waiting]
        return self._since
