"""
What is read of one file of sacct's rows, at once or a part of its jobs at a time.

First every row is looked at and given the key of its job, then the rows of some keys, all of each,
become jobs: a job's steps, its other runs and other records of it have its key.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.audit.jobs import Outcome, RecordedJob, Records, Unread, ended_as
from reaper.domain.audit.recorded_rates import Rates
from reaper.domain.audit.wall_time import repeated
from reaper.platforms.slurm.accounting.columns import Header
from reaper.platforms.slurm.accounting.entries import Entries, RowError
from reaper.platforms.slurm.accounting.fields import FieldError
from reaper.platforms.slurm.accounting.making import Entry, Step, Told, made, unseen, unseen_gpus
from reaper.platforms.slurm.accounting.rows import Broken, Fields, Row, parted

#: Distinct states that are held to be named.
_STATES: Final = 4096

Laid = tuple[int, Fields, bool]
"""A row's line, its fields, and whether it is a step's."""

Keyed = tuple[str, Laid]
"""The key of a row's job, and the row."""


@dataclass(slots=True)
class _First:
    """How many there are, and the first of them by their line."""

    kept: int
    count: int = 0
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, text: str = "") -> None:
        self.count += 1
        insort(self.found, (line, text))
        del self.found[self.kept :]


@dataclass(slots=True)
class Books:
    """What has been read of a file so far."""

    source: str
    told: Told
    head: Header
    form: str
    rows: int = 0
    steps: int = 0
    unread: list[Unread] = field(default_factory=list)
    rates: Rates = field(default_factory=Rates)
    _entries: Entries = field(init=False)
    _idents: tuple[int, int] = field(init=False)
    _states: set[str] = field(default_factory=set)
    _open: _First = field(default_factory=lambda: _First(kept=5))
    _unseen: _First = field(default_factory=lambda: _First(kept=3))
    _batches: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    """Batch scripts of het jobs by their job: they stand under its first component."""

    def __post_init__(self) -> None:
        self._entries = Entries(self.head, self.told.zone)
        job, raw = self.head.place("jobid"), self.head.place("jobidraw")
        # Where one of the two is not told, the other stands for it.
        self._idents = (
            job or 0 if raw is None else raw if job is None else job,
            job or 0 if raw is None else raw,
        )

    def keyed(self, found: Iterable[Row | Broken]) -> Iterator[Keyed]:
        """Yield the rows of jobs and steps with their keys; what is none is named."""
        count, probed, (first, other) = 0, self._probed(), self._idents
        delimiter, most = self.head.delimiter, min(max(first, other) + 1, len(self.head.columns))
        for one in found:
            count += 1
            if isinstance(one, Broken):
                self._not_read(one.line, one.what)
                continue
            fields = one.fields
            if isinstance(fields, str):
                start = fields.split(delimiter, most)
                ident, raw = start[first].strip(), start[other].strip()
            else:
                ident, raw = fields[first], fields[other]
            ident = ident or raw
            if not ident[:1].isdigit():
                self._not_read(one.line, f"{ident[:40]!r} is no job's id")
                continue
            key, step = raw or ident, "." in ident
            if step:
                key = key.partition(".")[0]
                if "+0.batch" in ident:
                    self._batch(ident, parted(fields, self.head))
            elif probed and not self.rates.settled:
                self._probe(parted(fields, self.head))
            yield (key.partition("+")[0] if "+" in key else key), (one.line, fields, step)
        self.rows += count

    def jobs(self, found: Sequence[Laid]) -> Iterator[RecordedJob]:
        """Yield the jobs of rows that were given their keys; all rows of a key are among them."""
        steps: dict[str, list[Step]] = defaultdict(list)
        for _, written, step in found:
            if step:
                fields = parted(written, self.head)
                steps[self._ident(fields).partition(".")[0]].append(self._entries.step(fields))
                self.steps += 1
        for line, written, step in found:
            if step or (entry := self._entry(line, parted(written, self.head))) is None:
                continue
            own = self._steps_of(entry.id, steps) if steps or self._batches else ()
            job, notes = made(entry, own, self.told)
            for what in notes:
                self._not_read(line, what, kept=True)
            yield job

    def records(self, jobs: Iterable[RecordedJob] = ()) -> Records:
        """Return what the file holds, with these jobs."""
        kept = tuple(jobs)
        return Records(
            source=self.source,
            form=self.form,
            jobs=kept,
            rows=self.rows,
            steps=self.steps,
            unread=tuple(sorted(self.unread, key=lambda one: one.line or 0)),
            notes=tuple(self._notes()),
        )

    def _ident(self, fields: Sequence[str]) -> str:
        """Return what people call the job or step of a row."""
        first, other = self._idents
        return fields[first] or fields[other]

    def _entry(self, line: int, fields: Sequence[str]) -> Entry | None:
        """Return a job's entry; None, and a mistake, where a figure could not rest on it."""
        entries = self._entries
        try:
            entry = entries.entry(fields)
        except (FieldError, RowError) as error:
            self._not_read(line, str(error), job=self._ident(fields))
            return None
        for note in entries.notes:
            self._not_read(line, note, kept=True)
        if entries.open:
            self._open.add(line)
        if entry.state not in self._states and len(self._states) < _STATES:
            self._states.add(entry.state)
        if entry.submit_line and unseen(entry):
            self._unseen.add(line, entry.id)
        return entry

    def _probed(self) -> bool:
        return bool(self.head.rate) or "admincomment" in self.head.columns

    def _probe(self, fields: Sequence[str]) -> None:
        """Look at the rates of a job, until one shows that those of this file are percentages."""
        try:
            job, _ = made(self._entries.entry(fields), (), self.told)
        except (FieldError, RowError):
            return
        self.rates.add((job,))

    def _batch(self, ident: str, fields: Sequence[str]) -> None:
        first, _, name = ident.partition(".")
        if name == "batch":
            self._batches[first.removesuffix("+0")].append(self._entries.step(fields))

    def _steps_of(self, ident: str, steps: dict[str, list[Step]]) -> list[Step]:
        """Return a job's steps; the batch script of a het job stands under its first component."""
        base, mark, offset = ident.partition("+")
        first = self._batches.get(base, ()) if mark and offset != "0" else ()
        return [*steps.get(ident, ()), *first]

    def _not_read(self, line: int, what: str, *, job: str = "", kept: bool = False) -> None:
        said = f"job {job}: {what}" if job else what
        one = Unread(file=self.source, line=line, what=said, job=job, kept=kept)
        self.unread.append(one)

    def _notes(self) -> Iterator[str]:
        columns = set(self.head.columns)
        if "state" not in columns:
            yield "no State: how jobs ended is unknown, and each is taken to be over"
        if not {"submit", "eligible"} & columns:
            yield "neither Submit nor Eligible: queue waits are unknown"
        if self._open.count:
            yield repeated([line for line, _ in self._open.found], self._open.count)
        if self._unseen.count:
            yield unseen_gpus([ident for _, ident in self._unseen.found], self._unseen.count)
        strange = {one for one in self._states if one and ended_as(one) is Outcome.UNKNOWN}
        if strange:
            yield f"states that are not known: {', '.join(sorted(strange)[:5])}"
