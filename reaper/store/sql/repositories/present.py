"""The room of what the last cycle left: its heartbeat and its picture."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Column, LargeBinary, select

from reaper.domain.brief import brief, named
from reaper.domain.picture import Picture
from reaper.store.leaves import pack_picture, unpack_brief, unpack_named, unpack_picture
from reaper.store.sql.room import Room
from reaper.store.sql.tables import Time, table

HEARTBEATS = table("heartbeats", Column("at", Time, nullable=False))

PICTURES = table("pictures", Column("body", LargeBinary, nullable=False))


class Present(Room):
    """What the last cycle left."""

    at_hand: tuple[float, Picture] | None = None
    """The picture that this process wrote last, by its heartbeat: it need not be read again."""
    _beat: float | None = None
    _drawn: Picture | None = None

    def left(self) -> tuple[float, Picture] | None:
        """Return what is at hand once this transaction is written."""
        if self._drawn is None:
            return self.at_hand
        return None if self._beat is None else (self._beat, self._drawn)

    async def heartbeat(self) -> float | None:
        """Return when the last cycle was written; None before the first."""
        query = select(HEARTBEATS.c.at).where(HEARTBEATS.c.cluster == self._cluster)
        at: float | None = (await self._link.execute(query)).scalar_one_or_none()
        return at

    async def keep_heartbeat(self, now: float) -> None:
        """Note that a cycle was written."""
        self._beat = now
        await self._upsert(HEARTBEATS, ({"cluster": self._cluster, "at": now},))

    async def picture(self) -> Picture | None:
        """Return the picture of the last cycle; the one that this process wrote is at hand."""
        known = await self._known()
        return known if known is not None else await self._read(unpack_picture)

    async def brief_picture(self) -> Picture | None:
        """Return what is read first of the picture, without reading all of it."""
        known = await self._known()
        if known is not None:
            return await asyncio.to_thread(brief, known)
        return await self._read(unpack_brief)

    async def picture_of(self, name: str) -> Picture | None:
        """Return the picture with no rows but those that go by a name."""
        known = await self._known()
        if known is not None:
            return replace(known, rows=named(known.rows, name))
        return await self._read(unpack_named, name)

    async def keep_picture(self, picture: Picture) -> None:
        """Write the picture of this cycle over the last one."""
        self._drawn = picture
        body = await asyncio.to_thread(pack_picture, picture)
        await self._upsert(PICTURES, ({"cluster": self._cluster, "body": body},))

    async def _known(self) -> Picture | None:
        """Return the picture that this process wrote, while it is still the last one."""
        if self._drawn is not None:
            return self._drawn
        if self.at_hand is not None and self.at_hand[0] == await self.heartbeat():
            return self.at_hand[1]
        return None

    async def _read(self, unpacked: Callable[..., Picture], *how: str) -> Picture | None:
        query = select(PICTURES.c.body).where(PICTURES.c.cluster == self._cluster)
        body = (await self._link.execute(query)).scalar_one_or_none()
        return None if body is None else await asyncio.to_thread(unpacked, body, *how)
