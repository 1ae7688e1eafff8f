"""The books of one cluster as they are read, the terms they are read by, and the answer."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from reaper.domain.facts.allocation import Run
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.money.figures import Figures, Key, total
from reaper.domain.money.findings import Finding
from reaper.domain.money.reclaim import CREDIT
from reaper.domain.money.spans import Span
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import RateCard


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """Where nodes stand, as rate cards speak of it; labels are ``key=value``."""

    nodes: tuple[str, ...] = ()
    """Shell-style patterns of their names."""
    site: str = ""
    labels: tuple[str, ...] = ()

    def holds(self, node: str) -> bool:
        """Tell whether a node stands here."""
        return any(fnmatchcase(node, pattern) for pattern in self.nodes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """
    Everything the books say of a span and of the margins around it.

    `tracks` are by device.  `one_witness` are the spans of a device in which only one family of
    witnesses said idle.  Order never matters.
    """

    cluster: str = ""
    tenures: tuple[Tenure, ...] = ()
    tracks: Mapping[str, Track] = field(default_factory=dict)
    capacity: tuple[CapacitySpan, ...] = ()
    events: tuple[Event, ...] = ()
    demand: tuple[DemandPoint, ...] = ()
    one_witness: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    places: tuple[Whereabouts, ...] = ()
    """The first that holds a node says where it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What figures depend on beside the books: prices, thresholds, the grid."""

    rates: RateCard = field(default_factory=RateCard)
    waits: Waits = field(default_factory=Waits)
    pace: Pace = NORMAL

    @property
    def version(self) -> str:
        """Return a digest of all terms."""
        text = f"{self.rates.version} {sorted(self.waits.by_purpose.items())} "
        text += f"{self.waits.otherwise} {self.pace}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def look_around(self) -> float:
        """Return how far beyond a span letters are needed, so that its edges are judged right."""
        return self.waits.longest + self.pace.startup

    @property
    def look_back(self) -> float:
        """Return how far before a span tenures, capacity and events are needed."""
        return CREDIT + self.look_around


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigures:
    """One run's figures in the span; `end` is None while it lasts, `longest` idle in seconds."""

    run: Run
    key: Key
    devices: int
    nodes: tuple[str, ...]
    begin: float
    end: float | None
    longest: float
    figures: Figures
    gpu: str = ""
    """The one device of which these are the figures, where they were asked by device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What a limit on a run's time had returned of idle ends, in device-seconds."""

    limit: float
    returned: float
    ended: int
    """Runs that were idle to their end by then."""
    working: int
    """Runs that still worked at that age: they would have to ask for longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """What the runs of a class in a partition left idle at their end, after which no work came."""

    purpose: str
    partition: str
    runs: int
    idle_runs: int
    windows: tuple[tuple[float, float], ...] = ()
    """Windows of idleness, each with the device-seconds that came after it."""
    limits: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """The figures of ``[begin, end)`` as known at `as_of`, by key, and what contradicts itself."""

    begin: float
    end: float
    as_of: float
    figures: Mapping[Key, Figures]
    total: Figures
    """The figures of the whole cluster: the sum over all keys."""
    runs: tuple[RunFigures, ...] = ()
    findings: tuple[Finding, ...] = ()
    tails: tuple[Tail, ...] = ()

    def by(self, *names: str) -> Mapping[tuple[str, ...], Figures]:
        """Return what was held, by some of the key's fields, in order of the names."""
        groups: dict[tuple[str, ...], list[Figures]] = defaultdict(list)
        for key, figures in self.figures.items():
            if figures.allocated or figures.reclaimed or figures.given_back:
                groups[tuple(str(getattr(key, name)) for name in names)].append(figures)
        return {group: total(groups[group]) for group in sorted(groups)}
