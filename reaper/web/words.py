"""How figures read to people, on the page and in the terminal alike; pure, UTC unless told."""

import unicodedata
from datetime import UTC, datetime, tzinfo
from typing import Final
from urllib.parse import quote

from reaper.domain import spoken
from reaper.languages import units

#: A number with its noun: "1 GPU", "3 GPUs".
count: Final = spoken.count

#: A dash that stands where nothing is known.
NOTHING: Final = "–"

_SYMBOLS: Final = ("s", "min", "h", "d")
_VENDOR: Final = ("NVIDIA ", "Tesla ")
_KINDS: Final = {"final": "final warning"}
_REPLACEMENT: Final = "\ufffd"
#: Characters that turn the direction of a line, so that it reads as what it is not.
_TURNS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def plain(text: str) -> str:
    """Return a foreign text that fits one line, without control characters or half characters."""
    if text.isprintable():
        return text
    return "".join(_printable(character) for character in text)


def _printable(character: str) -> str:
    if character.isspace():
        return " "
    bad = unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co") or character in _TURNS
    return _REPLACEMENT if bad else character


def duration(seconds: float) -> str:
    """Return a duration in its two largest units: "3 h 12 min"."""
    return units.brief(_SYMBOLS, seconds)


def ago(at: float | None, now: float) -> str:
    """Return how long ago an instant was; "never" for None, and what is ahead is said to be."""
    if at is None:
        return "never"
    if now - at < -units.AHEAD:
        return f"{duration(at - now)} ahead of the clock"
    return f"{duration(now - at)} ago"


def countdown(due: float, now: float) -> str:
    """Return how long until an instant; "now" once it is reached."""
    return "now" if due <= now else f"in {duration(due - now)}"


def instant(at: float, now: float, zone: tzinfo = UTC) -> str:
    """Return the hour of an instant, with the day where it is not today's."""
    moment, today = _local(at, zone), _local(now, zone)
    if moment.date() == today.date():
        return f"{moment:%H:%M}"
    if abs((moment.date() - today.date()).days) < 7:
        return f"{moment:%a %H:%M}"
    return f"{moment:%Y-%m-%d %H:%M}"


def second(at: float, zone: tzinfo = UTC) -> str:
    """Return the hour of an instant to the second, with its zone."""
    return f"{_local(at, zone):%H:%M:%S %Z}"


def moment(at: float, now: float, zone: tzinfo = UTC) -> str:
    """Return an instant to the second, with the day where it is not today's."""
    today = _local(at, zone).date() == _local(now, zone).date()
    return second(at, zone) if today else f"{_local(at, zone):%Y-%m-%d %H:%M:%S %Z}"


def stamp(at: float, zone: tzinfo = UTC) -> str:
    """Return the day and the hour of an instant, with its zone."""
    return f"{_local(at, zone):%Y-%m-%d %H:%M %Z}"


def iso(at: float) -> str:
    """Return an instant as machines read it."""
    return f"{_local(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _local(at: float, zone: tzinfo) -> datetime:
    return datetime.fromtimestamp(at, tz=UTC).astimezone(zone)


def money(amount: float | None, currency: str) -> str:
    """Return an amount; a dash where there is no price, for that is never zero."""
    if amount is None:
        return NOTHING
    return f"{amount:,.2f} {currency}".rstrip()


def share(ratio: float) -> str:
    """Return a ratio as a percentage that says 100 % only when nothing is missing."""
    percent = 100 * ratio
    if 99 < percent < 100:
        return f"{min(percent, 99.9):.1f} %"
    return f"{percent:.0f} %"


def path(name: str) -> str:
    """Return a name as part of a path; bytes that are no text come through as they are."""
    return quote(name, errors="surrogateescape")


def sentence(text: str) -> str:
    """Return a text as a sentence; a name at its beginning stays as it is."""
    first = text.strip().partition(" ")[0]
    begin = first if "/" in first or "@" in first else f"{first[:1].upper()}{first[1:]}"
    return f"{begin}{text.strip()[len(first) :].rstrip('.')}."


def happening(kind: str) -> str:
    """Return the kind of a notice or an event as people call it."""
    return _KINDS.get(kind, kind)


def model(name: str) -> str:
    """Return a GPU model without its vendor."""
    short = plain(name)
    for vendor in _VENDOR:
        short = short.removeprefix(vendor)
    return short


def gpus(number: int, name: str) -> str:
    """Return GPUs with their model: "8 × H100 80GB HBM3"."""
    return f"{number} × {model(name) or 'GPU'}"


def nodes(names: tuple[str, ...]) -> str:
    """Return nodes by name; of many the first and how many more."""
    shown = ", ".join(plain(name) for name in names[:2])
    return shown if len(names) <= 2 else f"{shown} and {len(names) - 2} more"
