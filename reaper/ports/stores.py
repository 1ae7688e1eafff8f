"""The store: who may write, and how."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from reaper.ports.books import Books


class Store(Protocol):
    """Keeps everything; one writer."""

    def transaction(self, epoch: int) -> AbstractAsyncContextManager[Books]:
        """Open a transaction under a leader's epoch; raise LostLeadershipError when fenced."""

    def reading(self) -> AbstractAsyncContextManager[Books]:
        """Open a read-only view."""

    async def lead(self, holder: str, now: float) -> int:
        """Take leadership and return its epoch; every earlier epoch is fenced from then on."""

    async def close(self) -> None:
        """Release the database."""
