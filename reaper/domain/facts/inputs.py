"""
What a turn knew of a run beside its letters, in the fewest words that decide the same.

An entry is written when something changes that a decision could see, and holds until the next
one.  Minutes in which nobody looked are said to be such: what held before them holds no more.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final

from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.demand import Request
from reaper.domain.facts.receivers import Catches
from reaper.domain.facts.sign import Sign, State
from reaper.domain.facts.typed import typed

#: Minutes without work on all devices from which on what is known of a run is kept.
IDLE_MINUTES: Final = 10

#: Minutes of a day of the grid: in each an entry is written again, so that those before it may be
#: forgotten.
RENEWED: Final = 1440

#: Minutes for which an entry holds at most: the next look may come a day late on a jumping clock.
HOLDS: Final = 2 * RENEWED

#: Entries of a run that are looked through for inputs.
_LOOKED_BACK: Final = 64

#: Whose entries tell what waits in the whole cluster.
EVERYBODY: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A sign of a person; `as_of` is None while it is looked at often enough to be believed."""

    kind: str
    last_seen: float | None = None
    state: State = "ok"
    as_of: float | None = None

    def at(self, now: float) -> Sign:
        """Return the sign as a turn saw it."""
        as_of = now if self.as_of is None else self.as_of
        return Sign(kind=self.kind, last_seen=self.last_seen, as_of=as_of, state=self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Witnessed:
    """Which families said idle of a device's stretch, and which signals were seen throughout."""

    witnesses: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """
    What a turn knew of a run beside its letters.

    `devices` are in order of their names, one for all where they do not differ.  `host` and
    `served` tell whether anything measures its hosts and its requests: those are tracks.  What
    waits in the cluster is told once, of everybody.
    """

    owner: str = ""
    team: str = ""
    account: str = ""
    qos: str = ""
    namespace: str = ""
    name: str = ""
    labels: tuple[str, ...] = ()
    purpose: Purpose = Purpose.OTHER
    """As its holder says, or interactive where a front does."""
    purpose_ruled: bool = False
    requeueable: bool = False
    resumed: float | None = None
    doubt: str = ""
    signs: tuple[Sighting, ...] = ()
    devices: tuple[Witnessed, ...] = ()
    catches: tuple[tuple[str, tuple[str, ...]], ...] = ()
    host: bool = False
    served: bool = False
    waiting: tuple[Request, ...] = ()

    @property
    def caught(self) -> Catches:
        """Return which signals its receivers catch, by target."""
        return {target: frozenset(signals) for target, signals in self.catches}

    def of_device(self, place: int) -> Witnessed:
        """Return what is known of the device that comes at `place` by name."""
        if len(self.devices) == 1:
            return self.devices[0]
        return self.devices[place] if place < len(self.devices) else Witnessed()

    def known_of(self, allocation: Allocation, now: float) -> Allocation:
        """Return an allocation as a turn at `now` knew it."""
        claim = replace(
            allocation.claim,
            user=self.owner,
            team=self.team,
            account=self.account,
            qos=self.qos,
            namespace=self.namespace,
            name=self.name,
            labels=self.labels,
            purpose=self.purpose,
            purpose_ruled=self.purpose_ruled,
            requeueable=self.requeueable,
            resumed=self.resumed,
        )
        signs = tuple(sign.at(now) for sign in self.signs)
        return replace(allocation, claim=claim, signs=signs, doubt=self.doubt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """
    What is known of a run from the turn on that closed `minute`; None for nothing.

    `before` is what its last entry of the same day told: a store need only write the difference.
    """

    run_key: str
    minute: int
    inputs: Inputs | None = None
    before: Inputs | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The entries of one run, in order."""

    entries: tuple[Entry, ...] = ()

    def at(self, minute: int) -> Inputs | None:
        """Return what the turn knew that closed a minute; None where that is not kept."""
        place = bisect_right(self.entries, minute, key=attrgetter("minute"))
        entry = self.entries[place - 1] if place else None
        return entry.inputs if entry and minute - entry.minute <= HOLDS else None

    def typed(self, minute: int) -> tuple[float, ...]:
        """Return when people typed last, as the turn knew that closed a minute; oldest first."""
        place = bisect_right(self.entries, minute, key=attrgetter("minute"))
        found: tuple[float, ...] = ()
        for entry in self.entries[max(0, place - _LOOKED_BACK) : place]:
            signs = entry.inputs.signs if entry.inputs else ()
            found = typed(found, (sign.at(0.0) for sign in signs))
        return found

    def spans(self, end: int) -> Iterator[tuple[int, int, Inputs]]:
        """Yield ``(first, end, inputs)`` of the minutes before `end` of which something is kept."""
        follows = (*(entry.minute for entry in self.entries[1:]), end)
        for entry, after in zip(self.entries, follows, strict=False):
            last = min(after, end, entry.minute + HOLDS + 1)
            if entry.inputs is not None and last > entry.minute:
                yield entry.minute, last, entry.inputs


def histories(entries: Iterable[Entry]) -> dict[str, History]:
    """Gather entries by run key."""
    found: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=attrgetter("minute")):
        found.setdefault(entry.run_key, []).append(entry)
    return {key: History(entries=tuple(listed)) for key, listed in found.items()}


def sightings(signs: Iterable[Sign], *, now: float, stale_after: float) -> tuple[Sighting, ...]:
    """
    Return signs without what changes nothing.

    When a sign was looked at matters only once that is too long ago; of several sessions of one
    kind and state the last input counts.
    """
    found: dict[tuple[str, State, float | None, bool], Sighting] = {}
    for sign in signs:
        as_of = None if now - sign.as_of <= stale_after else sign.as_of
        key = sign.kind, sign.state, as_of, sign.last_seen is None
        before = found.get(key)
        last = sign.last_seen
        if before is not None and before.last_seen is not None and last is not None:
            last = max(last, before.last_seen)
        found[key] = Sighting(kind=sign.kind, last_seen=last, state=sign.state, as_of=as_of)
    return tuple(found.values())


def shapes(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Return what waits without whose it is: by place and model the smallest that could start."""
    smallest: dict[Hashable, Request] = {}
    for item in requests:
        if item.startable:
            shape = replace(item, id="", since=0.0, user="", purpose=Purpose.OTHER)
            key = replace(shape, gpus=0)
            smallest[key] = min(shape, smallest.get(key, shape), key=attrgetter("gpus"))
    return tuple(sorted(smallest.values(), key=_order))


def _order(item: Request) -> tuple[object, ...]:
    place = item.partitions, item.model, item.gpus
    return (*place, item.nodes, item.avoids, item.only, item.on_each, item.spread, item.reserved)


def alike(devices: Sequence[Witnessed]) -> tuple[Witnessed, ...]:
    """Return one word for all devices where they do not differ."""
    return tuple(devices[:1]) if len(set(devices)) == 1 else tuple(devices)


# ------------------------------------------------------------------ letters of hosts and servers

_HOST: Final = "host#"
_SERVED: Final = "served#"

#: The names under which letters of inputs begin.
PREFIXES: Final = (_HOST, _SERVED)


def host_name(run_key: str) -> str:
    """Return the name under which a run's letters of its hosts are kept."""
    return f"{_HOST}{run_key}"


def served_name(run_key: str) -> str:
    """Return the name under which a run's letters of its requests are kept."""
    return f"{_SERVED}{run_key}"
