"""
The room of tracks: sheets while their hour is open, hours while their day is, then packed days.

`frontiers` holds the first minute of each device that no hour has, so that nothing recorded is
rewritten.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, LargeBinary, Row, Table, Text, func, select

from reaper.domain.facts.track import Track
from reaper.store.letters import DAY, HOUR, fresh, lay, pack, pieces, unpack
from reaper.store.sheets import ends
from reaper.store.sql.repositories.sheets import NAMED, Sheets, named
from reaper.store.sql.room import coded
from reaper.store.sql.tables import Count, Key, table

HOURS = table(
    "track_hours",
    Column("hour", Count, primary_key=True, autoincrement=False),
    Column("gpu", Key, primary_key=True),
    Column("start", Count, nullable=False),
    Column("letters", Text, nullable=False),
)

DAYS = table(
    "track_days",
    Column("day", Count, primary_key=True, autoincrement=False),
    Column("gpu", Key, primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)

FRONTIERS = table(
    "frontiers",
    Column("gpu", Key, primary_key=True),
    Column("minute", Count, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spans:
    """Where letters lie: in spans of `size` minutes, each from its `start` on."""

    table: Table
    span: Column[int]
    start: Column[int]
    letters: Column[Any]
    size: int


_IN_HOURS: Final = _Spans(
    table=HOURS, span=HOURS.c.hour, start=HOURS.c.start, letters=HOURS.c.letters, size=HOUR
)
_IN_DAYS: Final = _Spans(
    table=DAYS, span=DAYS.c.day, start=DAYS.c.day, letters=DAYS.c.packed, size=DAY
)

#: Devices whose day one append packs, so that midnight is not slow.
PORTION: Final = 200

#: Devices whose hours are written at once: what many need in between stays small.
AT_ONCE: Final = 2048


class Tracks(Sheets):
    """Letters by device and minute."""

    async def tracks(self, gpus: Sequence[str], first: int, end: int) -> Mapping[str, Track]:
        """Return the minutes ``[first, end)`` of these devices, clipped; ``?`` where unknown."""
        if end <= first:
            return {gpu: Track(start=first) for gpu in gpus}
        days = await self._within(_IN_DAYS, gpus, first, end)
        hours = await self._within(_IN_HOURS, gpus, first, end)
        newest = await self._on_sheets(gpus, first, end)
        return await asyncio.to_thread(_assemble, gpus, days, hours, newest, first, end)

    async def append_minutes(self, tracks: Mapping[str, Track]) -> None:
        """Append letters by device; recorded minutes are never rewritten, gaps become ``?``."""
        self._must_be_writable()
        if not tracks:
            return
        numbers = await self._numbered(tracks)
        sheets = await self._concerned(tracks, numbers)
        known = await self._frontiers(tracks, reach=0)
        written = await coded(len(tracks), ends, sheets, tracks, numbers)
        for gpu, end in written.items():
            known[gpu] = max(end, known.get(gpu, end))
        new = await coded(len(tracks), fresh, tracks, known)
        if not new:
            return
        newest = max(track.end for track in new.values()) - 1
        hour = newest // HOUR * HOUR
        await self._fold(hour)
        await self._append_hours(_before(new, hour))
        await self._write_sheets(_after(new, hour), numbers, sheets)
        await self._pack_before(newest // DAY)

    async def _fold(self, before: int) -> None:
        """Write what sheets say of the minutes before one into hours."""
        await self._append_hours(await self._taken(before))

    async def _append_hours(self, tracks: Mapping[str, Track]) -> None:
        if not tracks:
            return
        known = await self._frontiers(tracks, reach=HOUR)
        new = list(fresh(tracks, known).items())
        for first in range(0, len(new), AT_ONCE):
            await self._write_hours(dict(new[first : first + AT_ONCE]), known)

    async def _write_hours(self, new: Mapping[str, Track], known: Mapping[str, int]) -> None:
        cluster = self._cluster
        hours = [
            {
                "cluster": cluster,
                "hour": piece.span,
                "gpu": piece.gpu,
                "start": piece.start,
                "letters": piece.letters,
            }
            for piece in pieces(new, known, size=HOUR)
        ]
        await self._upsert(HOURS, hours, _joining)
        await self._upsert(
            FRONTIERS,
            [{"cluster": cluster, "gpu": gpu, "minute": track.end} for gpu, track in new.items()],
        )

    async def _frontiers(self, tracks: Mapping[str, Track], *, reach: int) -> dict[str, int]:
        """
        Return the frontiers that lie in these tracks' minutes, or so many minutes before them.

        Those of what ended long ago are many, and do not matter.
        """
        columns = FRONTIERS.c
        first = min((track.start for track in tracks.values()), default=0)
        query = select(columns.gpu, columns.minute).where(
            columns.cluster == self._cluster,
            columns.minute > first - reach,
            *named(columns.gpu, tuple(tracks)),
        )
        found = (await self._link.execute(query)).all()
        return {row.gpu: row.minute for row in found}

    async def _within(
        self, spans: _Spans, gpus: Sequence[str], first: int, end: int
    ) -> Sequence[Row[Any]]:
        columns = spans.table.c
        query = select(columns.gpu, spans.start, spans.letters).where(
            columns.cluster == self._cluster,
            _among(spans.span, range(first // spans.size, (end - 1) // spans.size + 1)),
            *named(columns.gpu, gpus),
        )
        return (await self._link.execute(query)).all()

    async def _pack_before(self, day: int) -> None:
        """Pack a portion of the devices of the oldest open day before `day`."""
        columns = HOURS.c
        own = columns.cluster == self._cluster
        oldest = (await self._link.execute(select(func.min(columns.hour)).where(own))).scalar()
        if oldest is None or oldest * HOUR // DAY >= day:
            return
        first = oldest * HOUR // DAY * DAY
        within = (own, columns.hour >= first // HOUR, columns.hour < (first + DAY) // HOUR)
        some = select(columns.gpu).where(*within).distinct().limit(PORTION)
        gpus = (await self._link.execute(some)).scalars().all()
        whole = await self.tracks(gpus, first, first + DAY)
        packed = await asyncio.to_thread(_packed, whole)
        rows = [
            {"cluster": self._cluster, "day": first // DAY, "gpu": gpu, "packed": body}
            for gpu, body in packed.items()
        ]
        await self._upsert(DAYS, rows)
        await self._delete(HOURS, *within[1:], columns.gpu.in_(gpus))


def _joining(hours: Table, new: Any) -> dict[str, Any]:  # noqa: ANN401 - excluded
    return {"letters": hours.c.letters + new.letters}


def _before(tracks: Mapping[str, Track], minute: int) -> dict[str, Track]:
    """Return what of the tracks lies before a minute."""
    return {
        gpu: track.clip(track.start, min(track.end, minute))
        for gpu, track in tracks.items()
        if track.start < minute
    }


def _after(tracks: Mapping[str, Track], minute: int) -> dict[str, Track]:
    """Return what of the tracks lies from a minute on."""
    return {gpu: track.since(minute) for gpu, track in tracks.items() if track.end > minute}


def _among(span: ColumnElement[int], spans: range) -> ColumnElement[bool]:
    """Name few spans one by one: with named devices each is then one step into the index."""
    if len(spans) <= NAMED:
        return span.in_(spans)
    return (span >= spans[0]) & (span <= spans[-1])


def _assemble(  # noqa: PLR0917 - where letters lie
    gpus: Sequence[str],
    days: Iterable[Row[Any]],
    hours: Iterable[Row[Any]],
    newest: Mapping[str, Track],
    first: int,
    end: int,
) -> dict[str, Track]:
    wanted = frozenset(gpus)
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for gpu, day, packed in map(tuple, days):
        if gpu in wanted:
            found[gpu].append((day * DAY, unpack(packed)))
    for gpu, start, letters in map(tuple, hours):
        if gpu in wanted:
            found[gpu].append((start, letters))
    for gpu, track in newest.items():
        found[gpu].append((track.start, track.letters))
    for known in found.values():
        known.sort(key=lambda piece: piece[0])
    return {gpu: lay(found[gpu], first, end) for gpu in gpus}


def _packed(tracks: Mapping[str, Track]) -> dict[str, bytes]:
    return {gpu: pack(track.letters.rstrip("?")) for gpu, track in tracks.items()}
