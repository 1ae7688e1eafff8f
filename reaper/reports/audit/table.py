"""
The CSV form of the audit: one job a row, columns in any order, others ignored.

Needed: ``job_id`` · ``user`` · ``start_time`` · ``duration_s``, or ``end_time`` in its place ·
``num_gpus``.  Instants are Unix seconds or ISO 8601; without an offset they are of the zone named.

Of use: ``submit_time``, ``eligible_time`` · ``account`` (or ``project``), ``partition``, ``qos``,
``job_name`` · ``class`` interactive, training, inference, deferred, other · ``gpu_model``, for MIG
with its profile at the end (``A100 3g.20gb``) · ``state`` in Slurm's words · ``walltime_s`` limit ·
``gpu_util_avg_pct`` mean over the job's GPUs and time, 0 to 100, blank where not recorded ·
``gpu_mem_peak_pct`` fullest GPU · ``mem_asked_gib``, ``mem_used_gib`` host memory.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from io import StringIO
from math import ceil, isfinite
from typing import Final, TypeVar

from reaper.domain.audit.jobs import Outcome, RecordedJob, Records, Unread, ended_as, usage_of
from reaper.domain.audit.wall_time import (
    Readings,
    Settled,
    Written,
    readings,
    repeated,
    settled,
)
from reaper.domain.facts.allocation import Purpose
from reaper.domain.prices.slices import part_of_card
from reaper.reports.cells import delimiter
from reaper.reports.traces.jobs import INTERACTIVE_NAMES

FORM: Final = "jobs as CSV"
NEEDED: Final = ("job_id", "user", "start_time", "duration_s", "num_gpus")

_BLANK: Final = frozenset(("", "n/a", "na", "nan", "null", "none", "-", "unknown"))
_GIB: Final = 2.0**30
#: Seconds since 1970 stay below this until the year 5138; milliseconds do not.
_SECONDS: Final = 1e11
#: More GPUs than any job has.
_MOST: Final = 1e6

T = TypeVar("T")


class _WrongError(ValueError):
    """A value that cannot be what its column says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row; what is wrong but not needed is noted."""

    line: int
    fields: Mapping[str, str]
    zone: tzinfo
    notes: list[str] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    """Lines whose times stand in a repeated hour and fit in more than one way."""

    def text(self, *names: str) -> str:
        return next((found for name in names if (found := self.fields.get(name, "").strip())), "")

    def number(self, name: str, *, high: float | None = None) -> float | None:
        """Return a number of zero or more; None where it is blank; raise _WrongError."""
        written = self.text(name)
        if written.lower() in _BLANK:
            return None
        try:
            value = float(written)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise _WrongError(f"{name}: {written[:40]!r} is no number")
        if value < 0:
            raise _WrongError(f"{name}: {written[:40]!r} is below zero")
        if high is not None and value > high:
            raise _WrongError(f"{name}: {written[:40]!r} is above {high:g}")
        return value

    def instants(self, name: str) -> Readings:
        """Return the Unix seconds that a time may mean; () where it is blank; raise _WrongError."""
        written = self.text(name)
        if written.lower() in _BLANK:
            return ()
        if written.replace(".", "", 1).isdecimal():
            if float(written) >= _SECONDS:
                raise _WrongError(f"{name}: {written[:40]!r} is in milliseconds; write seconds")
            return (float(written),)
        try:
            when = datetime.fromisoformat(written)
        except ValueError as error:
            raise _WrongError(f"{name}: {written[:40]!r} is no time") from error
        return readings(when, self.zone)

    def soft(self, reader: Callable[[], T]) -> T | None:
        """Return what a row counts without; None, and a note, where it is wrong."""
        try:
            return reader()
        except _WrongError as error:
            self.notes.append(f"{error}; counted without it")
            return None


def read_csv(text: str, *, source: str, zone: tzinfo) -> Records:
    """Return the jobs of a CSV text; what cannot be read is in the answer, with its line."""
    jobs: list[RecordedJob] = []
    unread: list[Unread] = []
    twofold: list[int] = []
    columns: list[str] | None = None
    rows = 0
    for line, fields in _lines(text):
        if isinstance(fields, str):
            unread.append(Unread(file=source, line=line, what=fields))
        elif columns is None:
            columns = [name.strip().lower() for name in fields]
            if wrong := _unusable(columns):
                unread.append(Unread(file=source, line=line, what=wrong))
                break
        elif any(map(str.strip, fields)):
            job, notes = _read(fields, columns, line, zone, twofold)
            jobs += job
            unread += [replace(note, file=source) for note in notes]
        rows += columns is not None and (isinstance(fields, str) or any(map(str.strip, fields)))
    if columns is None and not unread:
        unread.append(Unread(file=source, line=1, what="is empty: its first line names columns"))
    return Records(
        source=source,
        form=FORM,
        jobs=tuple(jobs),
        rows=max(0, rows - 1),
        unread=tuple(unread),
        notes=(repeated(twofold),) if twofold else (),
    )


def _lines(text: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield each row with its first line, or what is wrong in its place."""
    apart = delimiter(text.partition("\n")[0])
    plain = StringIO(text.removeprefix("\ufeff"), newline="")
    reader = csv.reader(plain, delimiter=apart, strict=True)
    while True:
        first = reader.line_num + 1
        try:
            yield first, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            rest = f", and with it lines to {reader.line_num}" if reader.line_num > first else ""
            yield first, f"is no CSV: {error}{rest}"


