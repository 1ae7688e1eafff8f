"""The room of cases."""

from collections.abc import Sequence

from sqlalchemy import Column, Index, Text, or_

from reaper.domain.escalation.case import Case, State
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Count, Key, Time, table

CASES = Shelf(
    table=table(
        "cases",
        Column("id", Key, primary_key=True),
        Column("run_key", Key, nullable=False),
        Column("state", Key, nullable=False),
        Column("opened", Time, nullable=False),
        Column("closed", Time),
        Column("disputed", Count, nullable=False, server_default="0"),
        Column("body", Text, nullable=False),
        Index(None, "cluster", "run_key"),
        Index(None, "cluster", "state"),
        Index(None, "cluster", "opened"),
        Index(None, "cluster", "closed"),
        Index(None, "cluster", "disputed"),
    ),
    kind=Case,
    columns=lambda case: {
        "id": case.id,
        "run_key": case.run.key,
        "state": case.state.value,
        "opened": case.opened,
        "closed": case.closed,
        "disputed": int(case.disputed),
    },
)
_C = CASES.table.c


class Cases(Room):
    """Every case, open or closed."""

    async def open_cases(self) -> Sequence[Case]:
        """Return the cases that are not closed."""
        standing = [state.value for state in State if state is not State.CLOSED]
        return await self._find(CASES, _C.state.in_(standing), by=(_C.opened,), again=True)

    async def cases_of(self, run_key: str) -> Sequence[Case]:
        """Return every case of a run, oldest first."""
        return await self._find(CASES, _C.run_key == run_key, by=(_C.opened,))

    async def cases_between(self, begin: float, end: float) -> Sequence[Case]:
        """Return the cases opened or closed in ``[begin, end)``."""
        within = or_(
            *((column >= begin) & (column < end) for column in (_C.opened, _C.closed)),
        )
        return await self._find(CASES, within, by=(_C.opened,))

    async def disputed_cases(self) -> Sequence[Case]:
        """Return the cases on whose dispute nobody has ruled, open or closed, oldest first."""
        return await self._find(CASES, _C.disputed == 1, by=(_C.opened,))

    async def keep_case(self, *cases: Case) -> None:
        """Write a case, or several at once."""
        await self._keep(CASES, cases)
