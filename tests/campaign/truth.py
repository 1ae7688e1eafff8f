"""What really happens in a cluster, minute by minute, and what of it any signal shows."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

HOUR: Final = 60
DAY: Final = 1440

Span = tuple[int, int]
"""Minutes from the start, half open."""

Use = Literal["use", "pause", "left", "abandoned", "waste"]
"""
Of what use an allocation is: `use` now; in a `pause` its person comes back within two hours;
`left` for the night; `abandoned` for ever; `waste` works for nobody.
"""

#: Sessions whose last input is known, so that their person can be proven away.
PROVABLE: Final = ("shell", "tmux", "screen", "jupyter", "code-server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """
    What an allocation does for some minutes, and of what use that is.

    `letter` is what its GPUs do, `cores`, `waits` and `network` what its processes do on the
    host; in a `busy` one its kernel computes, in a `served` one it answers requests.
    """

    begin: int
    end: int
    what: str
    use: Use
    letter: str = "H"
    cores: float = 0.0
    waits: float = 0.0
    network: float = 0.0
    busy: bool = False
    served: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One allocation: whose, where, what it does, when its person typed."""

    id: str
    user: str
    purpose: str
    places: tuple[tuple[int, int], ...]
    begin: int
    end: int | None
    doings: tuple[Doing, ...]
    session: str = ""
    inputs: tuple[int, ...] = ()
    measured: bool = True
    """Whether anything measures what it does on its hosts."""
    counted: bool = False
    """Whether anything counts its requests."""
    suspended: tuple[Span, ...] = ()
    keeps: tuple[tuple[int, int], ...] = ()
    """When its owner keeps it, and for how many minutes."""
    reached: bool = True
    """Whether notices reach its owner."""
    requeueable: bool = False

    @property
    def gpus(self) -> int:
        """Return how many GPUs it holds."""
        return len(self.places)

    @property
    def nodes(self) -> frozenset[int]:
        """Return the nodes it is on."""
        return frozenset(node for node, _ in self.places)

    def doing(self, minute: int) -> Doing | None:
        """Return what it does in a minute; None before it begins and after it ended."""
        place = bisect_right(self.doings, minute, key=lambda one: one.begin) - 1
        found = self.doings[place] if place >= 0 else None
        return found if found is not None and minute < found.end else None

    def typed(self, begin: int, end: int) -> bool:
        """Tell whether its person typed in ``[begin, end)``."""
        place = bisect_left(self.inputs, begin)
        return place < len(self.inputs) and self.inputs[place] < end


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """
    Something that fails for some minutes: exporters, the scheduler, the reaper, the channel.

    `of` is also `pause` (an operator stops acts), or a signal of a node that is not there: `host`,
    `people`, `profiling`.
    """

    of: str
    begin: int
    end: int
    node: int | None = None

    def hides(self, held: Held, minute: int) -> bool:
        """Tell whether it concerns an allocation in a minute."""
        here = self.node is None or self.node in held.nodes
        return here and self.begin <= minute < self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A cluster with its truth; `gpus` by node, lengths in minutes."""

    seed: int
    start: datetime
    length: int
    gpus: tuple[int, ...]
    held: tuple[Held, ...]
    troubles: tuple[Trouble, ...] = ()
    waiting: tuple[tuple[int, int], ...] = ()
    """From when on how many GPUs are waited for."""
    hours: tuple[int, int] = field(default=(9, 18))

    def at(self, minute: int) -> datetime:
        """Return the time of a minute."""
        return self.start + timedelta(minutes=minute)

    def working(self, minute: int) -> bool:
        """Tell whether a minute lies in working hours."""
        at = self.at(minute)
        return at.weekday() < 5 and self.hours[0] <= at.hour < self.hours[1]

    def waited(self, minute: int, gpus: int) -> bool:
        """Tell whether a job that could start on so many GPUs waits in a minute."""
        wanted = [count for at, count in self.waiting if at <= minute]
        return bool(wanted) and 0 < wanted[-1] <= gpus

    def hidden(self, held: Held, minute: int, *of: str) -> bool:
        """Tell whether some kind of trouble hides something of an allocation in a minute."""
        return any(one.of in of and one.hides(held, minute) for one in self.troubles)
