"""A store whose process dies at a chosen write: before it is committed, or right after."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from reaper.ports import Books, Store


class CrashError(BaseException):
    """The process is gone; no handler may catch it."""


@dataclass(slots=True)
class CrashingStore:
    """Dies once, at the write number `at`; `after` tells whether the write is kept."""

    inner: Store
    at: int
    after: bool
    writes: int = 0

    @asynccontextmanager
    async def transaction(self, epoch: int) -> AsyncIterator[Books]:
        """Write, unless this is the moment."""
        self.writes += 1
        dies = self.writes == self.at
        async with self.inner.transaction(epoch) as books:
            yield books
            if dies and not self.after:
                raise CrashError
        if dies:
            raise CrashError

    def reading(self) -> AbstractAsyncContextManager[Books]:
        """Read as usual."""
        return self.inner.reading()

    async def lead(self, holder: str, now: float) -> int:
        """Lead as usual."""
        return await self.inner.lead(holder, now)

    async def close(self) -> None:
        """Close as usual."""
        await self.inner.close()
