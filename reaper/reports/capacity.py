"""
How many GPUs a site has, as somebody states it: one number, with dates, or a table as CSV.

A number: ``128``, ``128,2026-01-01``, ``128,2026-01-01,2026-07-01``.  A table: ``gpus``, and of use
``model``, ``begin``, ``end`` (the first day after).  Times without an offset are of the zone named.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from io import StringIO
from math import inf, isfinite
from typing import Final

from reaper.domain.audit.filling import Stated
from reaper.domain.audit.wall_time import readings
from reaper.reports.cells import delimiter

_COLUMNS: Final = ("gpus", "model", "begin", "end")
#: More GPUs than any site has.
_MOST: Final = 1e7


class CapacityError(ValueError):
    """A capacity that cannot be read; the message holds every mistake, a line each."""


def number(text: str, *, zone: tzinfo) -> Stated | None:
    """Return a number of GPUs with its dates; None where it is no number; raise CapacityError."""
    parts = [part.strip() for part in text.split(",")]
    if not parts[0].replace(".", "", 1).isdigit() or len(parts) > 3:
        return None
    row = dict(zip(("gpus", "begin", "end"), parts, strict=False))
    return _stated(row, zone, text)


def table(text: str, *, source: str, zone: tzinfo) -> tuple[Stated, ...]:
    """Return the rows of a table; raise CapacityError."""
    try:
        plain = StringIO(text.removeprefix("\ufeff"), newline="")
        apart = delimiter(text.partition("\n")[0])
        rows = list(csv.DictReader(plain, delimiter=apart, strict=True))
    except csv.Error as error:
        raise CapacityError(f"{source}: is no CSV: {error}") from error
    found, mistakes = [], list(_unusable(rows, source))
    for line, fields in enumerate(rows if not mistakes else (), start=2):
        row = {(name or "").strip().lower(): value or "" for name, value in fields.items()}
        try:
            found.append(_stated(row, zone, f"{source}:{line}"))
        except CapacityError as error:
            mistakes.append(str(error))
    if mistakes:
        raise CapacityError("\n".join(mistakes))
    return tuple(found)


def _unusable(rows: Sequence[Mapping[str, str]], source: str) -> Iterator[str]:
    names = {(name or "").strip().lower() for name in rows[0]} if rows else set()
    if "gpus" not in names:
        yield f"{source}: a table of capacity has the columns {', '.join(_COLUMNS)}; gpus is needed"


def _stated(row: Mapping[str, str], zone: tzinfo, where: str) -> Stated:
    try:
        gpus = float(row.get("gpus", ""))
    except ValueError:
        gpus = -1.0
    if not isfinite(gpus) or not 0 <= gpus <= _MOST:
        raise CapacityError(f"{where}: gpus: {row.get('gpus', '')[:40]!r} is no number of GPUs")
    begin, end = (_instant(row.get(name, ""), zone, where, name) for name in ("begin", "end"))
    found = Stated(
        gpus=gpus,
        model=row.get("model", "").strip(),
        begin=-inf if begin is None else begin,
        end=inf if end is None else end,
    )
    if found.begin >= found.end:
        raise CapacityError(f"{where}: it ends before it begins")
    return found


def _instant(text: str, zone: tzinfo, where: str, name: str) -> float | None:
    written = text.strip()
    if not written:
        return None
    try:
        return readings(datetime.fromisoformat(written), zone)[0]
    except ValueError as error:
        raise CapacityError(
            f"{where}: {name}: {written[:40]!r} is no date; write for example 2026-01-01"
        ) from error
