"""
The rows of sacct's text: lines joined where a name holds a line break, and told apart again.

A row has as many fields as the header.  A user's text may hold the delimiter or a line break, and
sacct escapes neither; what cannot be put together again is named, and the next row is read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from reaper.platforms.slurm.accounting.columns import FREE_TEXT, Header

#: Lines that one row may be broken into.
MOST_LINES: Final = 200

_JOB: Final = re.compile(r"\d+(?:_(?:\d+|\[[^\]]*\]))?(?:\+\d+)?(?:\.[\w+]+)?", re.ASCII)
_TYPED: Final = {
    "jobid": _JOB,
    "jobidraw": _JOB,
    "elapsedraw": re.compile(r"-?\d*", re.ASCII),
    "alloctres": re.compile(r"(?:[^=,]+=[^=,]*(?:,|$))*"),
    "start": re.compile(r"\d[\dT:.+-]*|[A-Za-z]*", re.ASCII),
    "end": re.compile(r"\d[\dT:.+-]*|[A-Za-z]*", re.ASCII),
}
"""What fields look like by which a row is known to be put together right."""


Fields = str | Sequence[str]
"""A row's fields in the order of the header: as the line that they are, or put together again."""


class Row(NamedTuple):
    """A row's fields, and the line it begins on."""

    line: int
    fields: Fields


def parted(fields: Fields, head: Header) -> Sequence[str]:
    """Return the fields of a row, one by one."""
    if not isinstance(fields, str):
        return fields
    if not head.trailing:
        return list(map(str.strip, fields.split(head.delimiter)))
    return list(map(str.strip, fields.split(head.delimiter)[:-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Lines that are no row."""

    line: int
    what: str
    text: str


def rows(lines: Iterable[tuple[int, str]], head: Header) -> Iterator[Row | Broken]:
    """Yield every row, and what is none, in order."""
    found = _joined(lines, head)
    return _continued(found, head) if head.columns[-1] in FREE_TEXT else found


def _continued(joined: Iterable[Row | Broken], head: Header) -> Iterator[Row | Broken]:
    """Yield the rows, with lines that can only be the rest of a row's last text in it."""
    last: Row | Broken | None = None
    for found in joined:
        if isinstance(last, Row) and isinstance(found, Broken) and _continues(found, head):
            *fields, text = parted(last.fields, head)
            last = Row(last.line, [*fields, f"{text}\n{found.text}"])
            continue
        if last is not None:
            yield last
        last = found
    if last is not None:
        yield last


def _joined(lines: Iterable[tuple[int, str]], head: Header) -> Iterator[Row | Broken]:
    pieces: list[str] = []
    start = 0
    delimiter, wanted = head.delimiter, len(head.columns)
    enough, end = wanted - 1 + head.trailing, delimiter if head.trailing else ""
    for number, text in lines:
        if not pieces and text.count(delimiter) == enough and wanted > 1 and text.endswith(end):
            # Nearly every line is a row by itself.
            yield Row(number, text)
            continue
        if not text.strip() and not pieces:
            continue
        if pieces and _whole(text, head):
            yield _broken(start, pieces, head)
            pieces = []
        start = start if pieces else number
        pieces.append(text)
        surplus = _width("\n".join(pieces), head)
        if surplus >= 0 or len(pieces) > MOST_LINES:
            yield _row(start, pieces, head)
            pieces = []
    if pieces:
        yield _broken(start, pieces, head)


def _continues(found: Broken, head: Header) -> bool:
    """Tell whether lines without a delimiter can be the rest of a text that ends its row."""
    return head.delimiter not in found.text


def _whole(text: str, head: Header) -> bool:
    """Tell whether a line is a row by itself, whatever stands before it."""
    return _width(text, head) == 0 and _plausible(text.split(head.delimiter), head)


def _width(text: str, head: Header) -> int:
    """Return by how many fields a text has more than the header, or less."""
    return text.count(head.delimiter) + (0 if head.trailing else 1) - len(head.columns)


def _row(line: int, pieces: Sequence[str], head: Header) -> Row | Broken:
    text = "\n".join(pieces)
    fields = text.removesuffix(head.delimiter if head.trailing else "").split(head.delimiter)
    surplus = len(fields) - len(head.columns)
    if surplus == 0:
        return Row(line, list(map(str.strip, fields)))
    found = _mended(fields, surplus, head) if surplus > 0 else None
    if found is None:
        return _broken(line, pieces, head)
    return Row(line, list(map(str.strip, found)))


def _mended(fields: list[str], surplus: int, head: Header) -> list[str] | None:
    """Return the fields with the surplus given back to the one free text that explains it."""
    fitting = []
    for name in FREE_TEXT:
        place = head.place(name)
        if place is not None:
            text = head.delimiter.join(fields[place : place + surplus + 1])
            tried = [*fields[:place], text, *fields[place + surplus + 1 :]]
            if _plausible(tried, head):
                fitting.append(tried)
    same = fitting and all(_key(tried, head) == _key(fitting[0], head) for tried in fitting)
    return fitting[0] if same else None


def _plausible(fields: Sequence[str], head: Header) -> bool:
    return all(
        form.fullmatch(fields[place].strip())
        for name, form in _TYPED.items()
        if (place := head.place(name)) is not None
    )


def _key(fields: Sequence[str], head: Header) -> tuple[str, ...]:
    """Return the fields on which figures rest."""
    places = (head.place(name) for name in (*_TYPED, "state", "user", "submit"))
    return tuple(fields[place] for place in places if place is not None)


def _broken(line: int, pieces: Sequence[str], head: Header) -> Broken:
    text = "\n".join(pieces).rstrip("\n")
    fields, more = _width(text, head) + len(head.columns), text.count("\n")
    many = f", over {more + 1} lines" if more else ""
    cure = f"a text holds {head.delimiter!r}? ask with --delimiter=$'\\x1f', or without that column"
    what = f"{fields} fields{many}, the header has {len(head.columns)}"
    if fields > len(head.columns):
        what = f"{what}; {cure}"
    return Broken(line=line, what=what, text=text)
