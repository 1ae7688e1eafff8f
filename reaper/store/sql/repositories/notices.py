"""The room of notices."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Column, Index, Text

from reaper.domain.escalation.notice import UNSETTLED, Notice
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Key, Time, table

NOTICES = Shelf(
    table=table(
        "notices",
        Column("id", Key, primary_key=True),
        Column("case_id", Key, nullable=False),
        Column("delivery", Key, nullable=False),
        Column("created", Time, nullable=False),
        Column("body", Text, nullable=False),
        Index(None, "cluster", "case_id"),
        Index(None, "cluster", "delivery"),
    ),
    kind=Notice,
    columns=lambda notice: {
        "id": notice.id,
        "case_id": notice.case_id,
        "delivery": notice.delivery.value,
        "created": notice.created,
    },
)
_C = NOTICES.table.c

#: Cases whose notices one query asks for.
_AT_ONCE: Final = 400


class Notices(Room):
    """What people were told, and whether it arrived."""

    async def notices(self, *case_ids: str) -> Sequence[Notice]:
        """Return the notices of a case, oldest first; of several, each case's by itself."""
        found: list[Notice] = []
        for first in range(0, len(case_ids), _AT_ONCE):
            some = _C.case_id.in_(case_ids[first : first + _AT_ONCE])
            found += await self._find(NOTICES, some, by=(_C.created,), again=True)
        return found

    async def notices_since(self, at: float) -> Sequence[Notice]:
        """Return the notices created at `at` or later, oldest first."""
        return await self._find(NOTICES, _C.created >= at, by=(_C.created,))

    async def outbox(self) -> Sequence[Notice]:
        """Return the notices that are queued or of unknown fate, oldest first."""
        open_ones = _C.delivery.in_([fate.value for fate in UNSETTLED])
        return await self._find(NOTICES, open_ones, by=(_C.created,))

    async def keep_notice(self, *notices: Notice) -> None:
        """Write a notice, or several at once; one `id` exists once."""
        await self._keep(NOTICES, notices)
