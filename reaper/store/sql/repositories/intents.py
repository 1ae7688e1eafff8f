"""The room of intents."""

from collections.abc import Sequence

from sqlalchemy import Boolean, Column, Index, Text, true

from reaper.domain.escalation.decision import Intent
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Key, Time, table

INTENTS = Shelf(
    table=table(
        "intents",
        Column("id", Key, primary_key=True),
        Column("open", Boolean, nullable=False),
        Column("created", Time, nullable=False),
        Column("body", Text, nullable=False),
        Index(None, "cluster", "open"),
        Index(None, "cluster", "created"),
    ),
    kind=Intent,
    columns=lambda intent: {
        "id": intent.effect.id,
        "open": intent.open,
        "created": intent.created,
    },
)
_C = INTENTS.table.c


class Intents(Room):
    """What was to be done, and how it went."""

    async def open_intents(self) -> Sequence[Intent]:
        """Return the intents whose outcome is still awaited."""
        return await self._find(INTENTS, _C.open == true(), by=(_C.created,))

    async def intents_since(self, begin: float) -> Sequence[Intent]:
        """Return the intents created since `begin`, oldest first."""
        return await self._find(INTENTS, _C.created >= begin, by=(_C.created,))

    async def keep_intent(self, intent: Intent) -> None:
        """Write an intent."""
        await self._keep(INTENTS, (intent,))
