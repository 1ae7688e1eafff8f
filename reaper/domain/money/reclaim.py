"""
What releases gave back: reclaimed (upper bound), re-used (lower bound) and cash.

Reclaimed runs from the end of a released run to its own limit, at most a day, and ends early when
the same owner comes back within half an hour, device for device.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from reaper.domain.money.capacity import Free, Load, free, match
from reaper.domain.money.entries import GIVEN_BACK, RELEASED, REVERTED, CapacitySpan, Event
from reaper.domain.money.holding import Holding
from reaper.domain.money.spans import Span, clip, subtract

#: Longest time that a release is credited with.
CREDIT: Final = 86400.0

#: An owner who is back so soon had not given anything up.
BOUNCE: Final = 1800.0

#: Devices of a run that end within this of each other were released together.
TOGETHER: Final = 180.0

#: Less than a whole GPU is not one that a job could have taken instead.
_WHOLE: Final = 1 - 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """A device given back in ``[begin, end)``; `by_reaper` unless the owner did it when warned."""

    holding: Holding
    begin: float
    end: float
    by_reaper: bool

    @property
    def device(self) -> str:
        """Return the device."""
        return self.holding.tenure.gpu

    @property
    def weight(self) -> float:
        """Return how much of a card it is."""
        return self.holding.parts[-1].weight


def returns(held: Sequence[Holding], events: Iterable[Event]) -> tuple[Return, ...]:
    """Return every device that a release gave back, for as long as it is credited."""
    kinds = _released(events)
    runs: dict[str, list[Holding]] = defaultdict(list)
    for holding in held:
        if holding.tenure.run.key in kinds and holding.tenure.end is not None:
            runs[holding.tenure.run.key].append(holding)
    found = [
        _credited(holding, by_reaper=kinds[key] == RELEASED)
        for key, holdings in runs.items()
        for holding in _last(holdings)
    ]
    ended = _bounced(sorted(found, key=_order), held)
    return tuple(one for one in _once(ended) if one.end > one.begin)


def scarce(
    given: Iterable[Return],
    held: Sequence[Holding],
    capacity: Sequence[CapacitySpan],
    within: Span,
) -> Mapping[str, tuple[Span, ...]]:
    """Return, by model, when no GPU of it was free but those that releases had given back."""
    loads = [*load_of(held), *_untaken(given, held)]
    rooms: dict[str, list[Free]] = defaultdict(list)
    for piece in free(capacity, loads, begin=within[0], end=within[1]):
        rooms[piece.room.model].append(piece)
    return {model: _below_one(pieces, within) for model, pieces in rooms.items()}


def load_of(held: Iterable[Holding]) -> Iterable[Load]:
    """Yield what holdings take of their nodes."""
    for holding in held:
        for part in holding.parts:
            yield Load(
                node=holding.tenure.node,
                model=holding.tenure.model,
                begin=part.begin,
                end=part.end,
                weight=part.weight,
            )


def gone(node: str, capacity: Iterable[CapacitySpan], within: Span) -> tuple[Span, ...]:
    """Return when a node that once was in the inventory had left it."""
    spans = [span for span in capacity if span.node == node]
    if not spans:
        return ()
    there = [(span.begin, within[1] if span.end is None else span.end) for span in spans]
    first = min(begin for begin, _ in there)
    return subtract([(max(within[0], first), within[1])], there)


def room_model(holding: Holding, capacity: Iterable[CapacitySpan]) -> str:
    """Return the model of a holding's device as its node's inventory spells it."""
    names = sorted({span.model for span in capacity if span.node == holding.tenure.node})
    return match(holding.tenure.model, names)


def _released(events: Iterable[Event]) -> Mapping[str, str]:
    """Return which runs were given back and how; one that was reverted was not."""
    kinds: dict[str, str] = {}
    for event in sorted(events, key=lambda one: one.at):
        if event.kind in (RELEASED, GIVEN_BACK):
            kinds[event.run_key] = event.kind
        elif event.kind == REVERTED:
            kinds.pop(event.run_key, None)
    return kinds


def _last(holdings: Sequence[Holding]) -> list[Holding]:
    """Return the devices that a run still held when it ended."""
    latest = max(holding.end for holding in holdings)
    return [holding for holding in holdings if holding.end >= latest - TOGETHER]


def _credited(holding: Holding, *, by_reaper: bool) -> Return:
    latest = holding.end + CREDIT
    limit = holding.tenure.limit
    end = latest if limit is None else min(limit, latest)
    return Return(holding=holding, begin=holding.end, end=end, by_reaper=by_reaper)


def _order(given: Return) -> tuple[float, str, str]:
    return given.begin, given.device, given.holding.tenure.run.key


def _bounced(given: Iterable[Return], held: Iterable[Holding]) -> list[Return]:
    """End a device's credit where its owner takes another; each taking ends one credit."""
    taken: dict[str, list[Holding]] = defaultdict(list)
    for holding in sorted(held, key=_name_by_time):
        taken[holding.tenure.owner].append(holding)
    used: set[tuple[str, str, float]] = set()
    found = []
    for one in given:
        back = _back(one, taken[one.holding.tenure.owner], used)
        found.append(one if back is None else replace(one, end=min(one.end, back)))
    return found


