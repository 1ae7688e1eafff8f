"""Single values of sacct's text: instants, durations, memory, trackable resources, states."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Final

from reaper.domain.audit.wall_time import Readings, readings
from reaper.domain.prices.slices import is_slice, part_of_card

#: Distinct texts whose meaning is kept: months of a large site repeat far fewer.
KEPT: Final = 1 << 16

#: What sacct writes where it knows nothing.
NOTHING: Final = frozenset(("", "unknown", "none", "n/a", "(null)", "invalid"))

#: How many characters of a time name its hour, and the second of the hour that the others name.
_HOUR: Final = len("2026-10-25T02")
_LAST: Final = 3599.0
WITHIN_HOUR: Final = {f":{at // 60:02}:{at % 60:02}": float(at) for at in range(3600)}

_ENDLESS: Final = frozenset(("unlimited", "partition_limit"))
_DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)", re.ASCII)
_EPOCH = re.compile(r"\d{1,10}(?:\.\d+)?", re.ASCII)
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)i?B?[nc]?", re.ASCII | re.IGNORECASE)
_UNITS: Final = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}


class FieldError(ValueError):
    """A value that no version of Slurm writes; the message quotes it."""


def instants(text: str, zone: tzinfo) -> Readings:
    """
    Return the Unix seconds that a local time, or a number, may mean; raise FieldError.

    () for unknown, two in an hour that the zone's clock repeats.
    """
    within = WITHIN_HOUR.get(text[_HOUR:])
    begins = None if within is None else hour(text[:_HOUR], zone)
    if begins is not None and within is not None:
        return (begins + within,)
    written = text.strip()
    if written.lower() in NOTHING:
        return ()
    if _EPOCH.fullmatch(written):
        return (float(written),) if float(written) else ()
    if written.isdecimal():
        raise FieldError(f"{written!r} is no time: in milliseconds? write seconds")
    try:
        when = datetime.fromisoformat(written)
    except ValueError as error:
        raise FieldError(f"{written[:40]!r} is no time") from error
    return readings(when, zone)


@lru_cache(maxsize=KEPT)
def hour(text: str, zone: tzinfo) -> float | None:
    """Return when a written hour begins, if each of its seconds is that of a clock; else None."""
    try:
        first, last = (
            readings(datetime.fromisoformat(f"{text}{rest}"), zone) for rest in (":00:00", ":59:59")
        )
    except ValueError:
        return None
    plain = len(first) == len(last) == 1 and last[0] - first[0] == _LAST
    return first[0] if plain else None


def duration(text: str) -> float | None:
    """Return the seconds of ``1-02:03:04``, ``03:04`` or ``3.5``; None for none or no limit."""
    if text.isdecimal() and text.isascii():
        return float(text)
    written = text.strip()
    if written.lower() in NOTHING | _ENDLESS:
        return None
    if written.startswith("-"):
        raise FieldError(f"{written[:40]!r} is below zero")
    if re.fullmatch(r"\d+(?:\.\d+)?", written, re.ASCII):
        return float(written)
    found = _DURATION.fullmatch(written)
    if found is None:
        raise FieldError(f"{written[:40]!r} is no duration")
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


@lru_cache(maxsize=KEPT)
def memory(text: str, *, bare: str = "") -> float | None:
    """
    Return bytes of ``64G``, ``112488K`` or ``64Gn``.

    `bare` is the unit of a plain number; without one nobody knows what it counts.
    """
    written = text.strip()
    if written.lower() in NOTHING:
        return None
    found = _MEMORY.fullmatch(written)
    if found is None:
        raise FieldError(f"{written[:40]!r} is no amount of memory")
    unit = _UNITS.get((found[2] or bare).upper())
    return None if unit is None else float(found[1]) * unit


def percent(text: str) -> float | None:
    """Return a percentage as a share of 0 to 1; None for unknown; raise FieldError."""
    written = text.strip().removesuffix("%").strip()
    if written.lower() in NOTHING or written in ("-", "nan", "NaN"):
        return None
    try:
        value = float(written)
    except ValueError as error:
        raise FieldError(f"{written[:40]!r} is no percentage") from error
    if not 0 <= value <= 100:
        raise FieldError(f"{written[:40]!r} is no percentage of 0 to 100")
    return value / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocated:
    """GPUs of AllocTRES: the scheduler's count, what they are of cards, their type; memory."""

    devices: int = 0
    cards: float = 0.0
    model: str = ""
    memory: float | None = None
    """Bytes, None where it is not limited."""


NOTHING_ALLOCATED: Final = Allocated()


@lru_cache(maxsize=KEPT)
def resources(text: str) -> Allocated:
    """Return what AllocTRES says; raise FieldError."""
    counts: list[tuple[str, float]] = []
    reserved = None
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, mark, count = item.partition("=")
        if not mark:
            raise FieldError(f"{item[:40]!r} is no resource and its count")
        if name == "mem":
            reserved = memory(count, bare="M")
        elif name == "gres/gpu" or name.startswith("gres/gpu:"):
            counts.append((name.removeprefix("gres/gpu").removeprefix(":"), _count(item, count)))
    return allocated(counts, memory=reserved)


def allocated(counts: Iterable[tuple[str, float]], *, memory: float | None) -> Allocated:
    """
    Return GPUs by type, "" for the untyped entry, in which typed ones are counted again.

    Where only types are tracked there is no untyped entry; where not all are, the rest has none.
    """
    typed = [(kind, count) for kind, count in counts if kind]
    named = sum(count for _, count in typed)
    total = max(sum(count for kind, count in counts if not kind), named)
    cards = sum(count * part_of_card(kind) for kind, count in typed) + total - named
    return Allocated(
        devices=int(total),
        cards=cards,
        model=", ".join(dict.fromkeys(kind for kind, count in typed if count)),
        memory=memory or None,
    )


def sliced(model: str) -> bool:
    """Tell whether any of the types joined in a model is a MIG profile."""
    return any(is_slice(kind) for kind in model.split(", "))


def _count(item: str, text: str) -> float:
    if text.startswith("-"):
        # A negative count is how Slurm writes "unknown".
        return 0.0
    found = _MEMORY.fullmatch(text)
    if found is None or "." in found[1]:
        raise FieldError(f"{item[:40]!r} is no resource and its count")
    return float(found[1]) * _UNITS.get(found[2].upper(), 1)
