"""
GPUs that somebody could be given now: whole ones, on nodes that are up; pure.

A slice of a card is no GPU, a node that is drained, down or reserved gives nothing, and where the
scheduler does not say what it has given out, nothing is known to be free.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reaper.domain.facts.allocation import Allocation, Capacity
from reaper.domain.facts.device import Device


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Whole GPUs that are free, and slices of cards that are."""

    gpus: int = 0
    slices: int = 0


def room(
    capacities: Iterable[Capacity],
    allocations: Iterable[Allocation],
    there: Mapping[str, Sequence[Device]],
    seen: Iterable[str],
) -> Room:
    """
    Return what is free on all nodes; nodes that are only `seen` are counted by their devices.

    Devices are by node.
    """
    counted, held = tuple(capacities), _held(allocations)
    found = [_of(item, held[item.node], there.get(item.node, ())) for item in counted]
    found += [
        Room(gpus=max(0, _uncut(there.get(node, ())) - held[node]))
        for node in {*seen} - {item.node for item in counted}
    ]
    return Room(gpus=sum(one.gpus for one in found), slices=sum(one.slices for one in found))


def _held(allocations: Iterable[Allocation]) -> Counter[str]:
    return Counter(place.node for item in allocations for place in item.claim.places)


def _of(capacity: Capacity, held: int, devices: Iterable[Device]) -> Room:
    if capacity.state != "up" or capacity.allocated is None:
        return Room()
    free = max(0, capacity.gpus - max(capacity.allocated, held))
    here = tuple(devices)
    instances = sum(device.is_mig for device in here)
    cut = instances if instances + _uncut(here) == capacity.gpus else capacity.slices
    whole = capacity.gpus - cut
    if capacity.slices_allocated is not None:
        slices = max(0, capacity.slices - capacity.slices_allocated)
        return Room(gpus=max(0, free - slices), slices=min(slices, free))
    # Which of the two kinds was given out is not told: a slice is not taken for a GPU.
    slices = min(free, cut)
    return Room(gpus=min(whole, free - slices), slices=slices)


def _uncut(devices: Iterable[Device]) -> int:
    here = tuple(devices)
    parents = {device.parent for device in here if device.is_mig}
    return sum(not device.is_mig and device.gpu not in parents for device in here)
