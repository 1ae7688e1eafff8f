"""Kubernetes as a source of demand: pods without a node, and what Kueue holds back."""

import asyncio
from collections.abc import Sequence

from reaper.domain.facts.demand import Waiting
from reaper.platforms.kubernetes.holder import Seeing, asked
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import GPUS, Resources
from reaper.platforms.kubernetes.ownership.claiming import PLATFORM, Configured
from reaper.platforms.kubernetes.ownership.waiting import full, requests


class KubernetesDemand:
    """Says what waits, from the same mirrors that the holder reads."""

    name = PLATFORM

    def __init__(
        self,
        mirrors: Sequence[Seeing],
        configured: Configured | None = None,
        resources: Resources = GPUS,
    ) -> None:
        """Ask these mirrors, one for each API server."""
        self._mirrors = tuple(mirrors)
        self._configured = configured or Configured()
        self._resources = resources

    async def waiting(self) -> Waiting:
        """
        Return every pending request for GPUs; raise SourceError.

        Of a cluster that is silent nothing is known to wait.
        """
        answers = [one for one in await asked(self._mirrors) if isinstance(one, Seen)]
        found = [
            await asyncio.to_thread(requests, one, self._configured, self._resources)
            for one in answers
        ]
        return Waiting(
            as_of=min(one.as_of for one in answers),
            requests=tuple(request for several in found for request in several),
            short=tuple(line for one in answers for line in full(one)),
        )
