"""What every room of the books works with: the open transaction and its shelves of values."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, Row, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from reaper.domain.facts.grid import Pace
from reaper.ports import StoreError
from reaper.store.codec import decode, encode, pack, unpack
from reaper.store.sql.link import Link

T = TypeVar("T")

#: Values that are coded and written at once: what many need in between stays small.
_PORTION: Final = 2048

#: Values that are kept by their bodies: cases and notices that stand at 100,000 GPUs.
_AGAIN: Final = 12_000

#: Values from which on they are coded in a thread, so that the loop stays free.
BULK: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf(Generic[T]):
    """A table of whole values of one type; `columns` are its key and what is asked of it."""

    table: Table
    kind: type[T]
    columns: Callable[[T], Mapping[str, object]]
    packed: bool = False
    """Whether bodies are compressed."""

    def rows(self, cluster: str, values: Iterable[T]) -> list[dict[str, object]]:
        """Return the values as rows."""
        write = pack if self.packed else encode
        return [
            {"cluster": cluster, **self.columns(value), "body": write(value)} for value in values
        ]

    def values(self, bodies: Iterable[Any]) -> list[T]:
        """Return the values of bodies."""
        read = unpack if self.packed else decode
        return [read(self.kind, body) for body in bodies]

    def same(self, bodies: Iterable[str]) -> list[T]:
        """Return the values of bodies of which most were read a minute ago: the same ones again."""
        return [_known(self.kind, body) for body in bodies]  # type: ignore[arg-type]


class Room:
    """A part of the books within one transaction."""

    def __init__(self, link: Link, *, cluster: str, pace: Pace, writable: bool) -> None:
        self._link = link
        self._cluster = cluster
        self._pace = pace
        self._writable = writable

    async def _keep(self, shelf: Shelf[T], values: Sequence[T]) -> None:
        for first in range(0, len(values), _PORTION):
            some = values[first : first + _PORTION]
            rows = await coded(len(some), shelf.rows, self._cluster, some)
            await self._upsert(shelf.table, rows)

    async def _find(
        self,
        shelf: Shelf[T],
        *where: ColumnElement[bool],
        by: Sequence[ColumnElement[Any]] = (),
        again: bool = False,
    ) -> list[T]:
        """
        Return the values that fit, ordered `by` columns and then by their key.

        What is read `again` and again is made once while its body stays as it is.
        They are put in order here: asked for an order, SQLite would rather walk a whole table along
        an index that has it than look up the few rows that fit.
        """
        columns = shelf.table.c
        own = (column for column in shelf.table.primary_key if column is not columns.cluster)
        keys = (*by, *own)
        query = select(columns.body, *keys).where(columns.cluster == self._cluster, *where)
        rows = (await self._link.execute(query)).all()
        return await coded(len(rows), _in_order, shelf.same if again else shelf.values, rows)

    async def _upsert(
        self,
        table: Table,
        rows: Sequence[Mapping[str, object]],
        replacing: Callable[[Table, Any], dict[str, Any]] | None = None,
    ) -> None:
        """Write rows over those with the same key, whole or as `replacing` says."""
        self._must_be_writable()
        if not rows:
            return
        insert = sqlite.insert(table) if self._is_sqlite else postgresql.insert(table)
        key = table.primary_key.columns
        changed: dict[str, Any] = {
            name: insert.excluded[name] for name in rows[0] if name not in key
        }
        if replacing is not None:
            changed = replacing(table, insert.excluded)
        statement = (
            insert.on_conflict_do_update(index_elements=list(key), set_=changed)
            if changed
            else insert.on_conflict_do_nothing()
        )
        await self._link.execute(statement, list(rows))

    async def _delete(self, table: Table, *where: ColumnElement[bool]) -> None:
        self._must_be_writable()
        statement = delete(table).where(table.c.cluster == self._cluster, *where)
        await self._link.execute(statement)

    @property
    def _is_sqlite(self) -> bool:
        return self._link.dialect.name == "sqlite"

    def _must_be_writable(self) -> None:
        if not self._writable:
            raise StoreError("this view of the store is for reading; write in a transaction")


def _in_order(read: Callable[[Iterable[Any]], list[T]], rows: Sequence[Row[Any]]) -> list[T]:
    """Return the values of rows whose first column is a body, ordered by the others."""
    ordered = sorted(map(tuple, rows), key=lambda row: row[1:])
    return read(row[0] for row in ordered)


@lru_cache(maxsize=_AGAIN)
def _known(kind: type[T], body: str) -> T:
    return decode(kind, body)


Result = TypeVar("Result")


async def coded(count: int, work: Callable[..., Result], *arguments: object) -> Result:
    """Code or decode so many values; many in a thread."""
    if count < BULK:
        return work(*arguments)
    return await asyncio.to_thread(work, *arguments)
