"""The sheets of the hour that is not over, and the numbers of the names on them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Final

from sqlalchemy import Column, ColumnElement, Index, Text, func, select

from reaper.domain.facts.track import Track
from reaper.store.sheets import SIZE, Sheet, drawn, sheets
from reaper.store.sql.room import Room, coded
from reaper.store.sql.tables import Count, Key, table

NUMBERS = table(
    "track_numbers",
    Column("gpu", Key, primary_key=True),
    Column("number", Count, nullable=False),
    Index(None, "cluster", "number", unique=True),
)

SHEETS = table(
    "track_sheets",
    Column("minute", Count, primary_key=True, autoincrement=False),
    Column("sheet", Count, primary_key=True, autoincrement=False),
    Column("letters", Text, nullable=False),
)
_C = SHEETS.c

#: Names or sheets up to which a query names them; beyond that it reads all and drops the others.
NAMED: Final = 400


class Sheets(Room):
    """Letters of the newest minutes, many names to a row."""

    known_numbers: Mapping[str, int] = MappingProxyType({})
    """Numbers of names that are written, as far as this process has met them."""
    _met: dict[str, int] | None = None

    def numbers(self) -> Mapping[str, int]:
        """Return what is known of numbers once this transaction is written."""
        return self.known_numbers if self._met is None else {**self.known_numbers, **self._met}

    def forget_numbers(self) -> None:
        """Ask the tables anew for every number."""
        self.known_numbers, self._met = MappingProxyType({}), None

    async def _numbered(self, names: Iterable[str]) -> Mapping[str, int]:
        """Return the numbers of names; a new name gets the next one."""
        missing = [name for name in names if name not in self.known_numbers]
        if not missing:
            return self.known_numbers
        met = await self._numbers_of(missing)
        new = [name for name in missing if name not in met]
        query = select(func.max(NUMBERS.c.number)).where(NUMBERS.c.cluster == self._cluster)
        last = (await self._link.execute(query)).scalar()
        met.update(zip(new, count(0 if last is None else last + 1), strict=False))
        await self._upsert(
            NUMBERS, [{"cluster": self._cluster, "gpu": name, "number": met[name]} for name in new]
        )
        self._met = {**(self._met or {}), **met}
        return self.numbers()

    async def _numbers_of(self, names: Sequence[str]) -> dict[str, int]:
        """Return the numbers of those names that have one."""
        columns = NUMBERS.c
        query = select(columns.gpu, columns.number).where(
            columns.cluster == self._cluster, *named(columns.gpu, names)
        )
        wanted = frozenset(names)
        found = map(tuple, (await self._link.execute(query)).all())
        return {name: number for name, number in found if name in wanted}

    async def _concerned(
        self, tracks: Mapping[str, Track], numbers: Mapping[str, int]
    ) -> list[Sheet]:
        """Return the sheets that may hold letters of these tracks' minutes, or later ones."""
        starts = {track.start for track in tracks.values()}
        newest = max(starts)
        late = {name: track.start for name, track in tracks.items() if track.start < newest}
        found = await self._sheets(_C.minute >= newest)
        if late:
            these = {numbers[name] // SIZE for name in late}
            within = (_C.minute >= min(late.values()), _C.minute < newest, _C.sheet.in_(these))
            found += await self._sheets(*within)
        return found

    async def _write_sheets(
        self, tracks: Mapping[str, Track], numbers: Mapping[str, int], before: Iterable[Sheet]
    ) -> None:
        """Lay tracks over the sheets of their minutes."""
        rows = [
            {
                "cluster": self._cluster,
                "minute": item.minute,
                "sheet": item.sheet,
                "letters": item.letters,
            }
            for item in await coded(len(tracks), sheets, tracks, numbers, before)
        ]
        await self._upsert(SHEETS, rows)

    async def _on_sheets(self, names: Sequence[str], first: int, end: int) -> dict[str, Track]:
        """Return what sheets say of these names in the minutes ``[first, end)``."""
        within = (_C.minute >= first, _C.minute < end)
        some = select(_C.minute).where(self._own, *within).limit(1)
        if (await self._link.execute(some)).first() is None:
            return {}
        numbers = await self._numbers_of(names)
        these = {number // SIZE for number in numbers.values()}
        which = (_C.sheet.in_(these),) if len(these) <= NAMED else ()
        found = dict(drawn(await self._sheets(*within, *which)))
        return {name: found[number] for name, number in numbers.items() if number in found}

    async def _taken(self, before: int) -> dict[str, Track]:
        """Take what is said of the minutes before one off the sheets."""
        found = await self._sheets(_C.minute < before)
        if not found:
            return {}
        columns = NUMBERS.c
        query = select(columns.number, columns.gpu).where(columns.cluster == self._cluster)
        names = dict(map(tuple, (await self._link.execute(query)).all()))
        await self._delete(SHEETS, _C.minute < before)
        return {names[number]: track for number, track in drawn(found) if number in names}

    async def _sheets(self, *where: ColumnElement[bool]) -> list[Sheet]:
        query = select(_C.minute, _C.sheet, _C.letters).where(self._own, *where)
        rows = (await self._link.execute(query)).all()
        return [Sheet(minute=row[0], sheet=row[1], letters=row[2]) for row in map(tuple, rows)]

    @property
    def _own(self) -> ColumnElement[bool]:
        return _C.cluster == self._cluster


def named(column: ColumnElement[str], names: Sequence[str]) -> tuple[ColumnElement[bool], ...]:
    """Return that a name is one of few; nothing where they are many."""
    return (column.in_(names),) if len(names) <= NAMED else ()
