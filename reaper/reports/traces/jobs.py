"""
Finished jobs with their averages, one a row, as ClusterCockpit keeps them.

Columns read (others are ignored):

``job_id`` · ``user`` · ``start_time`` Unix seconds · ``duration_s`` · ``num_gpus`` ·
``job_name`` · ``gpu_util_avg_pct`` mean over the job's GPUs and time, blank when not recorded ·
``gpus`` ``node:pci`` of each, separated by blanks, blank when not recorded.

Class: a job is interactive when its name is `interactive` or a shell's, as schedulers name a job
that was started without a script.  Of every other job nobody says what it is for.
"""

from datetime import UTC, datetime
from typing import Final

from reaper.domain.audit.usage import Usage
from reaper.domain.facts.allocation import Purpose
from reaper.reports.traces.table import Format, Row, Table
from reaper.reports.traces.trace import Trace

INTERACTIVE_NAMES: Final = frozenset(("interactive", "bash", "sh", "zsh"))
"""Job names that say "a person sits there"."""


def read(table: Table) -> Trace:
    """Return one usage record a job."""
    _refuse_repeated(table)
    records = tuple(_usage(row) for row in table.rows)
    begins = [row.number("start_time") for row in table.rows]
    ends = [begin + one.seconds for begin, one in zip(begins, records, strict=True)]
    return Trace(
        records=tuple(record for record in records if record.gpus),
        first=_written(min(begins, default=0.0)),
        last=_written(max(ends, default=0.0)),
        rules=(
            "utilisation is the job's average: a job at zero was at zero throughout",
            f"interactive by job name: {', '.join(sorted(INTERACTIVE_NAMES))}",
        ),
    )


def _usage(row: Row) -> Usage:
    rate = row.known("gpu_util_avg_pct", high=100)
    gpus = row.count("num_gpus")
    named = row.text("gpus").split()
    if named and len(named) != gpus:
        row.wrong("num_gpus", f"differs from the {len(named)} GPUs named in gpus")
    return Usage(
        run=row.text("job_id"),
        owner=row.text("user"),
        node=named[0].partition(":")[0] if named else "",
        purpose=_purpose(row.text("job_name")),
        gpus=gpus,
        seconds=row.number("duration_s"),
        utilisation=None if rate is None else rate / 100,
    )


def _purpose(name: str) -> Purpose:
    return Purpose.INTERACTIVE if name.lower() in INTERACTIVE_NAMES else Purpose.OTHER


def _refuse_repeated(table: Table) -> None:
    seen: set[str] = set()
    for row in table.rows:
        if row.text("job_id") in seen:
            row.wrong("job_id", "stands on an earlier line too; keep one row a job")
        seen.add(row.text("job_id"))


def _written(at: float) -> str:
    try:
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return ""


FORMAT: Final = Format(
    name="jobs with averages",
    columns=(
        "job_id",
        "user",
        "start_time",
        "duration_s",
        "num_gpus",
        "job_name",
        "gpu_util_avg_pct",
        "gpus",
    ),
    read=read,
)
