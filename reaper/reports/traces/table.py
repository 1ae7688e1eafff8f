"""A CSV file as rows that collect their mistakes instead of stopping at the first."""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Final

from reaper.ports import WrongError
from reaper.reports.cells import delimiter
from reaper.reports.traces.trace import Trace

#: Mistakes written out in one message; the rest is counted.
SHOWN: Final = 20

#: What other systems write where they know nothing.
_BLANK: Final = frozenset(("", "n/a", "na", "nan", "null", "none", "-", "[n/a]", "[not supported]"))


class TraceError(WrongError):
    """A recorded file cannot be replayed; `problems` holds every mistake, with its line."""

    def __init__(self, source: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        shown = [*self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            shown.append(f"and {len(self.problems) - SHOWN} more")
        super().__init__("\n".join(f"{source}: {problem}" for problem in shown))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row; what cannot be read is noted in `mistakes` and stands for zero until refused."""

    line: int
    fields: dict[str, str]
    mistakes: list[str]

    def text(self, column: str) -> str:
        """Return a field as it stands."""
        return self.fields[column].strip()

    def given(self, column: str) -> str:
        """Return a field of a column that a file may lack, "" where it does."""
        return self.fields.get(column, "").strip()

    def known(self, column: str, *, high: float | None = None) -> float | None:
        """Return a number of zero or more; None where the field is blank or says unknown."""
        if self.text(column).lower() in _BLANK:
            return None
        return self.number(column, high=high)

    def number(self, column: str, *, high: float | None = None) -> float:
        """Return a number of zero or more, at most `high`."""
        try:
            value = float(self.text(column))
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            self.wrong(column, "is no number")
        elif value < 0:
            self.wrong(column, "is below zero")
        elif high is not None and value > high:
            self.wrong(column, f"is above {high:g}")
        else:
            return value
        return 0.0

    def count(self, column: str) -> int:
        """Return a whole number of zero or more."""
        value = self.number(column)
        if value != int(value):
            self.wrong(column, "is no whole number")
        return int(value)

    def wrong(self, column: str, what: str) -> None:
        """Note a mistake of this row."""
        self.mistakes.append(f"line {self.line}: {column}: {self.text(column)[:40]!r} {what}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A CSV file with a header, and the mistakes found in it so far."""

    source: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    mistakes: list[str] = field(default_factory=list)

    def refuse_mistakes(self) -> None:
        """Raise TraceError when anything in the file was wrong."""
        if self.mistakes:
            raise TraceError(self.source, tuple(dict.fromkeys(self.mistakes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A form of file: its name, the columns it is known by, and how it is read."""

    name: str
    columns: tuple[str, ...]
    read: Callable[[Table], Trace]


def read_table(path: Path) -> Table:
    """Read a CSV file with a header; bytes that are no UTF-8 become replacement signs."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            head = lines.readline()
            return _table(path.name, chain([head], lines), apart=delimiter(head))
    except OSError as error:
        raise TraceError(path.name, (f"cannot be read: {error.strerror}",)) from error
    except csv.Error as error:
        raise TraceError(path.name, (f"is no CSV: {error}; write one row a line",)) from error


def _table(source: str, lines: Iterable[str], *, apart: str) -> Table:
    reader = csv.reader(lines, delimiter=apart, strict=True)
    columns = tuple(name.strip() for name in next(reader, []))
    if not columns:
        raise TraceError(source, ("is empty: the first line names the columns",))
    if twice := sorted({name for name in columns if columns.count(name) > 1}):
        raise TraceError(source, (f"names columns twice: {', '.join(twice)}",))
    rows: list[Row] = []
    mistakes: list[str] = []
    for fields in reader:
        if len(fields) == len(columns):
            named = dict(zip(columns, fields, strict=True))
            rows.append(Row(line=reader.line_num, fields=named, mistakes=mistakes))
        elif fields:
            short = f"{len(fields)} fields, the header has {len(columns)}"
            mistakes.append(f"line {reader.line_num}: {short}")
    return Table(source=source, columns=columns, rows=tuple(rows), mistakes=mistakes)
