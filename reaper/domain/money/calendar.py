"""
ISO weeks in a named zone, as half-open spans of UTC.

A week in which the clocks change has its real length: 167 or 169 hours, on Lord Howe Island
167.5 or 168.5.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Final

from reaper.domain.money.spans import Span

DAYS: Final = 7
_WRITTEN = re.compile(r"(\d{4})-W(\d{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """An ISO week, Monday 0 o'clock to Monday 0 o'clock of its zone; instants are Unix seconds."""

    year: int
    number: int
    zone: tzinfo = UTC

    @property
    def begin(self) -> float:
        """Return the instant at which it begins."""
        return self._midnight(0)

    @property
    def end(self) -> float:
        """Return the instant at which the next week begins."""
        return self._midnight(DAYS)

    @property
    def hours(self) -> float:
        """Return its real length in hours."""
        return (self.end - self.begin) / 3600

    def days(self) -> tuple[Span, ...]:
        """Return its seven days, each with its real length."""
        edges = [self._midnight(day) for day in range(DAYS + 1)]
        return tuple(pairwise(edges))

    def shifted(self, weeks: int) -> "Week":
        """Return the week so many weeks later, or earlier for a negative number."""
        monday = datetime.fromisocalendar(self.year, self.number, 1) + timedelta(weeks=weeks)
        iso = monday.isocalendar()
        return Week(year=iso.year, number=iso.week, zone=self.zone)

    def __str__(self) -> str:
        return f"{self.year}-W{self.number:02}"

    def _midnight(self, day: int) -> float:
        monday = datetime.fromisocalendar(self.year, self.number, 1)
        return (monday + timedelta(days=day)).replace(tzinfo=self.zone).timestamp()


def week_of(at: float, zone: tzinfo) -> Week:
    """Return the week of the zone that holds the instant."""
    iso = datetime.fromtimestamp(at, zone).isocalendar()
    return Week(year=iso.year, number=iso.week, zone=zone)


def week_named(text: str, zone: tzinfo) -> Week:
    """Return the week written ``2026-W48``; raise ValueError where there is none."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise ValueError(f"{text!r} is no ISO week: write for example 2026-W48")
    year, number = int(written[1]), int(written[2])
    try:
        datetime.fromisocalendar(year, number, 1)
    except ValueError as error:
        raise ValueError(f"{text} is no week: the weeks of a year are 01 to 52 or 53") from error
    return Week(year=year, number=number, zone=zone)
