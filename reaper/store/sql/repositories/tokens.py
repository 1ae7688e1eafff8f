"""The room of single-use tokens that were used."""

from sqlalchemy import Column, Index, select
from sqlalchemy.dialects import postgresql, sqlite

from reaper.store.sql.room import Room
from reaper.store.sql.tables import Key, Time, table

USED = table(
    "used_tokens",
    Column("id", Key, primary_key=True),
    Column("by", Key, nullable=False),
    Column("at", Time, nullable=False),
    Index(None, "cluster", "at"),
)


class Tokens(Room):
    """Which rights to answer were used, by whom and when."""

    async def use_token(self, use: str, *, by: str, at: float) -> bool:
        """Note that a single-use token was used; False when it was before.  Kept as inputs are."""
        self._must_be_writable()
        insert = sqlite.insert(USED) if self._is_sqlite else postgresql.insert(USED)
        row = {"cluster": self._cluster, "id": use, "by": by, "at": at}
        written = await self._link.execute(insert.values(row).on_conflict_do_nothing())
        return written.rowcount == 1

    async def token_used(self, use: str) -> bool:
        """Tell whether a single-use token was used."""
        own = USED.c.cluster == self._cluster, USED.c.id == use
        return (await self._link.execute(select(USED.c.id).where(*own))).first() is not None
