"""How a scenario writes durations, spans and tracks, for people to read."""

import re
from math import inf
from typing import Final

from exporter.contract import durations

LETTERS: Final = "ALHEX?!"
_EXAMPLES: Final = "write for example 90s, 5m, 1h30m or -2d"
_RUN: Final = re.compile(r"([ALHEX?!]+?)\*(\d+)|([ALHEX?!]+)")


def duration(text: str) -> float:
    """Read ``"1h30m"``, ``"-3h"``, ``"90s"`` or ``"1.5 hours"`` as seconds."""
    sign, body = (-1.0 if text.strip().startswith("-") else 1.0), text.strip().lstrip("+-").strip()
    found = durations.read(body)
    if found is None:
        near = durations.meant(body)
        cure = f"write {'-' if sign < 0 else ''}{near}" if near else _EXAMPLES
        raise ValueError(f"duration {text!r}: {cure}")
    return sign * found


def written(seconds: float) -> str:
    """Write a duration short: the inverse of :func:`duration`."""
    sign, rest = ("-" if seconds < 0 else ""), abs(seconds)
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count:.0f}{unit}")
    if rest or not parts:
        parts.append(f"{rest:g}s")
    return sign + "".join(parts)


def expand(drawn: str) -> str:
    """Write a drawn track out: ``"A*3 H"`` becomes ``"AAAH"``; spaces are for the eye."""
    letters: list[str] = []
    for word in drawn.split():
        if _RUN.sub("", word):
            message = f"track {drawn!r}: letters are {LETTERS}, a count is written A*30"
            raise ValueError(message)
        for unit, count, plain in _RUN.findall(word):
            letters.append(unit * int(count) if unit else plain)
    return "".join(letters)


def draw(letters: str) -> str:
    """Write a track short: the inverse of :func:`expand`."""
    runs = [(match[0][0], len(match[0])) for match in re.finditer(r"(.)\1*", letters)]
    return " ".join(f"{letter}*{count}" if count > 3 else letter * count for letter, count in runs)


def span(text: str) -> tuple[float, float]:
    """Read ``"10m..2h"`` as seconds from and until; ``"10m.."`` goes on to the end."""
    begin, dots, end = text.partition("..")
    if not dots:
        message = f"span {text!r}: write for example 10m..2h"
        raise ValueError(message)
    first, last = duration(begin.strip()), duration(end.strip()) if end.strip() else inf
    if last <= first:
        message = f"span {text!r}: ends before it begins"
        raise ValueError(message)
    return first, last


def moments(text: str) -> tuple[float, float]:
    """Read ``"2h"`` or ``"1h..2h"`` as the earliest and the latest moment, in seconds."""
    if ".." not in text:
        at = duration(text.strip())
        return at, at
    first, _, last = text.partition("..")
    earliest, latest = duration(first.strip()), duration(last.strip())
    if latest < earliest:
        message = f"{text!r} ends before it begins"
        raise ValueError(message)
    return earliest, latest
