"""
Cards behind a scheduler's count: MIG instances are counted as GPUs, but bought as cards; pure.

What a partition leaves uncut of its cards is stranded: nobody can hold it until it is cut again.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from reaper.domain.facts.allocation import Capacity
from reaper.domain.facts.device import Device


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """A node's cards, and how much of them no instance was cut from."""

    gpus: int
    stranded: float = 0.0


def cards(item: Capacity, devices: Iterable[Device]) -> Cards:
    """
    Return the cards that a node's counted GPUs are.

    Where the count is not that of the devices that its exporter shows, it is believed as it is.
    """
    here = tuple(devices)
    parts: dict[str, float] = defaultdict(float)
    for device in here:
        if device.is_mig:
            compute, whole = device.slices
            parts[device.parent] += compute / whole
    uncut = [device for device in here if not device.is_mig and device.gpu not in parts]
    instances = sum(1 for device in here if device.is_mig)
    if not instances or item.gpus != instances + len(uncut):
        return Cards(gpus=item.gpus)
    stranded = sum(max(0.0, 1.0 - part) for part in parts.values())
    return Cards(gpus=len(uncut) + len(parts), stranded=round(stranded, 9))
