"""
Hourly means of whole servers, as Jobanalyzer's dashboard keeps them.

Columns read (others are ignored):

``host`` · ``hour`` local time without a zone, as the server wrote it · ``gpu_cards`` ·
``rgpu`` mean utilisation of the server's GPUs in percent, blank when not recorded ·
``rgpumem`` device memory in use in percent · ``downhost``, ``downgpu`` 1 when something was down.

Nobody owns these hours: they say what servers did, not for whom.
"""

from collections import Counter
from typing import Final

from reaper.domain.audit.usage import Usage
from reaper.reports.traces.table import Format, Row, Table
from reaper.reports.traces.trace import Trace

HOUR: Final = 3600.0


def read(table: Table) -> Trace:
    """Return one usage record a server and hour."""
    hours = sorted(row.text("hour") for row in table.rows)
    return Trace(
        records=tuple(record for row in table.rows if (record := _usage(row)).gpus),
        first=hours[0] if hours else "",
        last=hours[-1] if hours else "",
        rules=(
            "a row stands for one hour of all GPUs of its server",
            "an hour in which the server was down is unknown, whatever was written for it",
        ),
        findings=(*_down(table), *_repeated(table)),
    )


def _usage(row: Row) -> Usage:
    rate = row.known("rgpu", high=100)
    memory = row.known("rgpumem", high=100)
    down = bool(row.number("downhost", high=1))
    return Usage(
        node=row.text("host"),
        gpus=row.count("gpu_cards"),
        seconds=HOUR,
        utilisation=None if rate is None or down else rate / 100,
        memory_held=None if memory is None else memory > 0,
    )


def _down(table: Table) -> tuple[str, ...]:
    return tuple(
        f"{row.text('host')} {row.text('hour')}: a GPU was down in this hour, its mean is kept"
        for row in table.rows
        if row.number("downgpu", high=1)
    )


def _repeated(table: Table) -> tuple[str, ...]:
    """Return hours that stand twice: the clocks went back, or the file was joined badly."""
    times = Counter((row.text("host"), row.text("hour")) for row in table.rows)
    return tuple(
        f"{host} {hour}: stands {count} times; the clocks may have gone back"
        for (host, hour), count in sorted(times.items())
        if count > 1
    )


FORMAT: Final = Format(
    name="node hours",
    columns=("host", "hour", "gpu_cards", "rgpu", "rgpumem", "downhost", "downgpu"),
    read=read,
)
