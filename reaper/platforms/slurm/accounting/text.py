"""Reads the text of `sacct -P`, line by line: its header, and then its rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from reaper.domain.audit.jobs import Records, Unread
from reaper.platforms.slurm.accounting.books import Books, Keyed
from reaper.platforms.slurm.accounting.columns import HeaderError, checked, header
from reaper.platforms.slurm.accounting.making import Told
from reaper.platforms.slurm.accounting.rows import rows

FORM: Final = "sacct text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file whose header was read: its books, and its rows, each with the key of its job."""

    books: Books
    rows: Iterator[Keyed]

    def records(self) -> Records:
        """Return all that it holds, at once."""
        found = [row for _, row in self.rows]
        return self.books.records(list(self.books.jobs(found)))


def opened(
    parts: Iterable[str],
    *,
    source: str,
    told: Told,
    columns: Sequence[str] = (),
    delimiter: str = "|",
) -> Opened | Records:
    """
    Return the rows of sacct's text; without a header `columns` say what its fields are.

    It comes in parts that end with a line.  Where its header is of no use, that is the only thing
    there.
    """
    left = _lines(parts)
    top = [] if columns else [*islice(left, 2), ""]
    try:
        head = (
            checked([name.lower() for name in columns], delimiter)
            if columns
            else header(top[0], top[1])
        )
    except HeaderError as error:
        wrong = Unread(file=source, line=1, what=str(error))
        return Records(source=source, form=FORM, unread=(wrong,))
    numbered = enumerate(chain(top[1:-1], left), start=1 if columns else 2)
    books = Books(source=source, told=told, head=head, form=FORM)
    return Opened(books=books, rows=books.keyed(rows(numbered, head)))


def read_text(
    text: str, *, source: str, told: Told, columns: Sequence[str] = (), delimiter: str = "|"
) -> Records:
    """
    Return the jobs of sacct's text; without a header `columns` say what its fields are.

    What cannot be read is in the answer, with its line; an unusable header is the only thing there.
    """
    found = opened((text,), source=source, told=told, columns=columns, delimiter=delimiter)
    return found.records() if isinstance(found, Opened) else found


def _lines(parts: Iterable[str]) -> Iterator[str]:
    """Yield the lines; only a line feed ends one, since a name may hold other separators."""
    mark = "\ufeff"
    for part in parts:
        lines = part.removeprefix(mark).removesuffix("\n").split("\n")
        yield from (line.removesuffix("\r") for line in lines) if "\r" in part else lines
        mark = ""
