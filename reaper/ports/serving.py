"""The role of those who count what inference servers answer."""

from collections.abc import Sequence
from typing import Protocol

from reaper.domain.facts.allocation import Claim
from reaper.domain.facts.serving import Answered


class Serving(Protocol):
    """Says how many requests inference servers have answered."""

    name: str

    async def answered(self, claims: Sequence[Claim]) -> Answered:
        """
        Return the counters of the servers that run as these claims.

        A server that does not answer is left out: it is unseen, not idle.
        """
