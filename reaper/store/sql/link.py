"""
One connection within one transaction, that no cancellation and no vendor's error leaves half-done.

A driver that is cancelled within a statement leaves its connection behind with the transaction,
and its lock, open.  So a cancellation is heard between two steps, never within one.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from errno import EDQUOT, ENOSPC
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, CursorResult, Dialect, Executable
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from reaper.ports import NoRoomError, StoreError
from reaper.store.sql import engine as engines

T = TypeVar("T")


class Link:
    """A connection whose steps always end."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    @property
    def dialect(self) -> Dialect:
        """Return which database this is."""
        return self._connection.dialect

    async def execute(
        self, statement: Executable, rows: Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Execute a statement, once or for each row."""
        return await _to_the_end(self._connection.execute(statement, rows))

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Run what needs a plain connection."""
        return await _to_the_end(self._connection.run_sync(work))


@asynccontextmanager
async def linked(engine: AsyncEngine) -> AsyncIterator[Link]:
    """
    Begin a transaction that is written when the block ends well, and undone otherwise.

    Errors of the database become StoreError; those of the block pass.
    """
    at_the_door = (SQLAlchemyError, OSError, *engines.vendor_errors(engine.url))
    with _naming(engine.url, *at_the_door):
        connection = await _to_the_end(_begun(engine), undo=AsyncConnection.close)
    with _naming(engine.url, SQLAlchemyError):
        try:
            yield Link(connection)
            await _to_the_end(connection.commit())
        finally:
            # Closing undoes what was not written.
            await _to_the_end(connection.close())


async def _begun(engine: AsyncEngine) -> AsyncConnection:
    async with AsyncExitStack() as undoing:
        connection = await engine.connect()
        undoing.push_async_callback(connection.close)
        await connection.begin()
        undoing.pop_all()
    return connection


async def _to_the_end(
    work: Coroutine[Any, Any, T],
    *,
    undo: Callable[[T], Coroutine[Any, Any, None]] | None = None,
) -> T:
    """Await a step; when cancelled meanwhile, let it end (and undo it) before that is heard."""
    step = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(step)
    except asyncio.CancelledError:
        await _settled(step)
        if undo is not None and not step.cancelled() and step.exception() is None:
            await _settled(asyncio.ensure_future(undo(step.result())))
        raise


async def _settled(step: "asyncio.Future[Any]") -> None:
    """Wait for the end of a step, however often the waiting is cancelled."""
    while not step.done():
        try:
            await asyncio.wait([step])
        except asyncio.CancelledError:
            continue
    if not step.cancelled():
        step.exception()


@contextmanager
def _naming(url: URL, *errors: type[Exception]) -> Iterator[None]:
    """Name a database's error by its place; never by what was written, never with a password."""
    try:
        yield
    except errors as error:
        cause = getattr(error, "orig", None) or error
        first_line = str(cause).partition("\n")[0]
        kind = NoRoomError if _full(cause) else StoreError
        raise kind(f"store {engines.place_of(url)}: {first_line}") from error


def _full(cause: BaseException) -> bool:
    """Tell whether a disk is full: SQLite says so, or cannot make its files larger."""
    name = getattr(cause, "sqlite_errorname", "")
    number = getattr(cause, "errno", None)
    return name in {"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"} or number in {ENOSPC, EDQUOT}
