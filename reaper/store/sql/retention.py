"""What is forgotten when it is old enough."""

from sqlalchemy import select

from reaper.store.letters import DAY, HOUR
from reaper.store.sql.events import DEMAND
from reaper.store.sql.records import RECORDS
from reaper.store.sql.room import Room
from reaper.store.sql.tokens import USED
from reaper.store.sql.tracks import DAYS, FRONTIERS, HOURS


class Retention(Room):
    """Forgets inputs and letters; never cases, notices, intents, tenures or events."""

    async def prune(self, *, inputs_before: float, tracks_before: float) -> None:
        """Forget inputs and letters that are old enough, to the day of the grid; run daily."""
        await self._delete(USED, USED.c.at < inputs_before)
        await self._prune_inputs(self._pace.minute(inputs_before) // DAY * DAY)
        await self._prune_tracks(self._pace.minute(tracks_before) // DAY)

    async def _prune_inputs(self, minute: int) -> None:
        gone = select(FRONTIERS.c.gpu).where(
            FRONTIERS.c.cluster == self._cluster, FRONTIERS.c.minute <= minute
        )
        await self._delete(DEMAND, DEMAND.c.minute < minute)
        await self._delete(RECORDS.table, RECORDS.table.c.gpu.in_(gone))

    async def _prune_tracks(self, day: int) -> None:
        await self._delete(DAYS, DAYS.c.day < day)
        await self._delete(HOURS, HOURS.c.hour < day * DAY // HOUR)
        await self._delete(FRONTIERS, FRONTIERS.c.minute <= day * DAY)
