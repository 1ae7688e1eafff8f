"""What the store in memory keeps, so that a branch costs nothing until it is written on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TypeVar

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold, Intent
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.inputs import Entry
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.share import Confirmation
from reaper.domain.money.closing import Closed, Closing, Handover
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.picture import Picture
from reaper.ports import StoreError

K = TypeVar("K")
V = TypeVar("V")


class Shelf(Mapping[K, V]):
    """Values by key; a branch shares them until it is first written on."""

    def __init__(
        self, rows: dict[K, V] | None = None, *, shared: bool = False, writable: bool = True
    ) -> None:
        self._rows: dict[K, V] = {} if rows is None else rows
        self._shared = shared
        self._writable = writable

    def branch(self, *, writable: bool) -> "Shelf[K, V]":
        """Return a shelf with the same values, whose changes this one never sees."""
        return Shelf(self._rows, shared=True, writable=writable)

    def put(self, rows: Mapping[K, V]) -> None:
        """Write values over those with the same keys."""
        self._own().update(rows)

    def drop(self, keys: Iterable[K]) -> None:
        """Remove the values of these keys, where there are any."""
        rows = self._own()
        for key in keys:
            rows.pop(key, None)

    def _own(self) -> dict[K, V]:
        if not self._writable:
            raise StoreError("this view of the store is for reading; write in a transaction")
        if self._shared:
            self._rows, self._shared = dict(self._rows), False
        return self._rows

    def __getitem__(self, key: K) -> V:
        return self._rows[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


@dataclass(slots=True, kw_only=True)
class Shelves:
    """One shelf for each kind of value."""

    records: Shelf[str, DeviceRecord] = field(default_factory=Shelf)
    days: Shelf[int, dict[str, tuple[int, str]]] = field(default_factory=Shelf)
    """By day and device: the first minute that is known, and the letters from there."""
    frontiers: Shelf[str, int] = field(default_factory=Shelf)
    """The first unknown minute of each device."""
    inputs: Shelf[tuple[int, str], Entry] = field(default_factory=Shelf)
    """By minute and run key."""
    cases: Shelf[str, Case] = field(default_factory=Shelf)
    keeps: Shelf[str, Keep] = field(default_factory=Shelf)
    notices: Shelf[str, Notice] = field(default_factory=Shelf)
    tokens: Shelf[str, tuple[str, float]] = field(default_factory=Shelf)
    """By whom and when each single-use token was used."""
    intents: Shelf[str, Intent] = field(default_factory=Shelf)
    holds: Shelf[str, Hold] = field(default_factory=Shelf)
    tenures: Shelf[tuple[str, str, float], Tenure] = field(default_factory=Shelf)
    capacity: Shelf[tuple[str, str, str, float], CapacitySpan] = field(default_factory=Shelf)
    demand: Shelf[int, DemandPoint] = field(default_factory=Shelf)
    events: Shelf[int, Event] = field(default_factory=Shelf)
    confirmations: Shelf[Confirmation, bool] = field(default_factory=Shelf)
    closings: Shelf[tuple[str, str, int], Closing] = field(default_factory=Shelf)
    weeks: Shelf[tuple[str, str], Closed] = field(default_factory=Shelf)
    """The newest closing of each week, by zone and week, with its figures."""
    handovers: Shelf[tuple[str, str, int, str], Handover] = field(default_factory=Shelf)
    policies: Shelf[str, float] = field(default_factory=Shelf)
    heartbeat: Shelf[str, float] = field(default_factory=Shelf)
    pictures: Shelf[str, Picture] = field(default_factory=Shelf)
    writable: bool = True

    def branch(self) -> "Shelves":
        """Return shelves with the same values, to be written on."""
        return self._shared(writable=True)

    def sealed(self) -> "Shelves":
        """Return shelves with the same values, to be read only."""
        return self._shared(writable=False)

    def _shared(self, *, writable: bool) -> "Shelves":
        shelves = {
            part.name: getattr(self, part.name).branch(writable=writable)
            for part in fields(self)
            if part.name != "writable"
        }
        return Shelves(**shelves, writable=writable)
