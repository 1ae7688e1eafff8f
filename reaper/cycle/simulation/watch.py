"""The whole cluster minute by minute: what is allocated, dark and idle, and what that trips."""

import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from math import ceil, inf
from typing import Final, TypeAlias

from reaper.cycle.evaluation.docket import team_of
from reaper.cycle.memory import JUMP_MINUTES
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.interlock import Bounds, Vitals, trips
from reaper.domain.facts.grid import Pace

Counts: TypeAlias = "array[int]"
"""By how much a number changes in each minute."""

_IDLE: Final = re.compile("[HE]+")
_DARK: Final = re.compile("[?!]+")


class Watch:
    """
    Walks through the minutes of a past, counting; a run that is released leaves the counts.

    An interlock that trips is lifted `lifts_after` seconds later, as an operator would; None
    lets it latch to the end.
    """

    def __init__(
        self, past: Past, pace: Pace, bounds: Bounds, *, teams: bool, lifts_after: float | None
    ) -> None:
        self._past, self._pace, self._bounds = past, pace, bounds
        self._first = pace.minute(past.begin)
        self._size = max(1, pace.closed(past.end) + 1 - self._first)
        self._lifts = inf if lifts_after is None else lifts_after
        self._rows = {"held": self._row(), "idle": self._row(), "dark": self._row()}
        self._counts = dict.fromkeys(self._rows, 0)
        self._idle: list[int] = []
        self._teams = teams
        self._latched: dict[str, Hold] = {}
        self.tripped: list[Hold] = []
        for run in past.runs:
            self._add(run, self._first, 1)

    @property
    def allocated(self) -> int:
        """Return how many GPUs are allocated in the minute that was reached."""
        return self._counts["held"]

    @property
    def holds(self) -> tuple[Hold, ...]:
        """Return the interlocks that are latched in the minute that was reached."""
        return tuple(self._latched.values())

    def team(self, name: str) -> tuple[int, int]:
        """Return how many GPUs a team holds, and how many of them idle."""
        return self._counts.get(f"held/{name}", 0), self._counts.get(f"idle/{name}", 0)

    def advance(self, minute: int) -> None:
        """Walk to a minute, minute by minute, and trip what there is to trip."""
        while len(self._idle) <= min(minute - self._first, self._size - 1):
            place = len(self._idle)
            for name, row in self._rows.items():
                if row[place]:
                    self._counts[name] += row[place]
            self._idle.append(self._counts["idle"])
            self._look(place)

    def release(self, run: PastRun) -> None:
        """Take a run out of the counts, from the next minute on."""
        self._add(run, self._first + len(self._idle), -1)

    def _look(self, place: int) -> None:
        now = self._pace.ends(self._first + place)
        for name, hold in tuple(self._latched.items()):
            if hold.until is not None and hold.until <= now:
                del self._latched[name]
        counts = self._counts
        quiet = not counts["dark"] and counts["idle"] < self._bounds.jump_devices
        if quiet or not counts["held"] or place == 0:
            return
        before = self._idle[place - JUMP_MINUTES] if place > JUMP_MINUTES else None
        vitals = Vitals(
            now=now,
            allocated=counts["held"],
            supported=counts["held"],
            covered=counts["held"] - counts["dark"],
            idle=counts["idle"],
            idle_before=before,
        )
        for hold in trips(vitals, (), self.holds, self._bounds):
            until = None if self._lifts == inf else now + self._lifts
            self._latched[hold.id] = replace(hold, until=until)
            self.tripped.append(hold)

    # -------------------------------------------------------------- counting

    def _add(self, run: PastRun, begin: int, by: int) -> None:
        """Add or take away what a run counts from a minute on."""
        begin = max(begin, ceil(run.begin / self._pace.step) - 1)
        end = self._first + self._size
        if run.end is not None:
            end = min(end, self._pace.minute(run.end))
        if end <= begin:
            return
        names = [""]
        if self._teams:
            names.append(f"/{team_of(run.allocation)}")
        for name in names:
            self._span(f"held{name}", begin, end, by * run.allocation.expected)
        for kind, first, last in self._spans(run, begin, end):
            for name in names if kind == "idle" else [""]:
                self._span(f"{kind}{name}", first, last, by)

    def _spans(self, run: PastRun, begin: int, end: int) -> Iterator[tuple[str, int, int]]:
        for gpu in run.allocation.gpus:
            track = self._past.tracks.get(gpu)
            if track is None:
                continue
            letters, start = track.letters, track.start
            low, high = max(begin - start, 0), max(end - start, 0)
            for found in _IDLE.finditer(letters, low, high):
                yield "idle", start + found.start(), start + found.end()
            if letters.find("?", low, high) >= 0 or letters.find("!", low, high) >= 0:
                for found in _DARK.finditer(letters, low, high):
                    yield "dark", start + found.start(), start + found.end()

    def _span(self, name: str, begin: int, end: int, by: int) -> None:
        row = self._rows.get(name)
        if row is None:
            row = self._rows[name] = self._row()
            self._counts[name] = 0
        row[begin - self._first] += by
        row[end - self._first] -= by

    def _row(self) -> Counts:
        return array("l", bytes(8 * (self._size + 1)))
