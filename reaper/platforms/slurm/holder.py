"""Slurm as a holder: every live run with its exact GPUs, every node's capacity."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from reaper.domain.facts.allocation import Capacity, Claim, Inventory
from reaper.domain.facts.ending import Ended
from reaper.platforms.platform import Recorded
from reaper.platforms.slurm.ending import ended, forgotten
from reaper.platforms.slurm.poll import EVERY, Poll, Snapshot
from reaper.platforms.slurm.records.claiming import PLATFORM, Ground, claims
from reaper.platforms.slurm.records.gres import count, model, slices
from reaper.platforms.slurm.records.purpose import Rule
from reaper.platforms.slurm.records.record import Node
from reaper.ports import Claims, SourceError

_log = logging.getLogger(__name__)

#: The controller remembers what ended for five minutes, unless a site says otherwise.
_REMEMBERS: Final = 240.0
#: Longest time of which accounting is asked, and how long it has to answer: claims wait for it.
_LONGEST: Final = 7 * 86400.0
_PATIENCE: Final = 10.0

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

    def __init__(
        self,
        poll: Poll,
        *,
        cluster: str,
        rules: tuple[Rule, ...] = (),
        accounting: Recorded | None = None,
        step: float = EVERY,
    ) -> None:
        self._poll = poll
        self._cluster = cluster
        self._rules = rules
        self._accounting = accounting
        self._remembers = _REMEMBERS * step / EVERY
        self._before: Mapping[int, Claim] = {}
        self._since: float | None = None
        self._late: tuple[Ended, ...] = ()
        self._told_until = float("-inf")

    def resume(self, since: float | None) -> None:
        """Take over when answers were taken in last, before this start."""
        self._since = since

    async def claims(self, inventory: Inventory) -> Claims:
        """Return every live run and every GPU node's capacity; raise SourceError."""
        seen = await self._poll.snapshot()
        await self._look_back(seen)
        ground = Ground(
            cluster=self._cluster, as_of=seen.as_of, doubts=seen.doubts, rules=self._rules
        )
        self._before = await asyncio.to_thread(claims, seen.jobs, ground, self._before)
        return Claims(
            as_of=seen.as_of,
            claims=tuple(self._before.values()),
            capacities=tuple(_capacity(node) for node in seen.nodes if node.gpus),
            ended=(*ended(seen.jobs, self._rules), *self._late),
        )

    async def _look_back(self, seen: Snapshot) -> None:
        """
        Learn what ended while nobody asked, and tell it for as long as the controller would.

        Accounting that does not answer leaves a gap: it is not asked again.
        """
        since, self._since = self._since, seen.as_of
        if seen.as_of > self._told_until:
            self._late = ()
        if self._accounting is None or since is None or seen.as_of - since <= self._remembers:
            return
        begin = max(since, seen.as_of - _LONGEST)
        try:
            async with asyncio.timeout(_PATIENCE):
                found = await self._accounting(begin, seen.as_of)
        except (SourceError, TimeoutError) as error:
            why = str(error) or f"no answer within {_PATIENCE:g} s"
            _log.warning(
                "what ended in the last %.0f s is not counted: %s", seen.as_of - begin, why
            )
            return
        purposes = {ident: claim.purpose for ident, claim in self._before.items()}
        late = forgotten(found, seen.jobs, self._rules, purposes)
        self._late = tuple(one for one in late if one.at is not None and one.at > begin)
        self._told_until = seen.as_of + self._remembers


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