def _back(
    given: Return, taken: Iterable[Holding], used: set[tuple[str, str, float]]
) -> float | None:
    """Return when the owner came back for one device, the same one if possible; marks it used."""
    soon = [
        holding
        for holding in taken
        if given.begin <= holding.begin <= given.begin + BOUNCE
        and holding.tenure.run.key != given.holding.tenure.run.key
        and _name(holding) not in used
    ]
    if not soon:
        return None
    chosen = min(soon, key=lambda one: (one.tenure.gpu != given.device, one.begin))
    used.add(_name(chosen))
    return chosen.begin


def _name_by_time(holding: Holding) -> tuple[float, str, str]:
    return holding.begin, holding.tenure.gpu, holding.tenure.run.key


def _name(holding: Holding) -> tuple[str, str, float]:
    return holding.tenure.run.key, holding.tenure.gpu, holding.begin


def _once(given: Sequence[Return]) -> Iterable[Return]:
    """Yield the credits, each ended where its device is given back again."""
    later: dict[str, list[float]] = defaultdict(list)
    for one in given:
        later[one.device].append(one.begin)
    for one in given:
        after = [begin for begin in later[one.device] if begin > one.begin]
        yield replace(one, end=min([one.end, *after]))


def _untaken(given: Iterable[Return], held: Iterable[Holding]) -> Iterable[Load]:
    """Yield the given-back devices while nobody holds them, as if they were held."""
    taken: dict[str, list[Span]] = defaultdict(list)
    for holding in held:
        taken[holding.tenure.gpu].append((holding.begin, holding.end))
    for one in given:
        tenure = one.holding.tenure
        for begin, end in subtract([(one.begin, one.end)], taken[one.device]):
            yield Load(
                node=tenure.node, model=tenure.model, begin=begin, end=end, weight=one.weight
            )


def _below_one(pieces: Sequence[Free], within: Span) -> tuple[Span, ...]:
    """Return when less than one whole GPU was unallocated, over all rooms of the inventory."""
    known = [(piece.begin, piece.end) for piece in pieces if piece.gpus]
    changes: dict[float, float] = defaultdict(float)
    for piece in pieces:
        changes[piece.begin] += piece.unallocated
        changes[piece.end] -= piece.unallocated
    edges = sorted({within[0], *changes, within[1]})
    unallocated, found = 0.0, []
    for begin, end in pairwise(edges):
        unallocated += changes.get(begin, 0.0)
        if unallocated < _WHOLE:
            found.append((begin, end))
    return clip(subtract(found, subtract([within], known)), *within)
