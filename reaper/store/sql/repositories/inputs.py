"""
The room of inputs: what was known of idle runs, from which minute on.

The first entry of a run in a day is whole; later ones tell what differs from the one before.
"""

import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Column, Text, select

from reaper.domain.facts.inputs import HOLDS, Entry, Inputs
from reaper.store.codec import decode, encode
from reaper.store.letters import DAY
from reaper.store.sql.room import Room, coded
from reaper.store.sql.tables import Count, Key, table

INPUTS = table(
    "inputs",
    Column("minute", Count, primary_key=True, autoincrement=False),
    Column("run_key", Key, primary_key=True),
    Column("body", Text, nullable=False),
)

#: The body of an entry from which on nothing is known, and how one begins that tells a difference.
_NOTHING: Final = ""
_DIFFERS: Final = "+"


class KnownInputs(Room):
    """What was known of runs beside their letters."""

    async def inputs(self, first: int, end: int, *, run_key: str | None = None) -> Sequence[Entry]:
        """Return what was known in ``[first, end)``, and what may still hold at `first`."""
        columns = INPUTS.c
        whole = (first - HOLDS) // DAY * DAY
        query = select(columns.run_key, columns.minute, columns.body).where(
            columns.cluster == self._cluster,
            columns.minute >= whole,
            columns.minute < end,
        )
        if run_key is not None:
            query = query.where(columns.run_key == run_key)
        ordered = query.order_by(columns.minute, columns.run_key)
        found = (await self._link.execute(ordered)).all()
        return await asyncio.to_thread(_entries, map(tuple, found), first - HOLDS)

    async def append_inputs(self, entries: Sequence[Entry]) -> None:
        """Write what was known; (run key, minute) is their key."""
        rows = await coded(len(entries), _rows, self._cluster, entries)
        await self._upsert(INPUTS, rows)


def _rows(cluster: str, entries: Sequence[Entry]) -> list[dict[str, object]]:
    return [
        {
            "cluster": cluster,
            "minute": entry.minute,
            "run_key": entry.run_key,
            "body": _body(entry),
        }
        for entry in entries
    ]


def _body(entry: Entry) -> str:
    if entry.inputs is None:
        return _NOTHING
    whole = encode(entry.inputs)
    if entry.before is None:
        return whole
    now, before = json.loads(whole), json.loads(encode(entry.before))
    changed = {name: value for name, value in now.items() if before.get(name) != value}
    gone = dict.fromkeys(before.keys() - now.keys())
    return _DIFFERS + json.dumps(changed | gone, separators=(",", ":"))


def _entries(rows: Iterable[tuple[str, int, str]], first: int) -> list[Entry]:
    """Return the entries from a minute on; those before it tell what later ones differ from."""
    told: dict[str, dict[str, Any]] = {}
    found = []
    for run_key, minute, body in rows:
        known = _known(body, told.get(run_key, {}))
        told[run_key] = known or {}
        if minute >= first:
            inputs = decode(Inputs, json.dumps(known)) if known is not None else None
            found.append(Entry(run_key=run_key, minute=minute, inputs=inputs))
    return found


def _known(body: str, before: dict[str, Any]) -> dict[str, Any] | None:
    if body == _NOTHING:
        return None
    if not body.startswith(_DIFFERS):
        whole: dict[str, Any] = json.loads(body)
        return whole
    merged = before | json.loads(body.removeprefix(_DIFFERS))
    return {name: value for name, value in merged.items() if value is not None}
