"""The room of the ledger's spans: tenures and capacity."""

from collections.abc import Sequence

from sqlalchemy import Column, ColumnElement, Index, Table, Text

from reaper.domain.money.entries import CapacitySpan, Tenure
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Key, Time, table

TENURES = Shelf(
    table=table(
        "tenures",
        Column("run_key", Key, primary_key=True),
        Column("gpu", Key, primary_key=True),
        Column("begins", Time, primary_key=True),
        Column("ends", Time),
        Column("body", Text, nullable=False),
        Index(None, "cluster", "ends"),
        Index(None, "cluster", "begins"),
    ),
    kind=Tenure,
    columns=lambda tenure: {
        "run_key": tenure.run.key,
        "gpu": tenure.gpu,
        "begins": tenure.begin,
        "ends": tenure.end,
    },
)

CAPACITY = Shelf(
    table=table(
        "capacity",
        Column("node", Key, primary_key=True),
        Column("model", Key, primary_key=True),
        Column("state", Key, primary_key=True),
        Column("begins", Time, primary_key=True),
        Column("ends", Time),
        Column("body", Text, nullable=False),
        Index(None, "cluster", "ends"),
        Index(None, "cluster", "begins"),
    ),
    kind=CapacitySpan,
    columns=lambda span: {
        "node": span.node,
        "model": span.model,
        "state": span.state,
        "begins": span.begin,
        "ends": span.end,
    },
)


class Ledger(Room):
    """Who held what, and what there was to hold."""

    async def open_tenures(self) -> Sequence[Tenure]:
        """Return the tenures that have not ended."""
        ends, begins = TENURES.table.c.ends, TENURES.table.c.begins
        return await self._find(TENURES, ends.is_(None), by=(begins,))

    async def tenures(self, begin: float, end: float) -> Sequence[Tenure]:
        """Return the tenures that overlap ``[begin, end)``."""
        overlap = _overlap(TENURES.table, begin, end)
        return await self._find(TENURES, overlap, by=(TENURES.table.c.begins,))

    async def tenures_of(self, run_key: str) -> Sequence[Tenure]:
        """Return the tenures of a run."""
        columns = TENURES.table.c
        return await self._find(TENURES, columns.run_key == run_key, by=(columns.begins,))

    async def keep_tenures(self, tenures: Sequence[Tenure]) -> None:
        """Write tenures; (run key, device, begin) is their key."""
        await self._keep(TENURES, tenures)

    async def open_capacity(self) -> Sequence[CapacitySpan]:
        """Return the capacity spans that have not ended."""
        ends, begins = CAPACITY.table.c.ends, CAPACITY.table.c.begins
        return await self._find(CAPACITY, ends.is_(None), by=(begins,))

    async def capacity(self, begin: float, end: float) -> Sequence[CapacitySpan]:
        """Return the capacity spans that overlap ``[begin, end)``."""
        overlap = _overlap(CAPACITY.table, begin, end)
        return await self._find(CAPACITY, overlap, by=(CAPACITY.table.c.begins,))

    async def keep_capacity(self, spans: Sequence[CapacitySpan]) -> None:
        """Write capacity spans; (node, model, state, begin) is their key."""
        await self._keep(CAPACITY, spans)


def _overlap(spans: Table, begin: float, end: float) -> ColumnElement[bool]:
    lasting = spans.c.ends.is_(None) | (spans.c.ends > begin)
    return (spans.c.begins < end) & lasting
