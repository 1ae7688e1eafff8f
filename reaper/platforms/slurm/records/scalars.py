"""
Single values of Slurm's JSON in all the shapes that its versions give them.

Numbers are plain (22.05) or ``{set, infinite, number}`` (from 23.02); states one text or a list.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

#: What plain numbers say for "no value" and "no limit": 32 and 64 bits, each minus 2 and minus 1.
_NONE: Final = frozenset((2**32 - 2, 2**64 - 2))
_ENDLESS: Final = frozenset((2**32 - 1, 2**64 - 1))
#: A number beyond has no meaning here; neither has one that is not finite.
_TOO_MUCH: Final = 2**64
#: The last second of the year 9999: what lies behind is no date.
_LAST: Final = 253_402_300_799
#: Halves of characters, which JSON may hold and no database takes.
_UNWRITABLE = re.compile("[\ud800-\udfff]")

T = TypeVar("T")
D = TypeVar("D")


class ShapeError(ValueError):
    """A record lacks something, or holds it in a shape that no known version writes."""


@dataclass(slots=True)
class Noting:
    """
    Reads values of a record on which identity does not rest.

    One that is odd is noted in `odd`, and counts as not said.
    """

    record: Mapping[str, object]
    odd: list[str] = field(default_factory=list)

    def read(self, reader: Callable[[Mapping[str, object], str], T], key: str, default: D) -> T | D:
        """Return what `reader` makes of a value, `default` where it is odd."""
        try:
            return reader(self.record, key)
        except ShapeError as error:
            self.odd.append(str(error))
            return default


def number(record: Mapping[str, object], key: str) -> float | None:
    """Return a number, `math.inf` for no limit, None for no value; raise ShapeError."""
    if key not in record:
        raise ShapeError(f"no {key}")
    value = record[key]
    if isinstance(value, Mapping):
        return _structured(value, key)
    return _plain(value, key)


def whole(record: Mapping[str, object], key: str) -> int:
    """Return a whole number from 0 on, 0 where there is no value; raise ShapeError."""
    value = number(record, key)
    if value is None:
        return 0
    if math.isinf(value):
        raise ShapeError(f"{key} is endless")
    if value < 0 or value != int(value):
        raise ShapeError(f"{key} is {shown(value)}, no whole number from 0 on")
    return int(value)


def optional(record: Mapping[str, object], key: str) -> int:
    """Return a whole number, 0 where it is missing or has no value; raise ShapeError."""
    return whole(record, key) if key in record else 0


def instant(record: Mapping[str, object], key: str) -> int:
    """Return Unix seconds, 0 where there are none; raise ShapeError."""
    value = whole(record, key)
    if value > _LAST:
        raise ShapeError(f"{key} is {shown(value)}, no time")
    return value


def span(record: Mapping[str, object], key: str) -> float | None:
    """Return a number from 0 on that may be endless, None for none; raise ShapeError."""
    value = number(record, key)
    if value is not None and (value < 0 or _LAST < value < math.inf):
        raise ShapeError(f"{key} is {shown(value)}, which cannot be")
    return value


def text(record: Mapping[str, object], key: str) -> str:
    """Return a text, "" where it is missing or null; raise ShapeError for anything else."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ShapeError(f"{key} is {shown(value)}, no text")
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", value)


def flag(record: Mapping[str, object], key: str) -> bool:
    """Return a yes or no, written true, 1 or ``{number: 1}``; raise ShapeError."""
    value = record.get(key)
    return value if isinstance(value, bool) else bool(number(record, key))


def texts(record: Mapping[str, object], key: str) -> tuple[str, ...]:
    """
    Return a list of texts, or the one text that an older version wrote; raise ShapeError.

    Newer versions write null for an empty text, also in a list.
    """
    if key not in record:
        raise ShapeError(f"no {key}")
    value = record[key]
    items = value if isinstance(value, list) else [] if value is None else [value]
    if not all(item is None or isinstance(item, str) for item in items):
        raise ShapeError(f"{key} is {shown(value)}, no list of texts")
    return tuple(
        _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", item) if isinstance(item, str) else ""
        for item in items
    )


def shown(value: object) -> str:
    """Return a value as a message quotes it."""
    try:
        return _UNWRITABLE.sub("?", repr(value))[:80]
    except ValueError:
        return "a number of thousands of digits"


def _structured(value: Mapping[str, object], key: str) -> float | None:
    if not isinstance(value.get("set"), bool) or not isinstance(value.get("infinite", False), bool):
        raise ShapeError(f"{key} is {shown(value)}, no number")
    if value.get("infinite"):
        return math.inf
    return _plain(value.get("number"), key) if value["set"] else None


def _plain(value: object, key: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _TOO_MUCH:
        raise ShapeError(f"{key} is {shown(value)}, no number")
    if value in _NONE:
        return None
    return math.inf if value in _ENDLESS else value
