"""The field types of times that recur: hours of a day, days of a week."""

import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator, WithJsonSchema

from reaper.schema import Mistake, shown

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _day(text: object) -> list[int]:
    first, _, last = str(text).strip().lower().partition("-")
    if first not in WEEKDAYS or (last or first) not in WEEKDAYS:
        raise Mistake(f"{shown(text)} is no weekday", "write for example mon-fri or [mon, wed]")
    begin, end = WEEKDAYS.index(first), WEEKDAYS.index(last or first)
    return list(range(begin, end + 1)) if begin <= end else [*range(begin, 7), *range(end + 1)]


def _weekdays(value: object) -> tuple[int, ...]:
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return tuple(sorted({day for item in items for day in _day(item)}))


def _clock(value: object) -> float:
    found = re.fullmatch(r"(\d{1,2})(?::([0-5]\d))?", str(value).strip())
    hours = int(found[1]) + int(found[2] or 0) / 60 if found else -1
    if not 0 <= hours <= 24:
        raise Mistake(f"{shown(value)} is no time of day", "write for example 09:00")
    return hours


_TEXT_SCHEMA: Final = {"type": "string"}

TimeOfDay = Annotated[
    float, BeforeValidator(_clock), WithJsonSchema({**_TEXT_SCHEMA, "examples": ["09:00"]})
]
"""Hours since midnight."""

Weekdays = Annotated[
    tuple[int, ...],
    BeforeValidator(_weekdays),
    WithJsonSchema({"anyOf": [_TEXT_SCHEMA, {"type": "array"}], "examples": ["mon-fri"]}),
]
"""Days of the week, Monday is 0."""
