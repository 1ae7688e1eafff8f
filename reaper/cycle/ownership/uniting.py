"""From the board's claims, fronts and shares to united allocations; pure but for reading posts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from reaper.board import Board
from reaper.cycle.evidence.records import Records
from reaper.cycle.ownership.ground import Ground, Words, grounded
from reaper.domain.facts.allocation import (
    Allocation,
    Capacity,
    Claim,
    Front,
    United,
)
from reaper.domain.facts.demand import Request, Waiting
from reaper.domain.facts.device import Device
from reaper.domain.facts.ending import Ended
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.keyed import KeyedClaims
from reaper.domain.facts.receivers import Catches, Receivers, united
from reaper.domain.facts.share import Confirmation, NodeSign
from reaper.domain.facts.sign import Sign, remembering
from reaper.domain.facts.tenant import Tenant, is_own
from reaper.ports import Claims, Fronts


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Who holds what now, and what the cluster has."""

    united: United
    devices: Mapping[str, Device]
    capacities: tuple[Capacity, ...]
    proven: frozenset[Confirmation]
    contradicted: Mapping[str, str]
    waiting: tuple[Request, ...]
    short: tuple[str, ...]
    """Limits of platforms that are used up."""
    pressures: Mapping[str, Mapping[str, Pressure]]
    """What runs cost their hosts, by run key and node; a run nobody measures is absent."""
    catches: Mapping[str, Catches]
    """Which signals runs catch, by run key; absent unless all of its nodes answered freshly."""
    ended: tuple[Ended, ...]
    """Runs that ended lately, as the holders remember them."""
    stale: frozenset[str]
    """Holders whose answer is too old to say who came and went."""
    tenants: Mapping[str, tuple[Tenant, ...]]
    """Runs on devices that several hold or held, by device."""
    ground: Ground
    """What it was found on, for the next turn."""


def read(
    board: Board,
    known: Records,
    proven: frozenset[Confirmation],
    *,
    now: float,
    pace: Pace,
    inputs: Mapping[str, float] = MappingProxyType({}),
    before: Mapping[str, Allocation] = MappingProxyType({}),
    ground: Ground | None = None,
) -> Ownership:
    """
    Unite everything the board says at `now`; `inputs` are the last ones ever seen, by run.

    An allocation that is as it was `before`, by run key, is that one again; so is the `ground` of
    the turn before, where the same is said and proven.
    """
    claims, stale = _claims(board, now, pace)
    words = Words(
        claims=claims,
        capacities=_capacities(board),
        shares=tuple([share for report in board.good.values() for share in report.shares]),
        devices=_devices(board, known),
        fronts=_fronts(board),
        parts=frozenset(filter(is_own, known)),
    )
    if ground is None or not ground.stands(words, proven):
        ground = grounded(words, proven)
    keyed = ground.keyed
    found = _visited(ground.united.allocations, _signs(board, keyed))
    waiting = _waiting(board, now, pace)
    again = tuple(_known(_remembering(found, inputs, now), before))
    return Ownership(
        united=replace(ground.united, allocations=again),
        tenants=ground.tenants,
        devices=ground.by_name,
        capacities=words.capacities,
        proven=ground.proven,
        contradicted=ground.contradicted,
        waiting=tuple(request for said in waiting for request in said.requests),
        short=tuple(line for said in waiting for line in said.short),
        pressures=_pressures(board, keyed),
        catches=_catches(board, keyed, now, pace),
        ended=_ended(board),
        stale=stale,
        ground=ground,
    )


def _visited(
    allocations: Iterable[Allocation], signs: Mapping[str, tuple[Sign, ...]]
) -> Iterator[Allocation]:
    """Yield allocations with the people that nodes see in them, before those that fronts know."""
    for item in allocations:
        there = signs.get(item.run.key)
        yield replace(item, signs=(*there, *item.signs)) if there else item


def _devices(board: Board, known: Records) -> dict[str, tuple[Device, ...]]:
    """Return devices by node: as the newest good report shows them, else as remembered."""
    found = {node: report.devices for node, report in board.good.items()}
    remembered: dict[str, list[Device]] = {}
    for device in known.devices():
        if device.node not in found and not is_own(device.gpu):
            remembered.setdefault(device.node, []).append(device)
    return found | {node: tuple(devices) for node, devices in remembered.items()}


