"""What is forgotten when it is old enough."""

from typing import Final

from sqlalchemy import ColumnElement, func, select

from reaper.domain.facts.inputs import PREFIXES
from reaper.store.letters import DAY, HOUR
from reaper.store.sql.repositories.events import DEMAND
from reaper.store.sql.repositories.inputs import INPUTS
from reaper.store.sql.repositories.records import RECORDS
from reaper.store.sql.repositories.sheets import NUMBERS
from reaper.store.sql.repositories.tokens import USED
from reaper.store.sql.repositories.tracks import DAYS, FRONTIERS, HOURS, Tracks

#: A minute that no letter is of: later than all.
_EVER: Final = 2**60


class Retention(Tracks):
    """Forgets inputs and letters; never cases, notices, intents, tenures or events."""

    async def prune(self, *, inputs_before: float, tracks_before: float) -> None:
        """Forget inputs and letters that are old enough, to the day of the grid; run daily."""
        await self._delete(USED, USED.c.at < inputs_before)
        await self._fold(_EVER)
        await self._prune_inputs(self._pace.minute(inputs_before) // DAY)
        await self._prune_tracks(self._pace.minute(tracks_before) // DAY)
        await self._forget_numbers()

    async def _prune_inputs(self, day: int) -> None:
        minute = day * DAY
        gone = select(FRONTIERS.c.gpu).where(
            FRONTIERS.c.cluster == self._cluster, FRONTIERS.c.minute <= minute
        )
        await self._delete(DEMAND, DEMAND.c.minute < minute)
        await self._delete(RECORDS.table, RECORDS.table.c.gpu.in_(gone))
        await self._delete(INPUTS, INPUTS.c.minute < minute)
        for prefix in PREFIXES:
            await self._prune_letters(prefix, day)

    async def _prune_letters(self, prefix: str, day: int) -> None:
        """Seek them in each day: the letters of devices, which stay, are many more."""
        own = DAYS.c.cluster == self._cluster
        oldest = (await self._link.execute(select(func.min(DAYS.c.day)).where(own))).scalar()
        days = DAYS.c.day.in_(range(day if oldest is None else oldest, day))
        await self._delete(DAYS, days, *_begins(DAYS.c.gpu, prefix))
        hours = HOURS.c.hour < day * DAY // HOUR
        await self._delete(HOURS, hours, *_begins(HOURS.c.gpu, prefix))
        ended = FRONTIERS.c.minute <= day * DAY
        await self._delete(FRONTIERS, ended, *_begins(FRONTIERS.c.gpu, prefix))

    async def _prune_tracks(self, day: int) -> None:
        await self._delete(DAYS, DAYS.c.day < day)
        await self._delete(HOURS, HOURS.c.hour < day * DAY // HOUR)
        await self._delete(FRONTIERS, FRONTIERS.c.minute <= day * DAY)

    async def _forget_numbers(self) -> None:
        """Forget the numbers of what no letters are kept of; there are no sheets now."""
        kept = select(FRONTIERS.c.gpu).where(FRONTIERS.c.cluster == self._cluster)
        await self._delete(NUMBERS, NUMBERS.c.gpu.not_in(kept))
        self.forget_numbers()


def _begins(name: ColumnElement[str], prefix: str) -> tuple[ColumnElement[bool], ...]:
    """Return that a name begins so, as a range of the index."""
    return name >= prefix, name < prefix[:-1] + chr(ord(prefix[-1]) + 1)
