"""
Single values of Slurm's JSON in all the shapes that its versions give them.

Numbers are plain (22.05) or ``{set, infinite, number}`` (from 23.02); states one text or a list.
"""

import math
from collections.abc import Mapping
from typing import Final

#: What plain numbers say for "no value" and "no limit": 32 and 64 bits, each minus 2 and minus 1.
_NONE: Final = frozenset((2**32 - 2, 2**64 - 2))
_ENDLESS: Final = frozenset((2**32 - 1, 2**64 - 1))


class ShapeError(ValueError):
    """A record lacks something, or holds it in a shape that no known version writes."""


def number(record: Mapping[str, object], key: str) -> float | None:
    """Return a number, `math.inf` for no limit, None for no value; raise ShapeError."""
    if key not in record:
        raise ShapeError(f"no {key}")
    value = record[key]
    if isinstance(value, Mapping):
        return _structured(value, key)
    return _plain(value, key)


def whole(record: Mapping[str, object], key: str) -> int:
    """Return a whole number, 0 where there is no value; raise ShapeError."""
    value = number(record, key)
    if value is None:
        return 0
    if math.isinf(value):
        raise ShapeError(f"{key} is endless")
    return int(value)


def optional(record: Mapping[str, object], key: str) -> int:
    """Return a whole number, 0 where it is missing or has no value; raise ShapeError."""
    return whole(record, key) if key in record else 0


def text(record: Mapping[str, object], key: str) -> str:
    """Return a text, "" where it is missing or null; raise ShapeError for anything else."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ShapeError(f"{key} is no text")
    return value


def flag(record: Mapping[str, object], key: str) -> bool:
    """Return a yes or no, written true, 1 or ``{number: 1}``; raise ShapeError."""
    return bool(number(record, key))


def texts(record: Mapping[str, object], key: str) -> tuple[str, ...]:
    """Return a list of texts, or the one text that an older version wrote; raise ShapeError."""
    if key not in record:
        raise ShapeError(f"no {key}")
    value = record[key]
    items = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(item, str) for item in items):
        raise ShapeError(f"{key} is no list of texts")
    return tuple(items)


def _structured(value: Mapping[str, object], key: str) -> float | None:
    if value.get("infinite"):
        return math.inf
    if not value.get("set"):
        return None
    return _plain(value.get("number"), key)


def _plain(value: object, key: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ShapeError(f"{key} is no number")
    if value in _NONE:
        return None
    return math.inf if value in _ENDLESS else value
