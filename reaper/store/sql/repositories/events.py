"""The rooms that only grow: events and demand."""

import json
from collections.abc import Sequence

from sqlalchemy import Column, Index, Text, func, insert, select

from reaper.domain.money.entries import RUN_BEGAN, DemandPoint, Event, called, ident_of
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Count, Key, Time, table

EVENTS = Shelf(
    table=table(
        "events",
        Column("number", Count, primary_key=True, autoincrement=False),
        Column("at", Time, nullable=False),
        Column("run_key", Key, nullable=False),
        Column("body", Text, nullable=False),
        Column("ident", Key),
        Index(None, "cluster", "at"),
        Index(None, "cluster", "run_key"),
        Index(None, "cluster", "ident"),
    ),
    kind=Event,
    columns=lambda event: {"at": event.at, "run_key": event.run_key, "ident": ident_of(event)},
)
"""An event that was written before there were idents has none, not even the empty one."""
_C = EVENTS.table.c

DEMAND = table(
    "demand",
    Column("minute", Count, primary_key=True, autoincrement=False),
    Column("gpus", Count, nullable=False),
)


class Events(Room):
    """What happened, in order, and what was waited for."""

    async def events(
        self, *, run_key: str = "", begin: float = 0.0, end: float | None = None
    ) -> Sequence[Event]:
        """Return events in time order, of one run or of all."""
        if run_key:
            # By the run alone: told of a time, too, SQLite would walk all events since then.
            found = await self._find(EVENTS, _C.run_key == run_key, by=(_C.at,))
            return [one for one in found if begin <= one.at and (end is None or one.at < end)]
        where = [_C.at >= begin] if end is None else [_C.at >= begin, _C.at < end]
        return await self._find(EVENTS, *where, by=(_C.at,))

    async def begins_named(self, name: str) -> Sequence[Event]:
        """Return the begins of runs that go by a name: an id, ``platform/id`` or a key."""
        if not name:
            return []
        if keyed := called(await self.events(run_key=name), name):
            return keyed
        if not await self._nameless():
            idents = {name, name.partition("/")[2]} - {""}
            return called(await self._find(EVENTS, _C.ident.in_(idents), by=(_C.at,)), name)
        said = _C.body.contains(f'{json.dumps(name)[1:-1]}"', autoescape=True)
        begins = _C.body.contains(json.dumps(RUN_BEGAN), autoescape=True)
        return called(await self._find(EVENTS, said, begins, by=(_C.at,)), name)

    async def _nameless(self) -> bool:
        """Tell whether there are events without an ident, so that all must be looked through."""
        query = select(_C.number).where(_C.cluster == self._cluster, _C.ident.is_(None)).limit(1)
        return (await self._link.execute(query)).first() is not None

    async def append_events(self, events: Sequence[Event]) -> None:
        """Write events."""
        self._must_be_writable()
        if not events:
            return
        last = select(func.max(_C.number)).where(_C.cluster == self._cluster)
        number = (await self._link.execute(last)).scalar_one() or 0
        rows = EVENTS.rows(self._cluster, events)
        numbered = [{"number": number + n, **row} for n, row in enumerate(rows, start=1)]
        await self._link.execute(insert(EVENTS.table), numbered)

    async def demand(self, first: int, end: int) -> Sequence[DemandPoint]:
        """Return the demand of the minutes ``[first, end)``."""
        columns = DEMAND.c
        within = (columns.minute >= first) & (columns.minute < end)
        query = select(columns.minute, columns.gpus).where(columns.cluster == self._cluster, within)
        found = (await self._link.execute(query.order_by(columns.minute))).all()
        return [DemandPoint(minute=row.minute, gpus=row.gpus) for row in found]

    async def append_demand(self, point: DemandPoint) -> None:
        """Write a minute's demand."""
        row = {"cluster": self._cluster, "minute": point.minute, "gpus": point.gpus}
        await self._upsert(DEMAND, (row,))
