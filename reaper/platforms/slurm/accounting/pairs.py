"""
Reads sacct's fields as Sonar writes them: CSV without a header, each field ``name=value``.

A field that a row leaves out is not known of its job.
"""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Final, NamedTuple

from reaper.domain.audit.jobs import Records, Unread
from reaper.platforms.slurm.accounting.books import Books
from reaper.platforms.slurm.accounting.columns import Header, HeaderError, checked
from reaper.platforms.slurm.accounting.making import Told
from reaper.platforms.slurm.accounting.rows import Broken, Row
from reaper.platforms.slurm.accounting.text import Opened

FORM: Final = "sacct as name=value"

_IDENTS: Final = frozenset(("jobid", "jobidraw"))


class Named(NamedTuple):
    """The fields of a row by their names, and the line it begins on."""

    line: int
    fields: Mapping[str, str]


def is_pairs(first: str) -> bool:
    """Tell whether a first line is such a row: every field named, a job's id among them."""
    try:
        fields = next(csv.reader([first]), [])
    except csv.Error:
        return False
    names = {field.partition("=")[0].strip().lower() for field in fields if "=" in field}
    return len(names) > 1 and bool(names & _IDENTS) and all("=" in field for field in fields)


def read_pairs(text: str, *, source: str, told: Told) -> Records:
    """Return the jobs; what cannot be read is in the answer, with its line."""
    found = tuple(_rows(text.removeprefix("\ufeff")))
    names = dict.fromkeys(name for row in found if isinstance(row, Named) for name in row.fields)
    try:
        head = checked(tuple(names), ",")
    except HeaderError as error:
        wrong = Unread(file=source, line=1, what=str(error))
        return Records(source=source, form=FORM, unread=(wrong,))
    books = Books(source=source, told=told, head=head, form=FORM)
    rows = (_inorder(row, head) if isinstance(row, Named) else row for row in found)
    return Opened(books=books, rows=books.keyed(rows)).records()


def _inorder(row: Named, head: Header) -> Row:
    return Row(row.line, [row.fields.get(name, "") for name in head.columns])


def _rows(text: str) -> Iterator[Named | Broken]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Broken(line=line, what=f"is no CSV: {error}", text="")
            continue
        if not any(map(str.strip, fields)):
            continue
        nameless = next((field for field in fields if "=" not in field), None)
        if nameless is not None:
            what = f"{nameless[:40]!r} has no name: write each field as name=value, in quotes"
            yield Broken(line=line, what=what, text="")
            continue
        pairs = (field.partition("=") for field in fields)
        named: dict[str, str] = {}
        for name, _, value in pairs:
            named.setdefault(name.strip().lower(), value.strip())
        yield Named(line, named)
