"""A table of a scenario, read key by key: every mistake is noted with its place and its cure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from typing import Final, TypeVar

from exporter.contract.drawing import duration, span

Place = tuple[str | int, ...]
"""A table by its name and, of several, its number from 0; then a key of it."""

_BARE: Final = r"[A-Za-z0-9_-]+"
_HEADER: Final = re.compile(rf'\s*\[(\[?)\s*({_BARE})((?:\.(?:{_BARE}|"[^"]*"))*)\s*\]')
_KEY: Final = re.compile(rf"""(?:"([^"]*)"|'([^']*)'|({_BARE}))\s*=(?!=)""")


def lines(text: str) -> Mapping[Place, int]:
    """Return the line, from 1, of each table and of each key in it."""
    found: dict[Place, int] = {}
    counts: Counter[str] = Counter()
    here: Place = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is None:
            for key in _KEY.finditer(line.partition("#")[0] if '"' not in line else line):
                found.setdefault((*here, next((part for part in key.groups() if part), "")), number)
            continue
        several, name, below = header.groups()
        if several and not below:
            counts[name] += 1
        here = (name, counts[name] - 1) if counts[name] else (name,)
        found.setdefault(here, number)
        found.setdefault((name,), number)
    return found


T = TypeVar("T")

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(slots=True, kw_only=True)
class Table:
    """
    One table; what was never asked for is an unknown key.

    `mistakes` and `lines` are shared by all tables of a document, whose time begins at `start`.
    """

    where: str
    values: Mapping[str, object]
    mistakes: list[str]
    lines: Mapping[Place, int] = field(default_factory=dict)
    place: Place = ()
    start: datetime | None = None
    _asked: set[str] = field(default_factory=set)

    def wrong(self, key: str, what: str) -> None:
        """Note a mistake at a key, with its line."""
        called = ": ".join(part for part in (self.where, key) if part)
        around = ((*self.place, key), self.place, self.place[:1])
        line = next((self.lines[place] for place in around if place in self.lines), None)
        self.mistakes.append(f"{'' if line is None else f'line {line}: '}{called}: {what}")

    def renamed(self, others: Mapping[str, str]) -> "Table":
        """Return the table with keys that are known by other names under their own."""
        for other in sorted(others.keys() & self.values.keys()):
            if others[other] in self.values:
                self.wrong(other, f"says the same as {others[other]}; keep one")
        values = {others.get(key, key): value for key, value in self.values.items()}
        return replace(self, values=values)

    def raw(self, key: str) -> object:
        """Return a value as it stands; None where it is missing."""
        self._asked.add(key)
        return self.values.get(key)

    def text(self, key: str, default: str = "") -> str:
        """Return a text."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            self.wrong(key, f'{value!r} is no text; write "{value}"')
            return default
        return value

    def needed(self, key: str, example: str) -> str:
        """Return a text that must be there."""
        value = self.text(key)
        if not value and not isinstance(self.values.get(key), int | float | bool):
            self.wrong(key, f"missing; write for example {key} = {example}")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.raw(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.wrong(key, f"{value!r} is neither true nor false")
        return default

    def count(self, key: str, default: int | None = None) -> int:
        """Return a whole number of zero or more."""
        value = default if self.raw(key) is None else self.raw(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        cure = f"write a whole number: {key} = 1"
        self.wrong(key, f"missing; {cure}" if value is None else f"{value!r} is no count; {cure}")
        return 0

    def number(self, key: str, default: float = 0.0) -> float:
        """Return a number of zero or more."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            return float(value)
        self.wrong(key, f"{value!r} is no number of zero or more; write {key} = 0.5")
        return default

    def words(self, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return a list of some words."""
        found = tuple(str(item) for item in self.listed(key))
        for word in found:
            if word not in known:
                self.wrong(key, f"{word!r} is unknown; known are {', '.join(known)}")
        return found

    def choice(self, key: str, words: Iterable[str], default: str) -> str:
        """Return one of some words."""
        value, known = self.text(key, default), tuple(words)
        if value in known:
            return value
        near = get_close_matches(value, known, 1)
        cure = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
        self.wrong(key, f"{value!r} is unknown; {cure}")
        return default

    def seconds(self, key: str, default: float | None) -> float:
        """Return a moment in seconds from start; without a default it must be there."""
        return self._needed(key, default, self._moment)

    def maybe(self, key: str) -> float | None:
        """Return a moment in seconds from start; None where it is missing."""
        value = self.raw(key)
        return None if value is None else self._read(key, value, self._moment)

    def lasting(self, key: str, default: float | None) -> float:
        """Return how long something lasts, in seconds; no time can stand for it."""
        return self._needed(key, default, _lasting)

    def by(self, key: str) -> float:
        """Return by how much a clock is set, in seconds; a negative one sets it back."""
        return self._needed(key, None, lambda value: duration(str(value)))

    def moments(self, key: str) -> tuple[float, ...]:
        """Return a list of moments in seconds from start."""
        read = (self._read(key, item, self._moment) for item in self.listed(key))
        return tuple(found for found in read if found is not None)

    def spans(self, key: str) -> tuple[tuple[float, float], ...] | None:
        """Return a list of spans; None where the key is missing."""
        if self.raw(key) is None:
            return None
        read = (self._read(key, item, _span) for item in self.listed(key))
        return tuple(found for found in read if found is not None)

    def listed(self, key: str) -> list[object]:
        """Return a list; a single value stands for a list of one."""
        value = self.raw(key)
        if value is None:
            return []
        return value if isinstance(value, list) else [value]

    def table(self, key: str) -> "Table":
        """Return a table below a key; empty where it is missing."""
        value = self.raw(key)
        if value is not None and not isinstance(value, dict):
            self.wrong(key, f"write a table: [{key}]")
        values = value if isinstance(value, dict) else {}
        return Table(
            where=key,
            values=values,
            mistakes=self.mistakes,
            lines=self.lines,
            place=self.place or (key,),
            start=self.start,
        )

    def tables(self, key: str, name: str = "") -> Iterator["Table"]:
        """Yield the tables of a list, each called by the value of its key `name`."""
        for number, item in enumerate(self.listed(key), 1):
            if not isinstance(item, dict):
                self.wrong(key, f"{item!r} is no table; write [[{key}]], or {{…}} in a list")
                continue
            called = item.get(name) if name else None
            where = f"{key} {called if isinstance(called, str | int) and called != '' else number}"
            yield Table(
                where=f"{self.where}: {where}" if self.where else where,
                values=item,
                mistakes=self.mistakes,
                lines=self.lines,
                place=self.place or (key, number - 1),
                start=self.start,
            )

    def finish(self) -> None:
        """Name every key that nobody asked for."""
        for key in self.values:
            if key in self._asked:
                continue
            near = get_close_matches(key, sorted(self._asked), 1)
            cure = f"did you mean {near[0]!r}?" if near else f"known are {self._known()}"
            self.wrong(key, f"unknown key; {cure}")

    def _known(self) -> str:
        return ", ".join(sorted(self._asked))

    def _needed(self, key: str, default: float | None, reader: Callable[[object], float]) -> float:
        value = self.raw(key)
        if value is None and default is not None:
            return default
        if value is None:
            self.wrong(key, f'missing; write for example {key} = "1h30m"')
            return 0.0
        return self._read(key, value, reader) or 0.0

    def _moment(self, value: object) -> float:
        """Read a duration, or a time with a zone as the duration from start."""
        if isinstance(value, datetime) and value.tzinfo is not None and self.start is not None:
            return (value - self.start).total_seconds()
        if _TIME.match(str(value)):
            cure = "a time has a zone and no quotes; write for example 2026-03-02T09:00:00Z"
            raise ValueError(f"{value}: {cure}")
        return duration(str(value))

    def _read(self, key: str, value: object, reader: Callable[[object], T]) -> T | None:
        try:
            return reader(value)
        except ValueError as error:
            self.wrong(key, str(error))
            return None


def _lasting(value: object) -> float:
    found = duration(str(value))
    if found < 0:
        raise ValueError(f"duration {value!r}: less than nothing; write for example 90s")
    return found


def _span(value: object) -> tuple[float, float]:
    return span(str(value))
