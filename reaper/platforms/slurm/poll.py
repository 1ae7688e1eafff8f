"""
One question a cycle for everybody: jobs and nodes, asked together, checked, shared, spared.

When Slurm takes longer than it should, it is asked less often: the interval doubles up to five
minutes, until it answers quickly again.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from reaper.platforms.slurm.backend import Backend
from reaper.platforms.slurm.balance import mismatches
from reaper.platforms.slurm.records.record import Job, Node
from reaper.ports import Clock, SourceError

SLOW: Final = 5.0
"""Seconds from which on an answer is slow."""
FRESH: Final = 20.0
"""Seconds for which an answer serves everybody who asks, at the normal pace."""
EVERY: Final = 60.0
"""Seconds between questions that the first slow answer doubles: a step of the normal pace."""
RAREST: Final = 300.0
"""Seconds to which the interval may grow, at the normal pace."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Jobs and nodes as of one instant; `doubts` by node where their sums differ."""

    as_of: float
    jobs: tuple[Job, ...]
    nodes: tuple[Node, ...]
    doubts: Mapping[str, str] = field(default_factory=dict)


class Poll:
    """Asks the back-end, at most three times a step and less often when it is slow."""

    def __init__(self, backend: Backend, clock: Clock, *, step: float = EVERY) -> None:
        self.interval = self._every = step
        self._fresh, self._rarest = FRESH * step / EVERY, RAREST * step / EVERY
        self._backend = backend
        self._clock = clock
        self._lock = asyncio.Lock()
        self._last: Snapshot | None = None
        self._asked = self._not_before = float("-inf")

    async def snapshot(self) -> Snapshot:
        """Return the newest answer; while Slurm is slow an older one, with its own `as_of`."""
        async with self._lock:
            now = self._clock.elapsed()
            if self._last is not None and now < max(self._asked + self._fresh, self._not_before):
                return self._last
            if now < self._not_before:
                raise SourceError(
                    f"slurm: not asked, the last answer took too long; next in "
                    f"{self._not_before - now:.0f} s; look at the controller with: sdiag"
                )
            return await self._ask(now)

    async def _ask(self, begun: float) -> Snapshot:
        self._asked, self._last = begun, None
        try:
            self._last = await self._whole()
        finally:
            self._spare(self._clock.elapsed() - begun)
        return self._last

    async def _whole(self) -> Snapshot:
        """Ask for jobs and nodes; once more where a job may have moved between the two."""
        snapshot = await self._pair()
        return await self._pair() if snapshot.doubts else snapshot

    async def _pair(self) -> Snapshot:
        as_of = self._clock.now()
        jobs = await self._backend.jobs()
        nodes = await self._backend.nodes()
        return Snapshot(as_of=as_of, jobs=jobs, nodes=nodes, doubts=mismatches(jobs, nodes))

    def _spare(self, took: float) -> None:
        if took <= SLOW:
            self.interval = self._every
            return
        self.interval = min(self._rarest, self.interval * 2)
        self._not_before = self._clock.elapsed() + self.interval
        _log.warning("slurm took %.1f s to answer: asked again in %.0f s", took, self.interval)
