"""The room of holds."""

from collections.abc import Sequence

from sqlalchemy import Column, Text

from reaper.domain.escalation.decision import Hold
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Key, Time, table

HOLDS = Shelf(
    table=table(
        "holds",
        Column("id", Key, primary_key=True),
        Column("begins", Time, nullable=False),
        Column("body", Text, nullable=False),
    ),
    kind=Hold,
    columns=lambda hold: {"id": hold.id, "begins": hold.begin},
)
_C = HOLDS.table.c


class Holds(Room):
    """What is paused, killed, tripped or disputed."""

    async def holds(self) -> Sequence[Hold]:
        """Return every hold that was not lifted."""
        return await self._find(HOLDS, by=(_C.begins,))

    async def keep_hold(self, hold: Hold) -> None:
        """Write a hold."""
        await self._keep(HOLDS, (hold,))

    async def lift_hold(self, hold_id: str) -> None:
        """Remove a hold."""
        await self._delete(HOLDS.table, _C.id == hold_id)
