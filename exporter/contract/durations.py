"""
Durations as people write them: ``30m``, ``30 min``, ``2 hours``, ``1h30m``.

The one parser: of policies and settings, of scenarios, of commands.
"""

import re
from typing import Final

#: Seconds of each unit, largest first, with every way to write it but its letter.
_UNITS: Final = (
    ("w", 604800.0, "[Ww]eeks?"),
    ("d", 86400.0, "[Dd]ays?"),
    ("h", 3600.0, "[Hh]ours?|[Hh]rs?"),
    ("m", 60.0, "[Mm]inutes?|[Mm]ins?"),
    ("s", 1.0, "[Ss]econds?|[Ss]ecs?"),
    ("ms", 0.001, "[Mm]illiseconds?"),
)
_NUMBER: Final = r"[0-9]{1,12}(?:\.[0-9]{1,12})?"


def _each(number: str) -> str:
    """Return the pattern of all units in their order, with another one for their numbers."""
    parts = (rf"(?:{number}\s*(?:{unit}|{words})\s*)?" for unit, _, words in _UNITS)
    return rf"\s*{''.join(parts)}"


PATTERN: Final = rf"^(?=\s*[0-9]){_each(_NUMBER)}$"
"""What a duration looks like, for a JSON Schema."""

_WHOLE: Final = re.compile(_each(f"({_NUMBER})"))
_PART: Final = re.compile(
    rf"({_NUMBER})\s*(?:"
    + "|".join(f"({unit}|{words})" for unit, _, words in reversed(_UNITS))
    + r")(?![A-Za-z])\s*"
)


def read(text: str) -> float | None:
    """Return the seconds of a duration; None where the text is none."""
    found = _WHOLE.fullmatch(text)
    if found is None or not any(found.groups()):
        return None
    pairs = zip(found.groups(), _UNITS, strict=True)
    return sum(float(number) * size for number, (_, size, _) in pairs if number)


def short(seconds: float) -> str:
    """Write seconds as an operator would: "1h30m"; no weeks: seven days are said as they are."""
    left = round(seconds * 1000)
    parts = []
    for unit, size, _ in _UNITS[1:]:
        count, left = divmod(left, round(size * 1000))
        parts += [f"{count}{unit}"] if count else []
    return "".join(parts) or "0s"


def meant(text: str) -> str:
    """Return how a duration is written that somebody tried to write; empty where nobody knows."""
    clock = re.fullmatch(r"\s*([0-9]{1,2}):([0-5][0-9])\s*", text)
    if clock:
        return short(int(clock[1]) * 3600 + int(clock[2]) * 60)
    lower = text.lower()
    if read(lower) is not None:
        return short(read(lower) or 0.0)
    parts = _PART.findall(lower)
    if not parts or _PART.sub("", lower).strip():
        return ""
    return short(sum(_size(number, units) for number, *units in parts))


def _size(number: str, units: list[str]) -> float:
    sizes = (size for _, size, _ in reversed(_UNITS))
    return sum(float(number) * size for unit, size in zip(units, sizes, strict=True) if unit)
