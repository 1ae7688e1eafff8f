"""
Capacity: what of the scheduler's inventory nobody held, by state and over time.

Inventory counts GPUs, not devices, so holders are taken to be on GPUs that are up first, then on
reserved, drained and down ones: a job that still runs on a drained node is allocated, the rest of
that node is drained.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from typing import Final

from reaper.domain.money.entries import CapacitySpan
from reaper.domain.money.findings import BEYOND, STATE, Finding

UP: Final = "up"
_GIVEN_OUT: Final = (UP, "reserved", "drained", "down")
"""In which order holders are taken to fill a node."""

#: Less than this of a GPU is the rounding of shares.
_CRUMB: Final = 1e-6

#: GPU-seconds by which two sources may differ because they are not asked at once.
_LAG: Final = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """So much of a node's GPUs of a model is held in ``[begin, end)``."""

    node: str
    model: str
    begin: float
    end: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Room:
    """A node's GPUs of one model: the place of which an inventory speaks."""

    node: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Free:
    """What of a room nobody held in ``[begin, end)``, in GPUs; `beyond` is held but not there."""

    room: Room
    begin: float
    end: float
    gpus: float
    unallocated: float
    stranded: float
    reserved: float
    drained: float
    down: float
    beyond: float

    @property
    def seconds(self) -> float:
        """Return how long it was so."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class _Change:
    """At an instant, GPUs of some state come or go."""

    at: float
    state: str
    gpus: float


def free(
    spans: Iterable[CapacitySpan], loads: Iterable[Load], *, begin: float, end: float
) -> tuple[Free, ...]:
    """Return what nobody held in ``[begin, end)``, room by room, in pieces that follow in time."""
    changes: dict[Room, list[_Change]] = defaultdict(list)
    known = tuple(spans)
    models = _models(known)
    for span in _single(known):
        room = Room(node=span.node, model=span.model)
        state = span.state if span.state in _GIVEN_OUT else "down"
        changes[room] += _between(span.begin, _until(span, end), state, span.gpus)
        changes[room] += _between(span.begin, _until(span, end), "stranded", span.stranded)
    for load in loads:
        room = Room(node=load.node, model=match(load.model, models.get(load.node, ())))
        changes[room] += _between(load.begin, load.end, "held", load.weight)
    return tuple(
        piece for room in sorted(changes) for piece in _swept(room, changes[room], begin, end)
    )


def match(model: str, known: Sequence[str]) -> str:
    """Return the model, as a node's inventory spells it, that a device of a model belongs to."""
    if model in known or not known:
        return model
    word = model.lower()
    alike = (one for one in known if one and (one.lower() in word or word in one.lower()))
    return next(alike, known[0])


def contradictions(pieces: Iterable[Free], spans: Iterable[CapacitySpan]) -> list[Finding]:
    """Return where more is held than the inventory has, and states that mean nothing here."""
    beyond: dict[str, float] = defaultdict(float)
    for piece in pieces:
        beyond[piece.room.node] += piece.beyond * piece.seconds
    found = [
        Finding(kind=BEYOND, subject=node, seconds=seconds, text="held, but not in the inventory")
        for node, seconds in beyond.items()
        if seconds >= _LAG
    ]
    states = {(span.node, span.state) for span in spans if span.state not in _GIVEN_OUT}
    return found + [
        Finding(kind=STATE, subject=node, seconds=0.0, text=f"state {state!r} is taken for down")
        for node, state in sorted(states)
    ]


def _models(spans: Iterable[CapacitySpan]) -> Mapping[str, tuple[str, ...]]:
    models: dict[str, set[str]] = defaultdict(set)
    for span in spans:
        models[span.node].add(span.model)
    return {node: tuple(sorted(names)) for node, names in models.items()}


def _single(spans: Iterable[CapacitySpan]) -> Iterable[CapacitySpan]:
    """Yield the spans; one in a state ends at the latest when its place's next in it begins."""
    ordered = sorted(spans, key=_knowing)
    for span, following in zip_longest(ordered, ordered[1:]):
        if following is not None and _place(span) == _place(following):
            yield replace(span, end=min(_until(span, inf), following.begin))
        else:
            yield span


def _knowing(span: CapacitySpan) -> tuple[object, ...]:
    """Order spans by place and begin; of several with one begin the one that ended comes last."""
    return *_place(span), span.begin, span.end is not None, span.end or 0.0, span.gpus


def _place(span: CapacitySpan) -> tuple[str, str, str]:
    return span.node, span.model, span.state


def _between(begin: float, end: float, state: str, gpus: float) -> tuple[_Change, ...]:
    if not gpus or end <= begin:
        return ()
    return _Change(begin, state, gpus), _Change(end, state, -gpus)


def _until(span: CapacitySpan, otherwise: float) -> float:
    return otherwise if span.end is None else span.end


def _swept(room: Room, changes: Iterable[_Change], begin: float, end: float) -> Iterable[Free]:
    """Yield a room's pieces between its changes."""
    now: dict[str, float] = defaultdict(float)
    since = begin
    for change in sorted(changes, key=lambda one: (one.at, one.state, one.gpus)):
        at = min(change.at, end)
        if at > since:
            yield _piece(room, since, at, now)
            since = at
        now[change.state] = round(now[change.state] + change.gpus, 9)
    if since < end and any(abs(gpus) > _CRUMB for gpus in now.values()):
        yield _piece(room, since, end, now)


def _piece(room: Room, begin: float, end: float, now: Mapping[str, float]) -> Free:
    held = max(0.0, now.get("held", 0.0))
    left: dict[str, float] = {}
    for state in _GIVEN_OUT:
        there = now.get(state, 0.0)
        left[state] = max(0.0, there - held)
        held = max(0.0, held - there)
    stranded = min(left[UP], max(0.0, now.get("stranded", 0.0)))
    return Free(
        room=room,
        begin=begin,
        end=end,
        gpus=sum(now.get(state, 0.0) for state in _GIVEN_OUT),
        unallocated=left[UP] - stranded,
        stranded=stranded,
        reserved=left["reserved"],
        drained=left["drained"],
        down=left["down"],
        beyond=held,
    )
