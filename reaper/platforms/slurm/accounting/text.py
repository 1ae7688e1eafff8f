"""Reads the text of `sacct -P`: rows into entries, steps beside their jobs, mistakes by line."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from reaper.domain.money.jobs import Outcome, Records, Unread, ended_as
from reaper.domain.money.wall_time import Written, repeated, settled
from reaper.platforms.slurm.accounting.columns import Header, HeaderError, checked, header
from reaper.platforms.slurm.accounting.fields import (
    FieldError,
    duration,
    instants,
    memory,
    percent,
    resources,
)
from reaper.platforms.slurm.accounting.making import Entry, Step, Told, hidden, made
from reaper.platforms.slurm.accounting.rows import Broken, Row, rows

FORM: Final = "sacct text"

#: Steps of a killed job say so by their state or by their exit code.
_OOM: Final = ("OUT_OF_MEMORY", "0:125")

T = TypeVar("T")


@dataclass(slots=True)
class _Reading:
    """What has been read of a file so far."""

    source: str
    told: Told
    head: Header
    form: str = FORM
    entries: list[tuple[int, Entry]] = field(default_factory=list)
    steps: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    unread: list[Unread] = field(default_factory=list)
    rows: int = 0
    stepped: int = 0
    open: list[int] = field(default_factory=list)
    """Lines whose times stand in a repeated hour and fit in more than one way."""


def read_text(
    text: str, *, source: str, told: Told, columns: Sequence[str] = (), delimiter: str = "|"
) -> Records:
    """
    Return the jobs of sacct's text; without a header `columns` say what its fields are.

    What cannot be read is in the answer, with its line; an unusable header is the only thing there.
    """
    # split, not splitlines: a name may hold other line separators.
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    first = 0 if columns else 1
    try:
        head = (
            checked([name.lower() for name in columns], delimiter)
            if columns
            else header(lines[0], lines[1] if len(lines) > 1 else "")
        )
    except HeaderError as error:
        return Records(
            source=source, form=FORM, unread=(Unread(file=source, line=1, what=str(error)),)
        )
    found = rows(enumerate(lines[first:], start=first + 1), head)
    return read_rows(found, head, source=source, told=told)


def read_rows(
    told_rows: Iterable[Row | Broken], head: Header, *, source: str, told: Told, form: str = FORM
) -> Records:
    """Return the jobs of rows, in whatever way they were written."""
    reading = _Reading(source=source, told=told, head=head, form=form)
    for found in told_rows:
        reading.rows += 1
        if isinstance(found, Broken):
            _unread(reading, found.line, found.what)
        else:
            _take(reading, found)
    return _records(reading)


def _take(reading: _Reading, row: Row) -> None:
    """Put a row where it belongs: a step beside its job, anything else among the jobs."""
    ident = row.text("jobid", "jobidraw")
    if not ident[:1].isdigit():
        _unread(reading, row.line, f"{ident[:40]!r} is no job's id")
    elif "." in ident:
        reading.stepped += 1
        reading.steps[ident.partition(".")[0]].append(_step(row, reading.told))
    else:
        entry = _entry(reading, row)
        if entry is not None:
            reading.entries.append((row.line, entry))


def _step(row: Row, told: Told) -> Step:
    """Return what a step says; what it says wrongly matters to no figure."""
    said = (row.text("state").split(" ")[0], row.text("exitcode"))
    return Step(
        name=row.text("jobid", "jobidraw").partition(".")[2],
        began=_or_none(lambda: instants(row.text("start"), told.zone)) or (),
        out_of_memory=any(one in _OOM for one in said),
        memory=_or_none(lambda: memory(row.text("maxrss"))),
    )


def _entry(reading: _Reading, row: Row) -> Entry | None:
    """Return a job's entry; None, and a mistake, where a figure could not rest on it."""
    zone = reading.told.zone
    try:
        elapsed = duration(row.text("elapsedraw", "elapsed"))
        allocated = resources(row.text("alloctres"))
        began = instants(row.text("start"), zone)
        ended = instants(row.text("end"), zone)
    except FieldError as error:
        _unread(reading, row.line, f"job {row.text('jobid')}: {error}")
        return None
    soft = _Soft(reading, row)
    suspended = soft.read("suspended", duration) or 0.0
    times = settled(
        Written(
            submitted=soft.read("submit", lambda text: instants(text, zone)) or (),
            eligible=soft.read("eligible", lambda text: instants(text, zone)) or (),
            began=began,
            ended=ended,
            elapsed=elapsed,
            suspended=suspended,
        )
    )
    if elapsed is None and times.began and times.ended and times.ended < times.began:
        _unread(reading, row.line, f"job {row.text('jobid')}: ends before it begins")
        return None
    if times.open:
        reading.open.append(row.line)
    rate = reading.head.rate
    return Entry(
        id=row.text("jobid", "jobidraw"),
        raw=row.text("jobidraw"),
        state=row.text("state"),
        exit_code=row.text("exitcode"),
        cluster=row.text("cluster"),
        user=row.text("user"),
        account=row.text("account"),
        partition=row.text("partition"),
        qos=row.text("qos"),
        name=row.text("jobname"),
        nodes=row.text("nodelist"),
        submit_line=row.text("submitline"),
        comment=row.text("admincomment"),
        submitted=times.submitted,
        eligible=times.eligible,
        began=_begin(times.began, times.ended, elapsed),
        ended=times.ended,
        elapsed=elapsed,
        suspended=suspended,
        limit=_limit(soft),
        allocated=allocated,
        memory_asked=soft.read("reqmem", lambda text: memory(text, bare="M")),
        rate=soft.read(rate, percent) if rate else None,
    )


