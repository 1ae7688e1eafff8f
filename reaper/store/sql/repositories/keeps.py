"""The room of keeps."""

from collections.abc import Sequence

from sqlalchemy import Column, Index, Text

from reaper.domain.escalation.keep import Keep
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Key, Time, table

KEEPS = Shelf(
    table=table(
        "keeps",
        Column("id", Key, primary_key=True),
        Column("begins", Time, nullable=False),
        Column("ends", Time, nullable=False),
        Column("body", Text, nullable=False),
        Index(None, "cluster", "begins"),
        Index(None, "cluster", "ends"),
    ),
    kind=Keep,
    columns=lambda keep: {"id": keep.id, "begins": keep.begin, "ends": keep.until},
)
_C = KEEPS.table.c

RECENT = 8 * 86400.0


class Keeps(Room):
    """What owners said they still need."""

    async def keeps(self, now: float) -> Sequence[Keep]:
        """Return the keeps of the last eight days and those that still stand."""
        recent = (_C.begins >= now - RECENT) | (_C.ends > now)
        return await self._find(KEEPS, recent, by=(_C.begins,))

    async def keep_keep(self, keep: Keep) -> None:
        """Write a keep."""
        await self._keep(KEEPS, (keep,))
