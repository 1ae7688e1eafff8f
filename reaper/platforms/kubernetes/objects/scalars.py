"""
Single values of the API's JSON, read with care.

An odd value is noted and counts as not said: it is a doubt of its own object, and nothing of the
list that it came in.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeVar

#: Halves of characters, which JSON may hold and no database takes.
_UNWRITABLE = re.compile("[\ud800-\udfff]")
_QUANTITY = re.compile(
    r"([+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30}))([A-Za-z]{0,2}|[eE][+-]?\d{1,3})", re.ASCII
)
_UNITS: Final[Mapping[str, Decimal]] = {
    "": Decimal(1),
    "n": Decimal("1e-9"),
    "u": Decimal("1e-6"),
    "m": Decimal("1e-3"),
    "k": Decimal("1e3"),
    "M": Decimal("1e6"),
    "G": Decimal("1e9"),
    "T": Decimal("1e12"),
    "P": Decimal("1e15"),
    "E": Decimal("1e18"),
    "Ki": Decimal(1 << 10),
    "Mi": Decimal(1 << 20),
    "Gi": Decimal(1 << 30),
    "Ti": Decimal(1 << 40),
    "Pi": Decimal(1 << 50),
    "Ei": Decimal(1 << 60),
}
#: No machine has more devices, and no cluster more replicas.
_MOST: Final = 10_000_000
_NONE: Final[Mapping[str, Any]] = {}

T = TypeVar("T")


@dataclass(slots=True)
class Reading:
    """Reads an object; what is odd is noted in `odd`, by its path, and counts as not said."""

    odd: list[str] = field(default_factory=list)

    def within(self, raw: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
        """Return an inner object, an empty one where there is none."""
        found = raw
        for step in path:
            inner = found.get(step)
            if inner is None:
                return _NONE
            if not isinstance(inner, Mapping):
                return self._odd(".".join(path), inner, "no object", _NONE)
            found = inner
        return found

    def each(self, raw: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
        """Yield the objects of a list."""
        for item in self._list(raw, key):
            if isinstance(item, Mapping):
                yield item
            else:
                self._odd(key, item, "no object", None)

    def text(self, raw: Mapping[str, Any], key: str) -> str:
        """Return a text, "" where it is missing."""
        value = raw.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            return self._odd(key, value, "no text", "")
        return clean(value)

    def texts(self, raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self._list(raw, key)
        for item in found:
            if not isinstance(item, str):
                self._odd(key, item, "no text", None)
        return tuple(clean(item) for item in found if isinstance(item, str))

    def flag(self, raw: Mapping[str, Any], key: str, *, default: bool = False) -> bool:
        """Return a yes or no."""
        value = raw.get(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        return self._odd(key, value, "neither true nor false", default)

    def words(self, raw: Mapping[str, Any], key: str, longest: int = 1024) -> Mapping[str, str]:
        """Return a map of texts, without values that are longer; one that is odd is left out."""
        found: dict[str, str] = {}
        for name, value in self.within(raw, key).items():
            if not isinstance(value, str):
                self._odd(f"{key}.{name}", value, "no text", None)
            elif len(value) <= longest:
                found[sys.intern(clean(name))] = sys.intern(clean(value))
        return found

    def number(self, raw: Mapping[str, Any], key: str) -> float | None:
        """Return a number from 0 on, None where there is none."""
        value = raw.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53:
            return self._odd(key, value, "no number from 0 on", None)
        return float(value)

    def count(self, raw: Mapping[str, Any], key: str) -> int | None:
        """Return a quantity that counts things (``2``, ``"2"``, ``"1k"``), None for none."""
        value = raw.get(key)
        found = None if value is None else quantity(value)
        if value is not None and (found is None or found != int(found) or not 0 <= found <= _MOST):
            return self._odd(key, value, "no whole number from 0 on", None)
        return None if found is None else int(found)

    def instant(self, raw: Mapping[str, Any], key: str) -> float | None:
        """Return Unix seconds of an RFC 3339 time, None where there is none."""
        value = raw.get(key)
        if value is None or value == "":
            return None
        try:
            found = datetime.fromisoformat(value)
            return found.timestamp() if found.tzinfo else self._odd(key, value, "no time", None)
        except (TypeError, ValueError, OverflowError):
            return self._odd(key, value, "no time", None)

    def _list(self, raw: Mapping[str, Any], key: str) -> list[Any]:
        value = raw.get(key)
        if value is None or isinstance(value, list):
            return value or []
        return self._odd(key, value, "no list", [])

    def _odd(self, key: str, value: object, what: str, instead: T) -> T:
        self.odd.append(f"{key} is {shown(value)}, {what}")
        return instead


def quantity(value: object) -> Decimal | None:
    """Return a quantity as Kubernetes writes it; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    match = _QUANTITY.fullmatch(str(value).strip()) if len(str(value)[:80]) < 80 else None
    if match is None:
        return None
    digits, unit = match.groups()
    try:
        if unit in _UNITS:
            return Decimal(digits) * _UNITS[unit]
        return Decimal(digits + unit) if unit[1:] else None
    except InvalidOperation:
        return None


def clean(text: str) -> str:
    """Return a text that can be written anywhere."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def shown(value: object) -> str:
    """Return a value as a message quotes it."""
    try:
        return _UNWRITABLE.sub("?", repr(value))[:80]
    except ValueError:
        return "a number of thousands of digits"
