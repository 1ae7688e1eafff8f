"""
Which devices a claim's places are, where its holder does not name them.

A holder that says only how many devices each member of a run has (Kubernetes) is helped by the
nodes: what processes there, and whoever gives devices out there, prove to be a member's are its
devices, if they are as many as it has.  Fewer or more are none, and the claim is in doubt.

The other case is a claim's GRES indices on nodes where no exporter of ours maps them.

Two words are taken there.  A claim on all the GPUs that the scheduler counts on a node holds all
its devices.  And a map that the scheduler's prolog wrote, as dcgm-exporter passes it on in a
label, names a claim's devices where it names as many as the claim has.  Anything else stays
unknown.  Nothing is released on such a word: a release asks an exporter of ours first.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
    words = tuple(shares)
    told = _told(claims, words)
    foreign = {node: found for node, found in devices.items() if found and _foreign(found)}
    if not foreign:
        return told
    labelled = _labelled(KeyedClaims(told), (share for share in words if share.node in foreign))
    return tuple(_placed(claim, foreign, counted, labelled) for claim in told)


def _told(claims: Sequence[Claim], shares: Sequence[Share]) -> tuple[Claim, ...]:
    """Return the claims with UUIDs for the places that only nodes can tell."""
    if not any(_open(place) for claim in claims for place in claim.places):
        return tuple(claims)
    keyed = KeyedClaims(claims)
    proven: dict[tuple[str, str, str], set[str]] = {}
    holders: dict[str, dict[str, bool]] = {}
    for share in shares:
        claim = keyed.match(platform=share.platform, id=share.id, start=share.start)
        if claim is not None and share.gpu and share.proof:
            proven.setdefault((claim.run.key, share.node, share.id), set()).add(share.gpu)
            holders.setdefault(share.gpu, {})[claim.run.key] = claim.exclusive
    # A holder's own word names a device as well as any proof does.
    for claim in claims:
        for place in claim.places:
            if place.gpu:
                holders.setdefault(place.gpu, {})[claim.run.key] = claim.exclusive
    wanted = {gpu for gpu, there in holders.items() if len(there) > 1 and any(there.values())}
    return tuple(_with_proof(claim, proven, wanted) for claim in claims)


def _open(place: Place) -> bool:
    return bool(place.node_id) and not place.gpu and place.index is None


def _with_proof(
    claim: Claim, proven: Mapping[tuple[str, str, str], set[str]], contested: Collection[str]
) -> Claim:
    """Return a claim with what is proven to be its members'; `contested` is nobody's."""
    members: dict[tuple[str, str], list[Place]] = {}
    for place in claim.places:
        if _open(place):
            members.setdefault((place.node, place.node_id), []).append(place)
    if not members:
        return claim
    named = {place.gpu for place in claim.places if place.gpu}
    found: dict[tuple[str, str], list[str]] = {}
    doubt = ""
    for (node, ident), places in members.items():
        seen = sorted(proven.get((claim.run.key, node, ident), set()) - named)
        if several := [gpu for gpu in seen if gpu in contested]:
            doubt = doubt or f"{node}: another allocation is on {', '.join(several)} too"
        elif len(seen) == len(places):
            found[node, ident] = seen
        else:
            doubt = doubt or _few(node, len(seen), len(places))
    placed = tuple(
        replace(place, gpu=found[place.node, place.node_id].pop(0))
        if _open(place) and (place.node, place.node_id) in found
        else place
        for place in claim.places
    )
    return replace(claim, places=placed, doubt=claim.doubt or doubt)


def _few(node: str, seen: int, wanted: int) -> str:
    known = f"{seen} of {wanted} devices known on {node}"
    if seen > wanted:
        return f"{known}: its processes are on more devices than it was given"
    return (
        f"{known}: the exporter there has to be told what is given out to whom, also to those at "
        "rest (--kubelet-socket)"
    )


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
