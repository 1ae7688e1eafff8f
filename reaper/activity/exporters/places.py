"""
Where the numbers of one device stand among those of a page or of an engine's answers.

There are millions of them in a large cluster, so that what is kept of a device is one array.
"""

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, takewhile
from typing import Final

from exporter.contract import catalog
from exporter.contract.catalog import EDGES

#: Numbers of which a device has one each; the time of its sample first.
_SINGLE: Final = ("at", "joules", "memory_used", "power", "processes")


@dataclass(frozen=True, slots=True)
class Shape:
    """Which numbers a device has, in their order; devices are alike, so equal ones are one."""

    singles: tuple[str, ...]
    observed: tuple[str, ...]
    active: tuple[str, ...]
    edges: int
    links: tuple[str, ...]
    """A link stands once for each of its directions."""


@lru_cache(maxsize=1024)
def _shared(shape: Shape) -> Shape:
    return shape


@dataclass(frozen=True, slots=True)
class DevicePlan:
    """Where the numbers of a device's shape stand."""

    shape: Shape
    slots: "array[int]"

    @property
    def at(self) -> int | None:
        """Return where its sample's time stands."""
        return self.slots[0] if self.shape.singles[:1] == _SINGLE[:1] else None


@dataclass(slots=True)
class Places:
    """Where the numbers of a device were found so far."""

    singles: dict[str, int] = field(default_factory=dict)
    observed: dict[str, int] = field(default_factory=dict)
    active: dict[str, int] = field(default_factory=dict)
    above: dict[str, int] = field(default_factory=dict)
    links: list[tuple[str, int]] = field(default_factory=list)

    def plan(self) -> DevicePlan:
        """Return them in order; of the edges those of the wire up to the first that is missing."""
        singles = tuple(name for name in _SINGLE if name in self.singles)
        edges = tuple(takewhile(self.above.__contains__, EDGES))
        shape = Shape(
            singles=singles,
            observed=tuple(self.observed),
            active=tuple(self.active),
            edges=len(edges),
            links=tuple(link for link, _ in self.links),
        )
        slots = chain(
            map(self.singles.__getitem__, singles),
            self.observed.values(),
            self.active.values(),
            map(self.above.__getitem__, edges),
            (slot for _, slot in self.links),
        )
        return DevicePlan(_shared(shape), array("I", slots))


Put = Callable[[Places, str, int], None]
"""Writes down where a number stands: of which device, which of several, which slot."""


def _observed(of: Places, signal: str, slot: int) -> None:
    of.observed[signal] = slot


def _above(of: Places, edge: str, slot: int) -> None:
    of.above[edge] = slot


def _link(of: Places, link: str, slot: int) -> None:
    of.links.append((link, slot))


def _active(signal: str) -> Put:
    def put(of: Places, _: str, slot: int) -> None:
        of.active[signal] = slot

    return put


def _single(name: str) -> Put:
    def put(of: Places, _: str, slot: int) -> None:
        of.singles[name] = slot

    return put


#: What a device counts: the label that tells its numbers apart, if any, and where they go.
PLACES: Final[Mapping[str, tuple[str, Put]]] = {
    catalog.OBSERVED.name: ("signal", _observed),
    catalog.ACTIVITY_ABOVE.name: ("edge", _above),
    catalog.LINK_BYTES.name: ("link", _link),
    **{item.name: ("", _active(signal)) for signal, item in catalog.ACTIVE_COUNTERS.items()},
    catalog.SAMPLE_TIMESTAMP.name: ("", _single("at")),
    catalog.ENERGY.name: ("", _single("joules")),
    catalog.MEMORY_USED.name: ("", _single("memory_used")),
    catalog.POWER.name: ("", _single("power")),
    catalog.PROCESSES.name: ("", _single("processes")),
}
