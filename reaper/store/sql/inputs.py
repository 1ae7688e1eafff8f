"""The room of inputs: what was known of idle runs, from which minute on."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Column, Text, select

from reaper.domain.facts.inputs import HOLDS, Entry, Inputs
from reaper.store.codec import decode, encode
from reaper.store.sql.room import Room
from reaper.store.sql.tables import Count, Key, table

INPUTS = table(
    "inputs",
    Column("minute", Count, primary_key=True, autoincrement=False),
    Column("run_key", Key, primary_key=True),
    Column("body", Text, nullable=False),
)

#: The body of an entry from which on nothing is known.
_NOTHING: Final = ""


class KnownInputs(Room):
    """What was known of runs beside their letters."""

    async def inputs(self, first: int, end: int, *, run_key: str | None = None) -> Sequence[Entry]:
        """Return what was known in ``[first, end)``, and what may still hold at `first`."""
        columns = INPUTS.c
        query = select(columns.run_key, columns.minute, columns.body).where(
            columns.cluster == self._cluster,
            columns.minute >= first - HOLDS,
            columns.minute < end,
        )
        if run_key is not None:
            query = query.where(columns.run_key == run_key)
        found = await self._link.execute(query.order_by(columns.minute, columns.run_key))
        return [_entry(*row) for row in map(tuple, found.all())]

    async def append_inputs(self, entries: Sequence[Entry]) -> None:
        """Write what was known; (run key, minute) is their key."""
        rows = [
            {
                "cluster": self._cluster,
                "minute": entry.minute,
                "run_key": entry.run_key,
                "body": encode(entry.inputs) if entry.inputs is not None else _NOTHING,
            }
            for entry in entries
        ]
        await self._upsert(INPUTS, rows)


def _entry(run_key: str, minute: int, body: str) -> Entry:
    known = decode(Inputs, body) if body else None
    return Entry(run_key=run_key, minute=minute, inputs=known)
