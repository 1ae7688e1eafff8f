"""The store: who opens it, one writer at a time, and views that never block it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.picture import Picture
from reaper.ports import Books, StoreError
from reaper.store import migrations
from reaper.store.sql import engine as engines
from reaper.store.sql import leadership
from reaper.store.sql.books import SqlBooks
from reaper.store.sql.link import Link, linked


class SqlStore:
    """
    A :class:`reaper.ports.Store` on SQLite or PostgreSQL, for one cluster.

    Open it with `open` or `open_reading`; without a writer every transaction is refused.
    """

    def __init__(
        self, *, writer: AsyncEngine | None, reader: AsyncEngine, cluster: str, pace: Pace
    ) -> None:
        self._writer = writer
        self._reader = reader
        self._cluster = cluster
        self._pace = pace
        self._turn = asyncio.Lock()
        self._at_hand: tuple[float, Picture] | None = None
        self._numbers: tuple[int, Mapping[str, int]] = (0, {})

    @classmethod
    async def open(
        cls, address: str, *, cluster: str, pace: Pace = NORMAL, password: str | None = None
    ) -> "SqlStore":
        """Open for writing: make the file, bring the tables up to date, note the cluster."""
        url = engines.url_of(address, password=password)
        writer = engines.writer(url)
        async with _kept_when_well(writer), linked(writer) as link:
            await link.run_sync(migrations.upgrade)
            await leadership.enter(link, cluster, pace)
        return cls(writer=writer, reader=engines.reader(url), cluster=cluster, pace=pace)

    @classmethod
    async def open_reading(
        cls, address: str, *, cluster: str, pace: Pace = NORMAL, password: str | None = None
    ) -> "SqlStore":
        """Open an existing store for reading, beside a running reaper or without one."""
        url = engines.url_of(address, password=password)
        if engines.is_sqlite(url) and not engines.file_of(url).exists():
            raise StoreError(f"no store at {engines.file_of(url)}; `gpu-reaper run` makes it")
        reader = engines.reader(url)
        async with _kept_when_well(reader), linked(reader) as link:
            await link.run_sync(migrations.check_revision)
            await leadership.check_grid(link, cluster, pace)
        return cls(writer=None, reader=reader, cluster=cluster, pace=pace)

    @asynccontextmanager
    async def transaction(self, epoch: int) -> AsyncIterator[Books]:
        """Open a transaction under a leader's epoch; raise LostLeadershipError when fenced."""
        writer = self._for_writing()
        async with self._turn, linked(writer) as link:
            await leadership.fence(link, self._cluster, epoch)
            books = self._books(link, writable=True)
            # Who lost the lead meanwhile has missed which numbers were given and forgotten.
            led, numbers = self._numbers
            books.known_numbers = numbers if led == epoch else {}
            yield books
            await leadership.fence(link, self._cluster, epoch, lock=True)
        self._at_hand, self._numbers = books.left(), (epoch, books.numbers())

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Books]:
        """Open a read-only view of one moment."""
        async with linked(self._reader) as link:
            yield self._books(link, writable=False)

    async def lead(self, holder: str, now: float) -> int:
        """Take leadership and return its epoch; every earlier epoch is fenced from then on."""
        writer = self._for_writing()
        async with self._turn, linked(writer) as link:
            return await leadership.lead(link, self._cluster, holder, now)

    async def close(self) -> None:
        """Release the database."""
        await self._reader.dispose()
        if self._writer is not None:
            await self._writer.dispose()

    def _books(self, link: Link, *, writable: bool) -> SqlBooks:
        books = SqlBooks(link, cluster=self._cluster, pace=self._pace, writable=writable)
        books.at_hand = self._at_hand
        return books

    def _for_writing(self) -> AsyncEngine:
        if self._writer is None:
            raise StoreError("this store was opened for reading; only the running reaper writes")
        return self._writer


@asynccontextmanager
async def _kept_when_well(engine: AsyncEngine) -> AsyncIterator[None]:
    """Release an engine unless the block ends well."""
    async with AsyncExitStack() as undoing:
        undoing.push_async_callback(engine.dispose)
        yield
        undoing.pop_all()
