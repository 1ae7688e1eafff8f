"""Slurm as a holder: every live run with its exact GPUs, every node's capacity."""

import asyncio
from collections.abc import Mapping
from typing import Final

from reaper.domain.facts.allocation import Capacity, Claim, Inventory
from reaper.platforms.slurm.claiming import PLATFORM, Ground, claims
from reaper.platforms.slurm.ending import ended
from reaper.platforms.slurm.gres import count, model, slices
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.purpose import Rule
from reaper.platforms.slurm.record import Node
from reaper.ports import Claims

_DOWN: Final = frozenset(
    (
        "DOWN",
        "FAIL",
        "FAILING",
        "FUTURE",
        "INVALID_REG",
        "NOT_RESPONDING",
        "NO_RESPOND",
        "POWERED_DOWN",
        "POWERING_DOWN",
        "POWER_DOWN",
        "REBOOT_ISSUED",
        "UNKNOWN",
    )
)
_DRAINED: Final = frozenset(("DRAIN", "DRAINED", "DRAINING"))
_RESERVED: Final = frozenset(("MAINT", "MAINTENANCE", "RESERVED"))


class SlurmHolder:
    """Says which runs hold which GPUs of a cluster."""

    name = PLATFORM

    def __init__(self, poll: Poll, *, cluster: str, rules: tuple[Rule, ...] = ()) -> None:
        self._poll = poll
        self._cluster = cluster
        self._rules = rules
        self._before: Mapping[int, Claim] = {}

    async def claims(self, inventory: Inventory) -> Claims:
        """Return every live run and every GPU node's capacity; raise SourceError."""
        seen = await self._poll.snapshot()
        ground = Ground(
            cluster=self._cluster, as_of=seen.as_of, doubts=seen.doubts, rules=self._rules
        )
        self._before = await asyncio.to_thread(claims, seen.jobs, ground, self._before)
        return Claims(
            as_of=seen.as_of,
            claims=tuple(self._before.values()),
            capacities=tuple(_capacity(node) for node in seen.nodes if node.gpus),
            ended=tuple(ended(seen.jobs, self._rules)),
        )


def _capacity(node: Node) -> Capacity:
    cut = slices(node.gpus)
    return Capacity(
        node=node.name,
        gpus=count(node.gpus),
        state=_state(node),
        model=model(node.gpus),
        allocated=node.used,
        partitions=node.partitions,
        slices=cut,
        slices_allocated=node.used_slices if cut and node.used is not None else None,
    )


def _state(node: Node) -> str:
    if node.states & _DOWN:
        return "down"
    if node.states & _DRAINED:
        return "drained"
    return "reserved" if node.reservation or node.states & _RESERVED else "up"
