"""The audit of files: each read by whoever knows its form, all of them told together."""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import BinaryIO
from zoneinfo import ZoneInfo

from reaper.app.books.piles import KEPT, Piles, Rows, pile
from reaper.app.books.texts import Text
from reaper.config import Configuration
from reaper.domain.audit.filling import Stated
from reaper.domain.audit.jobs import RecordedJob, Records, Unread, single
from reaper.domain.audit.recorded_rates import unknown
from reaper.domain.audit.shelves import Room
from reaper.edge.shelves import DiskShelves
from reaper.platforms.slurm.accounting import (
    Opened,
    Told,
    is_accounting,
    is_pairs,
    opened,
    read_answer,
    read_pairs,
)
from reaper.platforms.slurm.settings import SlurmSettings
from reaper.reports.audit import Auditing, AuditReport, AuditTerms, as_percent, read_csv


def terms(
    configuration: Configuration, *, zone: str = "", capacity: tuple[Stated, ...] = ()
) -> AuditTerms:
    """Return what an audit is told by a configuration; `zone` is that of the files' local times."""
    name = zone or configuration.zone
    return AuditTerms(
        waits=configuration.waits,
        policies=configuration.policies,
        rates=configuration.rates,
        zone=ZoneInfo(name),
        zone_name=name,
        capacity=capacity,
    )


def told(configuration: Configuration, *, zone: str = "") -> Told:
    """Return what the reader of Slurm's books is told by a configuration."""
    rules = next(
        (
            tuple(rule.rule() for rule in settings.purposes)
            for _, settings in configuration.platforms
            if isinstance(settings, SlurmSettings)
        ),
        (),
    )
    return Told(zone=ZoneInfo(zone or configuration.zone), rules=rules)


def read(
    raw: BinaryIO, *, source: str, reader: Told, columns: Sequence[str] = (), delimiter: str = "|"
) -> Records:
    """Return what a file holds: Slurm's books by their header or as JSON, else the CSV form."""
    text = Text(raw)
    found = _opened(text, source, reader, columns, delimiter)
    records = found.records() if isinstance(found, Opened) else found
    return replace(records, notes=(*records.notes, *text.notes))


def _opened(
    text: Text, source: str, reader: Told, columns: Sequence[str], delimiter: str
) -> Opened | Records:
    """Return the rows of sacct's text, which is read as they are taken; else all records."""
    first = text.first.partition("\n")[0]
    beginning = text.first.lstrip("\ufeff \t\r\n")
    if first.lstrip("\ufeff \t\r").startswith("{") or beginning.startswith("{"):
        return read_answer(text.whole(), source=source, told=reader)
    if not columns and is_pairs(first.lstrip("\ufeff").rstrip("\r")):
        return read_pairs(text.whole(), source=source, told=reader)
    if columns or is_accounting(first):
        parts = text.parts()
        return opened(parts, source=source, told=reader, columns=columns, delimiter=delimiter)
    return read_csv(text.whole(), source=source, zone=reader.zone)


class Audit:
    """Audits files one after the other, of which no more is held than it takes."""

    def __init__(
        self, terms: AuditTerms, reader: Told, *, room: Room = DiskShelves, kept: int = KEPT
    ) -> None:
        self._auditing, self._reader = Auditing(terms, room), reader
        self._piles = Piles(room=room, kept=kept)
        self._files: list[Opened | Records] = []
        self._notes: list[Sequence[str]] = []

    def add(
        self, raw: BinaryIO, *, source: str, columns: Sequence[str] = (), delimiter: str = "|"
    ) -> None:
        """Read a file to its end."""
        text = Text(raw)
        found = _opened(text, source, self._reader, columns, delimiter)
        if isinstance(found, Opened):
            self._piles.add(len(self._files), found.rows)
        else:
            found = as_percent(found)
        self._files.append(found)
        self._notes.append(text.notes)

    def lack(self, path: Path, error: OSError) -> None:
        """Say of a file that it cannot be opened."""
        self._files.append(absent(path, error))
        self._notes.append(())

    def report(self) -> AuditReport:
        """Return the audit of all files; nothing can be added afterwards."""
        for number, rows in self._piles.taken():
            self._auditing.add(single(self._jobs(number, rows)))
        files = zip(self._files, self._notes, strict=True)
        return self._auditing.told([_without_jobs(file, notes) for file, notes in files])

    def _jobs(self, number: int | None, rows: Rows) -> Iterator[RecordedJob]:
        """Yield the jobs of a pile, file by file."""
        for place, file in enumerate(self._files):
            if isinstance(file, Records):
                yield from file.jobs if number is None else self._apart[place].get(number, ())
            elif place in rows:
                jobs = file.books.jobs(rows[place])
                yield from map(unknown, jobs) if file.books.rates.are_shares else jobs

    @cached_property
    def _apart(self) -> Sequence[Mapping[int, Sequence[RecordedJob]]]:
        """Return the jobs of files that were read as a whole, by their pile."""
        return [_by_pile(file.jobs) if isinstance(file, Records) else {} for file in self._files]


def _by_pile(jobs: Iterable[RecordedJob]) -> Mapping[int, Sequence[RecordedJob]]:
    found: dict[int, list[RecordedJob]] = defaultdict(list)
    for job in jobs:
        # The key that a row of the same job has.
        found[pile((job.raw or job.id).partition("+")[0])].append(job)
    return found


def _without_jobs(file: Opened | Records, notes: Sequence[str]) -> Records:
    if isinstance(file, Records):
        return replace(file, jobs=(), notes=(*file.notes, *notes))
    records, rates = file.books.records(), file.books.rates
    wrong = Unread(file=records.source, what=rates.said, kept=True)
    unread = (*records.unread, wrong) if rates.are_shares else records.unread
    return replace(records, unread=unread, notes=(*records.notes, *notes))


@contextmanager
def uncollected() -> Iterator[None]:
    """
    Keep the search for cycles away while millions of jobs are made, none of which is in one.

    It walks over all of them again and again: a third of the time of an audit.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def absent(path: Path, error: OSError) -> Records:
    """Return the place of a file that cannot be opened."""
    what = f"cannot be read: {error.strerror}; check the path and who may read it"
    return Records(source=str(path), form="unread", unread=(Unread(file=str(path), what=what),))
