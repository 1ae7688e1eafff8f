"""``gpu-reaper audit``: what a site's own books say, before anything is installed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from reaper.cli.capacity import stated, stating
from reaper.cli.ending import Ending, Wrong
from reaper.cli.reach import Reach, reaching


@click.command
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
)
@reaching
@click.option("--json", "form", flag_value="json", default="text", help="Write JSON.")
@click.option("--zone", default="", help="Zone of times without an offset  [report.zone].")
@click.option("--columns", default="", help="Columns of sacct text without a header, by commas.")
@stating
@click.option("--delimiter", default="|", help="Delimiter of text without a header  [|].")
def audit(
    reach: Reach,
    *,
    files: tuple[Path, ...],
    form: str,
    zone: str,
    columns: str,
    delimiter: str,
    capacity: tuple[str, ...],
) -> None:
    """
    Say what recorded jobs in FILE... held, wasted, and what policies would have returned.

    Reads `sacct -P` text with its header, `sacct --json`, and the CSV form of docs/audit.md; `-`
    is standard input. Needs nothing installed: thresholds, policies and prices come from the
    configuration, or are the built-in ones.
    """
    from reaper.app.books import auditing
    from reaper.reports.audit import PAGES
    from reaper.schema import Mistake
    from reaper.schema import zone as checked

    try:
        named = checked(zone) if zone else ""
    except Mistake as mistake:
        raise click.UsageError(f"--zone: {mistake}") from mistake
    configuration = reach.configuration()
    names = [name.strip() for name in columns.split(",") if name.strip()]
    there = stated(capacity, named or configuration.zone)
    with auditing.uncollected():
        found = auditing.Audit(
            auditing.terms(configuration, zone=named, capacity=there),
            auditing.told(configuration, zone=named),
        )
        for path in files:
            try:
                with _open(path) as (raw, source):
                    found.add(raw, source=source, columns=names, delimiter=delimiter)
            except OSError as error:
                found.lack(path, error)
        report = found.report()
    click.echo(PAGES[form](report), nl=False)
    if report.lost:
        ends = Wrong if any(records.foreign for records in report.sources) else Ending
        raise ends(f"not everything could be read: {report.lost}, listed above")


@contextmanager
def _open(path: Path) -> Iterator[tuple[BinaryIO, str]]:
    if str(path) == "-":
        yield sys.stdin.buffer, "standard input"
        return
    with path.open("rb") as raw:
        yield raw, path.name
