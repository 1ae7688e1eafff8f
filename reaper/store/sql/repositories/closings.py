"""
The room of closed weeks: their heads in every version, the newest figures, and who got a report.

A row of figures is one key's, all of its states together: they are written and read as one.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Index, Row, Text, select

from reaper.domain.money.closing import Closed, Closing, Handover
from reaper.domain.money.conduct import Conduct
from reaper.domain.money.figures import Figures
from reaper.domain.money.figures import Key as Whose
from reaper.domain.money.findings import Compared, Finding
from reaper.domain.money.ledger import RunFigures, Tail
from reaper.store.codec import decode, encode
from reaper.store.sql.room import Room
from reaper.store.sql.tables import Count, Key, Time, table

CLOSINGS = table(
    "closings",
    Column("zone", Key, primary_key=True),
    Column("week", Key, primary_key=True),
    Column("version", Count, primary_key=True, autoincrement=False),
    Column("begins", Time, nullable=False),
    Column("body", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Index(None, "cluster", "zone", "begins"),
)

FIGURES = table(
    "figures",
    Column("zone", Key, primary_key=True),
    Column("week", Key, primary_key=True),
    Column("owner", Key, primary_key=True),
    Column("team", Key, primary_key=True),
    Column("class", Key, primary_key=True),
    Column("model", Key, primary_key=True),
    Column("partition", Key, primary_key=True),
    Column("site", Key, primary_key=True),
    Column("of", Key, primary_key=True),
    Column("version", Count, nullable=False),
    Column("body", Text, nullable=False),
)

HANDOVERS = table(
    "handovers",
    Column("zone", Key, primary_key=True),
    Column("week", Key, primary_key=True),
    Column("version", Count, primary_key=True, autoincrement=False),
    Column("recipient", Key, primary_key=True),
    Column("at", Time, nullable=False),
)

_NAMES: Final = {
    "owner": "owner",
    "team": "team",
    "class": "purpose",
    "model": "model",
    "partition": "partition",
    "site": "site",
    "of": "cluster",
}
"""Columns of a row of figures, and the fields of its key that they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Detail:
    """What a closing shows beside its figures."""

    runs: tuple[RunFigures, ...] = ()
    findings: tuple[Finding, ...] = ()
    tails: tuple[Tail, ...] = ()
    conduct: Conduct
    compared: Compared | None = None


class Closings(Room):
    """Closed weeks."""

    async def closings(self, zone: str, begin: float, end: float) -> Sequence[Closing]:
        """Return every closing of the weeks that begin in ``[begin, end)``, oldest first."""
        columns = CLOSINGS.c
        query = select(columns.body).where(
            columns.cluster == self._cluster,
            columns.zone == zone,
            columns.begins >= begin,
            columns.begins < end,
        )
        ordered = query.order_by(columns.begins, columns.version)
        bodies = (await self._link.execute(ordered)).scalars().all()
        return [decode(Closing, body) for body in bodies]

    async def closed_week(self, zone: str, week: str) -> Closed | None:
        """Return the newest closing of a week with its figures; None before it was closed."""
        columns, rows = CLOSINGS.c, FIGURES.c
        newest = (
            select(columns.body, columns.detail)
            .where(columns.cluster == self._cluster, columns.zone == zone, columns.week == week)
            .order_by(columns.version.desc())
            .limit(1)
        )
        head = (await self._link.execute(newest)).one_or_none()
        if head is None:
            return None
        named = [rows[name] for name in _NAMES]
        lines = select(*named, rows.body).where(
            rows.cluster == self._cluster, rows.zone == zone, rows.week == week
        )
        found = (await self._link.execute(lines.order_by(*named))).all()
        return await asyncio.to_thread(_closed, head.body, head.detail, found)

    async def keep_closed(self, closed: Closed) -> None:
        """Write a closing; its figures replace the week's earlier ones, whose totals stay."""
        head = closed.closing
        rows = await asyncio.to_thread(_rows, self._cluster, closed)
        row = {
            "cluster": self._cluster,
            "zone": head.zone,
            "week": head.week,
            "version": head.version,
            "begins": head.asked[0],
            "body": encode(head),
            "detail": encode(_detail(closed)),
        }
        await self._upsert(CLOSINGS, (row,))
        columns = FIGURES.c
        await self._delete(FIGURES, columns.zone == head.zone, columns.week == head.week)
        await self._upsert(FIGURES, rows)

    async def handed_over(self, zone: str, week: str) -> frozenset[Handover]:
        """Return to whom which version of a week's report went."""
        columns = HANDOVERS.c
        query = select(columns.version, columns.recipient, columns.at).where(
            columns.cluster == self._cluster, columns.zone == zone, columns.week == week
        )
        return frozenset(
            Handover(zone=zone, week=week, version=version, recipient=recipient, at=at)
            for version, recipient, at in map(tuple, await self._link.execute(query))
        )

    async def keep_handover(self, handover: Handover) -> None:
        """Note that a version of a week's report went to a recipient."""
        row = {
            "cluster": self._cluster,
            "zone": handover.zone,
            "week": handover.week,
            "version": handover.version,
            "recipient": handover.recipient,
            "at": handover.at,
        }
        await self._upsert(HANDOVERS, (row,))


def _detail(closed: Closed) -> _Detail:
    return _Detail(
        runs=closed.runs,
        findings=closed.findings,
        tails=closed.tails,
        conduct=closed.conduct,
        compared=closed.compared,
    )


def _rows(cluster: str, closed: Closed) -> list[Mapping[str, object]]:
    head = closed.closing
    return [
        {
            "cluster": cluster,
            "zone": head.zone,
            "week": head.week,
            **{column: getattr(key, name) for column, name in _NAMES.items()},
            "version": head.version,
            "body": encode(figures),
        }
        for key, figures in closed.figures.items()
    ]


def _closed(body: str, detail: str, rows: Iterable[Row[Any]]) -> Closed:
    rest = decode(_Detail, detail)
    figures = {
        Whose(**dict(zip(_NAMES.values(), names, strict=True))): decode(Figures, line)
        for *names, line in map(tuple, rows)
    }
    return Closed(
        closing=decode(Closing, body),
        figures={key: figures[key] for key in sorted(figures)},
        runs=rest.runs,
        findings=rest.findings,
        tails=rest.tails,
        conduct=rest.conduct,
        compared=rest.compared,
    )
