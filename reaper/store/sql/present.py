"""The room of what the last cycle left: its heartbeat and its picture."""

import asyncio

from sqlalchemy import Column, Text, select

from reaper.domain.picture import Picture
from reaper.store.codec import decode, encode
from reaper.store.sql.room import Room
from reaper.store.sql.tables import Time, table

HEARTBEATS = table("heartbeats", Column("at", Time, nullable=False))

PICTURES = table("pictures", Column("body", Text, nullable=False))


class Present(Room):
    """What the last cycle left."""

    async def heartbeat(self) -> float | None:
        """Return when the last cycle was written; None before the first."""
        query = select(HEARTBEATS.c.at).where(HEARTBEATS.c.cluster == self._cluster)
        at: float | None = (await self._link.execute(query)).scalar_one_or_none()
        return at

    async def keep_heartbeat(self, now: float) -> None:
        """Note that a cycle was written."""
        await self._upsert(HEARTBEATS, ({"cluster": self._cluster, "at": now},))

    async def picture(self) -> Picture | None:
        """Return the picture of the last cycle."""
        query = select(PICTURES.c.body).where(PICTURES.c.cluster == self._cluster)
        body = (await self._link.execute(query)).scalar_one_or_none()
        return None if body is None else await asyncio.to_thread(decode, Picture, body)

    async def keep_picture(self, picture: Picture) -> None:
        """Write the picture of this cycle over the last one."""
        body = await asyncio.to_thread(encode, picture)
        await self._upsert(PICTURES, ({"cluster": self._cluster, "body": body},))