def _begin(began: float | None, ended: float | None, elapsed: float | None) -> float | None:
    """Return the begin; where only the end and the duration are told, from these."""
    if began is None and ended is not None and elapsed:
        return ended - elapsed
    return began


def _limit(soft: "_Soft") -> float | None:
    minutes = soft.read("timelimitraw", duration)
    return soft.read("timelimit", duration) if minutes is None else minutes * 60


@dataclass(slots=True)
class _Soft:
    """Reads fields without which a row still counts; what is wrong in one is noted."""

    reading: _Reading
    row: Row

    def read(self, name: str, reader: Callable[[str], T | None]) -> T | None:
        """Return a field's value; None where it is unknown or wrong."""
        try:
            return reader(self.row.text(name))
        except FieldError as error:
            what = f"job {self.row.text('jobid')}: {name}: {error}; counted without it"
            _unread(self.reading, self.row.line, what, kept=True)
            return None


def _or_none(reader: Callable[[], T]) -> T | None:
    try:
        return reader()
    except FieldError:
        return None


def _unread(reading: _Reading, line: int, what: str, *, kept: bool = False) -> None:
    reading.unread.append(Unread(file=reading.source, line=line, what=what, kept=kept))


def _records(reading: _Reading) -> Records:
    jobs = []
    for line, entry in reading.entries:
        job, notes = made(
            entry, _steps_of(entry.id, reading), reading.told, file=reading.source, line=line
        )
        jobs.append(job)
        reading.unread += notes
    return Records(
        source=reading.source,
        form=reading.form,
        jobs=tuple(jobs),
        rows=reading.rows,
        steps=reading.stepped,
        unread=tuple(sorted(reading.unread, key=lambda one: one.line or 0)),
        notes=tuple(_notes(reading)),
    )


def _steps_of(ident: str, reading: _Reading) -> list[Step]:
    """Return a job's steps; the batch script of a het job stands under its first component."""
    base, mark, offset = ident.partition("+")
    first = reading.steps.get(f"{base}+0", ()) if mark and offset != "0" else ()
    return [*reading.steps.get(ident, ()), *(step for step in first if step.name == "batch")]


def _notes(reading: _Reading) -> Iterable[str]:
    columns = set(reading.head.columns)
    if "state" not in columns:
        yield "no State: how jobs ended is unknown, and each is taken to be over"
    if not {"submit", "eligible"} & columns:
        yield "neither Submit nor Eligible: queue waits are unknown"
    if reading.open:
        yield repeated(reading.open)
    yield from hidden(entry for _, entry in reading.entries)
    strange = {
        e.state for _, e in reading.entries if e.state and ended_as(e.state) is Outcome.UNKNOWN
    }
    if strange:
        yield f"states that are not known: {', '.join(sorted(strange)[:5])}"
