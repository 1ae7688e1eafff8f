"""Slurm as a source of demand: pending jobs that ask for GPUs."""

from reaper.domain.facts.demand import Waiting
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.records.claiming import PLATFORM
from reaper.platforms.slurm.records.purpose import Rule
from reaper.platforms.slurm.records.requests import requests


class SlurmDemand:
    """Says what waits, from the same answer that the holder reads."""

    name = PLATFORM

    def __init__(self, poll: Poll, *, rules: tuple[Rule, ...] = ()) -> None:
        self._poll = poll
        self._rules = rules

    async def waiting(self) -> Waiting:
        """Return every pending request for GPUs; raise SourceError."""
        seen = await self._poll.snapshot()
        found = requests(seen.jobs, now=seen.as_of, rules=self._rules)
        return Waiting(as_of=seen.as_of, requests=found)
