"""Reads the text of `sacct -P`: rows into entries, steps beside their jobs, mistakes by line."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from itertools import chain, islice
from sys import intern
from typing import Final, TypeVar

from reaper.domain.money.jobs import Outcome, Records, Unread, ended_as
from reaper.domain.money.wall_time import Readings, Written, repeated, settled
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
    rate: str = ""
    open: list[int] = field(default_factory=list)
    """Lines whose times stand in a repeated hour and fit in more than one way."""


def read_text(
    text: str, *, source: str, told: Told, columns: Sequence[str] = (), delimiter: str = "|"
) -> Records:
    """
    Return the jobs of sacct's text; without a header `columns` say what its fields are.

    What cannot be read is in the answer, with its line; an unusable header is the only thing there.
    """
    lines = _lines(text.removeprefix("\ufeff"))
    top = [] if columns else list(islice(lines, 2))
    try:
        head = (
            checked([name.lower() for name in columns], delimiter)
            if columns
            else header(top[0], top[1] if len(top) > 1 else "")
        )
    except HeaderError as error:
        return Records(
            source=source, form=FORM, unread=(Unread(file=source, line=1, what=str(error)),)
        )
    numbered = enumerate(chain(top[1:], lines), start=1 if columns else 2)
    found = rows(numbered, head)
    return read_rows(found, head, source=source, told=told)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines; only a line feed ends one, since a name may hold other separators."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end].removesuffix("\r")
        start = end + 1
    yield text[start:].removesuffix("\r")


def read_rows(
    told_rows: Iterable[Row | Broken], head: Header, *, source: str, told: Told, form: str = FORM
) -> Records:
    """Return the jobs of rows, in whatever way they were written."""
    reading = _Reading(source=source, told=told, head=head, form=form, rate=head.rate)
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
    said, zone = row.fields.get, reading.told.zone
    try:
        elapsed = duration(said("elapsedraw", "") or said("elapsed", ""))
        allocated = resources(said("alloctres", ""))
        began = instants(said("start", ""), zone)
        ended = instants(said("end", ""), zone)
    except FieldError as error:
        _unread(reading, row.line, str(error), job=row.text("jobid", "jobidraw"))
        return None
    soft = _Soft(reading, row)
    suspended = soft.read("suspended", duration) or 0.0
    submitted, eligible = soft.instants("submit", zone), soft.instants("eligible", zone)
    times = settled(Written(submitted, eligible, began, ended, elapsed, suspended))
    if elapsed is None and times.began and times.ended and times.ended < times.began:
        _unread(reading, row.line, "ends before it begins", job=row.text("jobid", "jobidraw"))
        return None
    if times.open:
        reading.open.append(row.line)
    rate, raw = reading.rate, said("jobidraw", "")
    ident = said("jobid", "") or raw
    # Words that millions of rows share are held once.
    return Entry(
        id=ident,
        raw=ident if raw == ident else raw,
        state=said("state", ""),
        exit_code=said("exitcode", ""),
        cluster=intern(said("cluster", "")),
        user=intern(said("user", "")),
        account=intern(said("account", "")),
        partition=intern(said("partition", "")),
        qos=intern(said("qos", "")),
        name=intern(said("jobname", "")),
        nodes=said("nodelist", ""),
        submit_line=said("submitline", ""),
        comment=said("admincomment", ""),
        submitted=times.submitted,
        eligible=times.eligible,
        began=_begin(times.began, times.ended, elapsed),
        ended=times.ended,
        elapsed=elapsed,
        suspended=suspended,
        limit=_limit(soft),
        allocated=allocated,
        memory_asked=soft.read("reqmem", _memory_asked),
        rate=soft.read(rate, percent) if rate else None,
    )


def _memory_asked(text: str) -> float | None:
    return memory(text, bare="M")


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
        """Return a field's value; None where it is unknown, empty or wrong."""
        text = self.row.fields.get(name)
        if not text:
            return None
        try:
            return reader(text)
        except FieldError as error:
            what = f"job {self.row.text('jobid')}: {name}: {error}; counted without it"
            _unread(self.reading, self.row.line, what, kept=True)
            return None

    def instants(self, name: str, zone: tzinfo) -> Readings:
        """Return what a field's time may mean; () where it is unknown, empty or wrong."""
        text = self.row.fields.get(name)
        return (self.read(name, lambda said: instants(said, zone)) or ()) if text else ()


def _or_none(reader: Callable[[], T]) -> T | None:
    try:
        return reader()
    except FieldError:
        return None


def _unread(reading: _Reading, line: int, what: str, *, job: str = "", kept: bool = False) -> None:
    said = f"job {job}: {what}" if job else what
    one = Unread(file=reading.source, line=line, what=said, job=job, kept=kept)
    reading.unread.append(one)


def _records(reading: _Reading) -> Records:
    jobs = []
    notes_of_file = tuple(_notes(reading))
    reading.entries.reverse()
    while reading.entries:
        # Each entry makes room for its job: months of a large site hold millions.
        line, entry = reading.entries.pop()
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
        notes=notes_of_file,
    )


def _steps_of(ident: str, reading: _Reading) -> list[Step]:
    """Return a job's steps; the batch script of a het job stands under its first component."""
    if not reading.steps:
        return []
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
    states = {entry.state for _, entry in reading.entries}
    strange = {one for one in states if one and ended_as(one) is Outcome.UNKNOWN}
    if strange:
        yield f"states that are not known: {', '.join(sorted(strange)[:5])}"
