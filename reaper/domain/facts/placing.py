"""
Which devices a claim's GRES indices are on nodes where no exporter of ours maps them.

Two words are taken there.  A claim on all the GPUs that the scheduler counts on a node holds all
its devices.  And a map that the scheduler's prolog wrote, as dcgm-exporter passes it on in a
label, names a claim's devices where it names as many as the claim has.  Anything else stays
unknown.  Nothing is released on such a word: a release asks an exporter of ours first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reaper.domain.facts.allocation import Claim, Place
from reaper.domain.facts.device import FOREIGN, Device
from reaper.domain.facts.keyed import KeyedClaims
from reaper.domain.facts.share import Share

Devices = Mapping[str, tuple[Device, ...]]


def placed(
    claims: Sequence[Claim],
    shares: Iterable[Share],
    devices: Devices,
    counted: Mapping[str, int],
) -> tuple[Claim, ...]:
    """
    Return the claims with UUIDs for indices where a node's devices can be told.

    `devices` and `counted`, the GPUs that the scheduler counts, are by node.
    """
    foreign = {node: found for node, found in devices.items() if found and _foreign(found)}
    if not foreign:
        return tuple(claims)
    labelled = _labelled(KeyedClaims(claims), (share for share in shares if share.node in foreign))
    return tuple(_placed(claim, foreign, counted, labelled) for claim in claims)


def _foreign(devices: Iterable[Device]) -> bool:
    return all(item.generation == FOREIGN and item.gres_index is None for item in devices)


def _labelled(
    claims: KeyedClaims, shares: Iterable[Share]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the devices that labels give to a run on a node, by both."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for share in shares:
        claim = claims.match(platform=share.platform, id=share.id, start=share.start)
        if claim is not None and share.gpu:
            found.setdefault((claim.run.key, share.node), {})[share.gpu] = None
    return {place: tuple(gpus) for place, gpus in found.items()}


def _placed(
    claim: Claim,
    foreign: Devices,
    counted: Mapping[str, int],
    labelled: Mapping[tuple[str, str], tuple[str, ...]],
) -> Claim:
    by_node: dict[str, list[Place]] = {}
    for place in claim.places:
        by_node.setdefault(place.node, []).append(place)
    if not by_node.keys() & foreign.keys():
        return claim
    found: list[Place] = []
    for node, places in by_node.items():
        named = labelled.get((claim.run.key, node), ())
        present = tuple(item.gpu for item in foreign.get(node, ()))
        known = any(place.gpu for place in places)
        if not known and len(named) == len(places):
            found += (Place(node=node, gpu=gpu) for gpu in named)
        elif not known and len(places) == len(present) == counted.get(node):
            found += (Place(node=node, gpu=gpu) for gpu in present)
        else:
            found += places
    return replace(claim, places=tuple(found))