def _unusable(columns: Sequence[str]) -> str:
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    missing = [
        name
        for name in NEEDED
        if name not in columns and not (name == "duration_s" and "end_time" in columns)
    ]
    lacks = f"as a list of jobs (docs/audit.md) it lacks the columns {', '.join(missing)}"
    found = [f"no header of sacct; {lacks}"] if missing else []
    found += [f"names columns twice: {', '.join(twice)}"] if twice else []
    return "; ".join(found)


def _read(
    fields: Sequence[str], columns: Sequence[str], line: int, zone: tzinfo, twofold: list[int]
) -> tuple[list[RecordedJob], Iterator[Unread]]:
    if len(fields) != len(columns):
        what = f"{len(fields)} fields, the header has {len(columns)}"
        return [], iter((Unread(file="", line=line, what=what),))
    named = dict(zip(columns, fields, strict=True))
    row = _Row(line=line, fields=named, zone=zone, open=twofold)
    try:
        job = _job(row)
    except _WrongError as error:
        return [], iter((Unread(file="", line=line, what=str(error)),))
    return [job], (Unread(file="", line=line, what=what, kept=True) for what in row.notes)


def _job(row: _Row) -> RecordedJob:
    times, seconds = _held(row)
    asked = _asked(row)
    began, devices = times.began, ceil(asked)
    model = row.text("gpu_model", "model")
    outcome = ended_as(row.text("state"))
    rate = row.soft(lambda: row.number("gpu_util_avg_pct", high=100))
    full = row.soft(lambda: row.number("gpu_mem_peak_pct", high=100))
    job = RecordedJob(
        id=row.text("job_id"),
        owner=row.text("user"),
        account=row.text("account", "project"),
        partition=row.text("partition"),
        qos=row.text("qos"),
        name=row.text("job_name"),
        nodes=row.text("nodes"),
        model=model,
        purpose=_purpose(row),
        outcome=outcome,
        submitted=times.submitted,
        eligible=times.eligible,
        began=began,
        ended=None if outcome is Outcome.RUNNING or began is None else began + seconds,
        seconds=seconds,
        limit=row.soft(lambda: row.number("walltime_s")),
        devices=devices,
        cards=asked * part_of_card(model),
        memory_asked=_gib(row, "mem_asked_gib"),
        memory_used=_gib(row, "mem_used_gib"),
        gpu_memory=None if full is None else full / 100,
    )
    used = usage_of(job, (None if rate is None else rate / 100,))
    return job._replace(usage=used if devices else ())


def _held(row: _Row) -> tuple[Settled, float]:
    """Return a job's times and how long it held its GPUs; raise _WrongError."""
    if not row.text("job_id"):
        raise _WrongError("job_id: blank")
    began, seconds = row.instants("start_time"), row.number("duration_s", high=_SECONDS)
    ended = row.instants("end_time") if seconds is None else row.soft(_end_of(row)) or ()
    times = settled(
        Written(
            submitted=row.soft(lambda: row.instants("submit_time")) or (),
            eligible=row.soft(lambda: row.instants("eligible_time")) or (),
            began=began,
            ended=ended,
            elapsed=seconds,
        )
    )
    if times.open:
        row.open.append(row.line)
    if seconds is not None:
        return times, seconds
    if times.began is None or times.ended is None:
        raise _WrongError("neither duration_s nor start_time and end_time: how long was it?")
    if times.ended < times.began:
        raise _WrongError(f"end_time: {row.text('end_time')[:40]!r} is before start_time")
    return times, times.ended - times.began


def _end_of(row: _Row) -> Callable[[], Readings]:
    return lambda: row.instants("end_time")


def _asked(row: _Row) -> float:
    """Return how many GPUs a job had, a part of one as such; raise _WrongError."""
    count = row.number("num_gpus", high=_MOST)
    if count is None:
        raise _WrongError(f"num_gpus: {row.text('num_gpus')[:40]!r} is no number")
    named = row.text("gpus").split()
    if named and len(named) != ceil(count):
        raise _WrongError(f"num_gpus: differs from the {len(named)} GPUs named in gpus")
    return count


def _purpose(row: _Row) -> Purpose:
    """Return the class that a row names; else a session's name makes it interactive."""
    named = row.text("class").lower()
    if named in set(Purpose):
        return Purpose(named)
    if named:
        row.notes.append(f"class: {named[:40]!r} is no class; counted as other")
        return Purpose.OTHER
    return (
        Purpose.INTERACTIVE if row.text("job_name").lower() in INTERACTIVE_NAMES else Purpose.OTHER
    )


def _gib(row: _Row, name: str) -> float | None:
    value = row.soft(lambda: row.number(name))
    return None if value is None else value * _GIB
