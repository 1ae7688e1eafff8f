"""The audit of files: each read by whoever knows its form, all of them told together."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from reaper.config import Configuration
from reaper.domain.money.filling import Stated
from reaper.domain.money.jobs import Records, Unread
from reaper.platforms.slurm.accounting import (
    Told,
    is_accounting,
    is_pairs,
    read_answer,
    read_pairs,
    read_text,
)
from reaper.platforms.slurm.settings import SlurmSettings
from reaper.reports.audit import AuditReport, AuditTerms, audited, read_csv


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
    raw: bytes, *, source: str, reader: Told, columns: Sequence[str] = (), delimiter: str = "|"
) -> Records:
    """Return what a file holds: Slurm's books by their header or as JSON, else the CSV form."""
    text, note = _decoded(raw)
    first = text.partition("\n")[0]
    if first.lstrip("\ufeff \t\r").startswith("{") or text.lstrip("\ufeff \t\r\n").startswith("{"):
        found = read_answer(text, source=source, told=reader)
    elif not columns and is_pairs(first.lstrip("\ufeff").rstrip("\r")):
        found = read_pairs(text, source=source, told=reader)
    elif columns or is_accounting(first):
        found = read_text(text, source=source, told=reader, columns=columns, delimiter=delimiter)
    else:
        found = read_csv(text, source=source, zone=reader.zone)
    return replace(found, notes=(*found.notes, *note))


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


def report(files: Sequence[Records], told_by: AuditTerms) -> AuditReport:
    """Return the audit of files that were read."""
    return audited(files, told_by)


def _decoded(raw: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text, with a note where bytes were no UTF-8: no job is lost by them."""
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        note = f"bytes that are no UTF-8, first on line {line}: shown as replacement signs"
        return raw.decode("utf-8", errors="replace"), (note,)
