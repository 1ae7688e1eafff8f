"""A large cluster's allocations: 100,000 GPUs in 20,000 of them, two to a node."""

from collections.abc import Iterator

from reaper.domain.facts.allocation import Allocation, Claim, Place
from reaper.domain.facts.device import Device
from tests.builders import START, run

ALLOCATIONS, GPUS = 20_000, 5
MINUTES = 120
"""How long a track of each of their devices is."""


def allocations() -> Iterator[Allocation]:
    """Yield them, each whole on one node."""
    for number in range(ALLOCATIONS):
        node = f"n{number // 2}"
        held = tuple(
            Device(gpu=f"{node}-{number}-{index}", node=node, gres_index=index)
            for index in range(GPUS)
        )
        claim = Claim(
            run=run(str(number)),
            places=tuple(Place(node=node, gpu=device.gpu) for device in held),
            user=f"u{number % 400}",
            as_of=START,
        )
        yield Allocation(run=claim.run, devices=held, expected=GPUS, claim=claim)
