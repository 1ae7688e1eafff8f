"""What nodes see of allocations, and what that proves of GRES indices."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reaper.domain.facts.device import Device
from reaper.domain.facts.keyed import KeyedClaims
from reaper.domain.facts.sign import Sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """
    A node's word that processes of an allocation are on a device (wire: allocation_share).

    Without `proof` it is a hint out of somebody's map: it can contradict, but proves nothing.
    """

    node: str
    gpu: str
    platform: str
    id: str
    start: float
    share: float = 1.0
    proof: bool = True

    @property
    def key(self) -> str:
        """Return the name of its counter in a device's reading."""
        return tenant_key(self.platform, self.id, self.start)


def tenant_key(platform: str, id: str, start: float) -> str:  # noqa: A002 - the wire's word
    """Return how a reading names an allocation among the tenants of a device."""
    return f"{platform}/{id}@{start:.0f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSign:
    """A sign of a person in an allocation that a node sees (wire: ``/metrics/people``)."""

    node: str
    platform: str
    id: str
    start: float
    sign: Sign


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Confirmation:
    """A GRES index of a node seen at work on a device of one generation."""

    node: str
    index: int
    gpu: str
    generation: str


def confirm(
    claims: KeyedClaims,
    shares: Iterable[Share],
    devices: Mapping[str, tuple[Device, ...]],
    known: Iterable[Confirmation] = (),
) -> tuple[frozenset[Confirmation], Mapping[str, str]]:
    """
    Return the indices that running jobs prove, and the nodes where they contradict the map.

    A job's process on a device proves the device's index when that index is one the job was
    given on the node; a process on a device of another index is a contradiction.  What is `known`
    to be proven is left out.
    """
    before = {item.gpu: item for item in known}
    by_gpu = {device.gpu: device for node in devices.values() for device in node}
    proven: set[Confirmation] = set()
    contradictions: dict[str, str] = {}
    for share in shares:
        claim = claims.match(platform=share.platform, id=share.id, start=share.start)
        device = by_gpu.get(share.gpu)
        if claim is None or device is None or device.gres_index is None or claim.doubt:
            continue
        given = {place.index for place in claim.places if place.node == share.node}
        if not given or None in given:
            continue
        if device.gres_index in given:
            if share.proof and not _says(before.get(share.gpu), device):
                proven.add(_confirmation(device, device.gres_index))
        else:
            seen = "works on" if share.proof else "is labelled as the holder of"
            contradictions[share.node] = (
                f"{claim.run} was given GRES {_written(given)} but {seen} the device mapped "
                f"to {device.gres_index}: fix the order in gres.conf or the prolog map"
            )
    return frozenset(proven), contradictions


def unproven(
    devices: Mapping[str, tuple[Device, ...]], proven: frozenset[Confirmation]
) -> frozenset[tuple[str, int]]:
    """
    Return the (node, index) pairs that cannot be trusted yet.

    A node is trusted whole once all but one of its indices are proven.
    """
    found: set[tuple[str, int]] = set()
    by_gpu = {item.gpu: item for item in proven}
    for node, present in devices.items():
        missing = {
            (node, device.gres_index)
            for device in present
            if device.gres_index is not None
            and not _says(by_gpu.get(device.gpu), device)
            and _confirmation(device, device.gres_index) not in proven
        }
        found |= missing if len(missing) > 1 else set()
    return frozenset(found)


def _says(item: Confirmation | None, device: Device) -> bool:
    """Tell whether a confirmation is that of a device as it is now."""
    return (
        item is not None
        and item.index == device.gres_index
        and item.generation == device.generation
        and item.node == device.node
    )


def _confirmation(device: Device, index: int) -> Confirmation:
    return Confirmation(node=device.node, index=index, gpu=device.gpu, generation=device.generation)


def _written(indices: Iterable[int | None]) -> str:
    return ", ".join(str(index) for index in sorted(i for i in indices if i is not None))
