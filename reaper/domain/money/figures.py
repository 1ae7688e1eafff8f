"""
Figures: sums over a span for one key, which add with ``+``.

Every figure is a numerator in device-seconds (a card for one second is one), so that figures of
devices, owners and days add up to those of clusters and weeks; ratios are taken last.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import fsum
from typing import Final

from reaper.domain.prices.amounts import NOTHING, Amounts, added

ALLOCATED: Final = ("active", "low", "idle", "startup", "unknown")
"""The states of a GPU that somebody holds."""

FREE: Final = ("down", "drained", "reserved", "unallocated", "stranded")
"""The states of a GPU that nobody holds, in the order in which they take precedence."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Key:
    """Whose figures; `purpose` is empty and `owner` too for GPUs that nobody holds."""

    cluster: str = ""
    owner: str = ""
    team: str = ""
    purpose: str = ""
    model: str = ""
    partition: str = ""
    site: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What figures cost, by currency, unrounded; only of hours that have a price."""

    allocated: Amounts = field(default=NOTHING)
    idle: Amounts = field(default=NOTHING)
    wasted: Amounts = field(default=NOTHING)
    """The low end of the range."""
    high: Amounts = field(default=NOTHING)
    """The high end: wasted, recomputed with unknown taken as idle."""
    avoidable: Amounts = field(default=NOTHING)
    reclaimed: Amounts = field(default=NOTHING)
    reused: Amounts = field(default=NOTHING)
    cash: Amounts = field(default=NOTHING)

    def __add__(self, other: "Costs") -> "Costs":
        return Costs(**{name: getattr(self, name) + getattr(other, name) for name in _COSTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Device-seconds by state, what of them was wasted and came back, and what that costs."""

    calendar: float = 0.0
    """Every GPU of the inventory; only in the figures of GPUs that nobody holds, and in totals."""
    active: float = 0.0
    low: float = 0.0
    engine_only: float = 0.0
    """The part of `low` with a busy engine but no SM, tensor or memory work."""
    idle: float = 0.0
    startup: float = 0.0
    unknown: float = 0.0
    down: float = 0.0
    drained: float = 0.0
    reserved: float = 0.0
    unallocated: float = 0.0
    stranded: float = 0.0
    wasted: float = 0.0
    """Idle in stretches of the threshold or longer, with two witnesses where these were asked."""
    partial: float = 0.0
    """The part of `wasted` while another device of the same run was not wasted."""
    one_witness: float = 0.0
    """The same with a single witness; apart from `wasted`, part of `high`."""
    high: float = 0.0
    """Waste recomputed with unknown taken as idle, so that stretches join."""
    joined: float = 0.0
    """The part of `high` that was seen idle, in stretches that only unseen time keeps too short."""
    avoidable: float = 0.0
    """Wasted after the policy in force could have released."""
    reclaimed: float = 0.0
    """Upper bound of what a release gave back."""
    given_back: float = 0.0
    """The same for releases by the owner after a warning."""
    reused: float = 0.0
    """Lower bound: work of other owners on reclaimed devices while no other was free."""
    cash: float = 0.0
    """Reclaimed on nodes paid by the hour, after the node ended."""
    idle_while_waiting: float = 0.0
    """Idle in minutes in which a request waited for GPUs."""
    unpriced: float = 0.0
    """Allocated without a price."""
    costs: Costs = field(default_factory=Costs)

    def __add__(self, other: "Figures") -> "Figures":
        return total((self, other))

    @property
    def allocated(self) -> float:
        """Return what was held."""
        return sum(self.of(ALLOCATED))

    @property
    def states(self) -> float:
        """Return the sum of all states, held or not; the identity says it is the calendar's."""
        return sum(self.of((*ALLOCATED, *FREE)))

    @property
    def pause(self) -> float:
        """Return what was idle in stretches too short to be waste."""
        return max(0.0, self.idle - self.wasted - self.one_witness)

    @property
    def coverage(self) -> float | None:
        """Return the share of what was held that was seen; None where nothing was held."""
        held = self.allocated
        return (held - self.unknown) / held if held else None

    def of(self, states: Iterable[str]) -> tuple[float, ...]:
        """Return the device-seconds of some states, in their order."""
        return tuple(getattr(self, state) for state in states)


def total(figures: Iterable[Figures]) -> Figures:
    """Return the sum of figures; their order does not matter."""
    found = tuple(figures)
    sums = {name: fsum(getattr(figure, name) for figure in found) for name in _SECONDS}
    return Figures(**sums, costs=_costs([figure.costs for figure in found]))


def _costs(costs: Sequence[Costs]) -> Costs:
    return Costs(**{name: added(getattr(one, name) for one in costs) for name in _COSTS})


_COSTS: Final = tuple(one.name for one in fields(Costs))
_SECONDS: Final = tuple(one.name for one in fields(Figures) if one.name != "costs")
