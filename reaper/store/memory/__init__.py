"""
The store in memory: everything of a :class:`reaper.ports.Store` but lasting; for tests and replay.

A transaction writes on a branch that becomes the state when it ends well; a reader keeps the
state it began with.  It refuses to be fast at what only a test asks: a query looks at every value.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from reaper.domain.facts.grid import NORMAL, Pace
from reaper.ports import Books, LostLeadershipError
from reaper.store.memory.books import MemoryBooks
from reaper.store.memory.shelves import Shelves


class MemoryStore:
    """A :class:`reaper.ports.Store` that forgets everything at exit."""

    def __init__(self, *, cluster: str, pace: Pace = NORMAL) -> None:
        self._cluster = cluster
        self._pace = pace
        self._shelves = Shelves()
        self._epoch = 0
        self._holder = ""
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def transaction(self, epoch: int) -> AsyncIterator[Books]:
        """Open a transaction under a leader's epoch; raise LostLeadershipError when fenced."""
        async with self._turn:
            self._fence(epoch)
            branch = self._shelves.branch()
            yield MemoryBooks(branch, pace=self._pace)
            self._shelves = branch

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Books]:
        """Open a read-only view of one moment."""
        yield MemoryBooks(self._shelves.sealed(), pace=self._pace)

    async def lead(self, holder: str, now: float) -> int:
        """Take leadership and return its epoch; every earlier epoch is fenced from then on."""
        async with self._turn:
            self._epoch += 1
            self._holder = holder
            return self._epoch

    async def close(self) -> None:
        """Keep everything: the same store may be opened again by a test."""

    def _fence(self, epoch: int) -> None:
        if epoch != self._epoch:
            raise LostLeadershipError(
                f"cluster {self._cluster!r}: epoch {epoch} is over, {self._holder or 'nobody'} "
                f"leads with epoch {self._epoch}; this process must stop acting"
            )
