"""
Samples of processes on shared servers without a scheduler, as Sonar and Jobanalyzer keep them.

Columns read (others are ignored):

``time`` RFC 3339 · ``host`` · ``user`` · ``job`` root process of the job · ``gpus_bitmask``
written in binary, bit k for GPU k · ``gpu_pct`` utilisation summed over those GPUs, blank when not
recorded · ``gpumem_kib`` device memory in use.

A file may have: ``class`` of the job, one of interactive, training, inference, deferred, other ·
``requests_per_s`` that the job answered meanwhile, blank when not counted · ``cpu_pct`` of a core.

Rows of one job and time are its commands and become one record.  A record stands for the file's
usual sampling interval (the median), so that a missed sample is nobody's time.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Final

from reaper.domain.audit.usage import Usage
from reaper.domain.facts.allocation import Purpose
from reaper.reports.traces.table import Format, Row, Table
from reaper.reports.traces.trace import Trace


def read(table: Table) -> Trace:
    """Return one usage record a job and sample in which it held a GPU."""
    instants = {row.text("time"): instant(row) for row in table.rows}
    step = interval(sorted(set(instants.values())))
    samples: dict[tuple[str, str, str, str], list[Row]] = defaultdict(list)
    for row in table.rows:
        if mask(row):
            samples[row.text("time"), row.text("host"), row.text("user"), row.text("job")] += [row]
        elif row.known("gpu_pct"):
            row.wrong("gpu_pct", "but no GPU in gpus_bitmask; which one was it?")
    if not step:
        table.mistakes.append("all rows have one time: no sampling interval can be told")
    ordered = sorted(instants, key=lambda text: instants[text])
    return Trace(
        records=tuple(_usage(key, rows, step) for key, rows in samples.items()),
        first=ordered[0] if ordered else "",
        last=ordered[-1] if ordered else "",
        rules=(
            f"a sample stands for {step:g} s, the usual interval of the file",
            "a job holds a GPU while one of its processes is on it",
        ),
    )


def _usage(key: tuple[str, str, str, str], rows: Sequence[Row], step: float) -> Usage:
    _, host, user, job = key
    held = 0
    for row in rows:
        held |= mask(row)
    gpus = held.bit_count()
    shares = [row.known("gpu_pct", high=100 * gpus) for row in rows]
    known = [share for share in shares if share is not None]
    complete = len(known) == len(shares)
    return Usage(
        run=job,
        owner=user,
        node=host,
        gpus=gpus,
        seconds=step,
        utilisation=min(1.0, sum(known) / 100 / gpus) if complete else None,
        memory_held=_memory(rows),
        purpose=purpose(rows),
    )


def _memory(rows: Sequence[Row]) -> bool | None:
    sizes = [row.known("gpumem_kib") for row in rows]
    if any(size for size in sizes):
        return True
    return None if None in sizes else False


def purpose(rows: Sequence[Row]) -> Purpose:
    """Return the class that rows name, the first that says one; other where none does."""
    for row in rows:
        named = row.given("class").lower()
        if named in set(Purpose):
            return Purpose(named)
        if named:
            row.wrong("class", f"is no class: write one of {', '.join(Purpose)}")
    return Purpose.OTHER


def serving(row: Row) -> bool | None:
    """Tell whether a job answered requests in a sample; None where nothing counted them."""
    if not row.given("requests_per_s"):
        return None
    rate = row.known("requests_per_s")
    return None if rate is None else rate > 0


def mask(row: Row) -> int:
    """Return the GPUs of a row, bit k for GPU k."""
    text = row.text("gpus_bitmask")
    if text and not text.strip("01"):
        return int(text, 2)
    row.wrong("gpus_bitmask", "is no binary number: write for example 0101")
    return 0


def instant(row: Row) -> float:
    """Return when a row was sampled, in Unix seconds."""
    try:
        at = datetime.fromisoformat(row.text("time"))
    except ValueError:
        row.wrong("time", "is no time: write for example 2023-06-23T05:05:01Z")
        return 0.0
    if at.tzinfo is None:
        row.wrong("time", "has no zone: write for example 2023-06-23T05:05:01Z")
        return 0.0
    return at.timestamp()


def interval(instants: Sequence[float]) -> float:
    """Return the usual time between samples; those jitter by a second or two."""
    gaps = [other - one for one, other in pairwise(instants)]
    return round(median(gaps)) if gaps else 0.0


FORMAT: Final = Format(
    name="process samples",
    columns=("time", "host", "user", "job", "gpus_bitmask", "gpu_pct", "gpumem_kib"),
    read=read,
)
