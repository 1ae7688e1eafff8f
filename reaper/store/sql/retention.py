"""What is forgotten when it is old enough."""

from collections.abc import Callable

from sqlalchemy import ColumnElement, or_, select

from reaper.domain.facts.inputs import PREFIXES
from reaper.store.letters import DAY, HOUR
from reaper.store.sql.events import DEMAND
from reaper.store.sql.inputs import INPUTS
from reaper.store.sql.records import RECORDS
from reaper.store.sql.room import Room
from reaper.store.sql.tokens import USED
from reaper.store.sql.tracks import DAYS, FRONTIERS, HOURS

Only = Callable[[ColumnElement[str]], ColumnElement[bool]]
"""Returns which names are meant."""


class Retention(Room):
    """Forgets inputs and letters; never cases, notices, intents, tenures or events."""

    async def prune(self, *, inputs_before: float, tracks_before: float) -> None:
        """Forget inputs and letters that are old enough, to the day of the grid; run daily."""
        await self._delete(USED, USED.c.at < inputs_before)
        await self._prune_inputs(self._pace.minute(inputs_before) // DAY)
        await self._prune_tracks(self._pace.minute(tracks_before) // DAY)

    async def _prune_inputs(self, day: int) -> None:
        minute = day * DAY
        gone = select(FRONTIERS.c.gpu).where(
            FRONTIERS.c.cluster == self._cluster, FRONTIERS.c.minute <= minute
        )
        await self._delete(DEMAND, DEMAND.c.minute < minute)
        await self._delete(RECORDS.table, RECORDS.table.c.gpu.in_(gone))
        await self._delete(INPUTS, INPUTS.c.minute < minute)
        await self._prune_tracks(day, only=_of_inputs)

    async def _prune_tracks(self, day: int, *, only: Only | None = None) -> None:
        for spans, old in (
            (DAYS, DAYS.c.day < day),
            (HOURS, HOURS.c.hour < day * DAY // HOUR),
            (FRONTIERS, FRONTIERS.c.minute <= day * DAY),
        ):
            await self._delete(spans, old, *([only(spans.c.gpu)] if only else []))


def _of_inputs(name: ColumnElement[str]) -> ColumnElement[bool]:
    return or_(*(name.startswith(prefix, autoescape=True) for prefix in PREFIXES))