def _claims(board: Board, now: float, pace: Pace) -> tuple[tuple[Claim, ...], frozenset[str]]:
    claims: list[Claim] = []
    stale: set[str] = set()
    for post in board.of("holder"):
        if not isinstance(post.answer, Claims):
            stale.add(post.source)
            continue
        age = now - post.answer.as_of
        if not pace.is_fresh(age):
            stale.add(post.source)
            when = f"{age / 60:.0f} min ago" if age > 0 else "before the clock was set back"
            doubt = f"{post.source} last answered {when}"
            claims += [replace(claim, doubt=claim.doubt or doubt) for claim in post.answer.claims]
        else:
            claims += post.answer.claims
    return tuple(claims), frozenset(stale)


def _fronts(board: Board) -> tuple[Front, ...]:
    return tuple(
        front
        for post in board.of("front")
        if isinstance(post.answer, Fronts)
        for front in post.answer.fronts
    )


def _signs(board: Board, claims: KeyedClaims) -> dict[str, tuple[Sign, ...]]:
    found: dict[str, list[Sign]] = {}
    for sign in _node_signs(board):
        claim = claims.match(platform=sign.platform, id=sign.id, start=sign.start)
        if claim is not None:
            found.setdefault(claim.run.key, []).append(sign.sign)
    return {key: tuple(there) for key, there in found.items()}


def _remembering(
    allocations: Iterable[Allocation], inputs: Mapping[str, float], now: float
) -> Iterator[Allocation]:
    """Yield allocations whose signs forget no input, though the page of people falls silent."""
    for item in allocations:
        last = inputs.get(item.run.key)
        signs = item.signs if last is None else remembering(item.signs, last, now=now)
        yield item if signs is item.signs else replace(item, signs=signs)


def _known(
    allocations: Iterable[Allocation], before: Mapping[str, Allocation]
) -> Iterator[Allocation]:
    for item in allocations:
        known = before.get(item.run.key)
        yield known if known == item else item


def _pressures(board: Board, claims: KeyedClaims) -> dict[str, dict[str, Pressure]]:
    found: dict[str, dict[str, Pressure]] = {}
    for report in board.good.values():
        for item in report.pressures:
            claim = claims.match(platform=item.platform, id=item.id, start=item.start)
            if claim is not None:
                found.setdefault(claim.run.key, {})[item.node] = item
    return found


def _catches(board: Board, claims: KeyedClaims, now: float, pace: Pace) -> dict[str, Catches]:
    fresh = [report for report in board.good.values() if pace.is_fresh(now - report.as_of)]
    words: dict[str, list[Receivers]] = {}
    nodes: dict[str, set[str]] = {}
    for report in fresh:
        for word in report.receivers:
            claim = claims.match(platform=word.platform, id=word.id, start=word.start)
            if claim is None:
                continue
            key = claim.run.key
            if key not in words:
                words[key], nodes[key] = [], {place.node for place in claim.places}
            words[key].append(word)
    answered = {report.node for report in fresh}
    return {
        key: said[0].catches if len(said) == 1 else united(said)
        for key, said in words.items()
        if nodes[key] <= answered
    }


def _node_signs(board: Board) -> Iterable[NodeSign]:
    return (sign for report in board.good.values() for sign in report.signs)


def _capacities(board: Board) -> tuple[Capacity, ...]:
    """Return every node's capacity; the first holder that counts a node is believed."""
    found: dict[str, Capacity] = {}
    for post in board.of("holder"):
        if isinstance(post.answer, Claims):
            for capacity in post.answer.capacities:
                found.setdefault(capacity.node, capacity)
    return tuple(found.values())


def _ended(board: Board) -> tuple[Ended, ...]:
    return tuple(
        item
        for post in board.of("holder")
        if isinstance(post.answer, Claims)
        for item in post.answer.ended
    )


def _waiting(board: Board, now: float, pace: Pace) -> tuple[Waiting, ...]:
    """Return what waits; of a source that is silent for long nothing is known to."""
    return tuple(
        post.answer
        for post in board.of("demand")
        if isinstance(post.answer, Waiting) and pace.is_fresh(now - post.answer.as_of)
    )
