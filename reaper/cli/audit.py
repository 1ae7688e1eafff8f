"""``gpu-reaper audit``: what a site's own books say, before anything is installed."""

import sys
from pathlib import Path

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
    from reaper.app import auditing
    from reaper.reports.audit import PAGES
    from reaper.schema import Mistake
    from reaper.schema import zone as checked

    try:
        named = checked(zone) if zone else ""
    except Mistake as mistake:
        raise click.UsageError(f"--zone: {mistake}") from mistake
    configuration = reach.configuration()
    reader = auditing.told(configuration, zone=named)
    names = [name.strip() for name in columns.split(",") if name.strip()]
    there = stated(capacity, named or configuration.zone)
    found = []
    with auditing.uncollected():
        for path in files:
            try:
                raw, source = _bytes(path)
            except OSError as error:
                found.append(auditing.absent(path, error))
                continue
            found.append(
                auditing.read(raw, source=source, reader=reader, columns=names, delimiter=delimiter)
            )
        report = auditing.report(found, auditing.terms(configuration, zone=named, capacity=there))
    click.echo(PAGES[form](report), nl=False)
    if report.lost:
        ends = Wrong if any(records.foreign for records in found) else Ending
        raise ends(f"not everything could be read: {report.lost}, listed above")


def _bytes(path: Path) -> tuple[bytes, str]:
    if str(path) == "-":
        return sys.stdin.buffer.read(), "standard input"
    return path.read_bytes(), path.name
