"""The whole cluster minute by minute, counted once: what is allocated, dark and idle; pure."""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Final, TypeAlias

from reaper.cycle.docket import team_of
from reaper.cycle.memory import JUMP_MINUTES
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.interlock import Bounds, Vitals, trips
from reaper.domain.facts.grid import Pace

Counts: TypeAlias = "array[int]"
"""A number a minute."""

_IDLE: Final = re.compile("[HE]+")
_DARK: Final = re.compile("[?!]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Counts by minute from `first` on; teams only where they are wanted."""

    first: int
    allocated: Counts
    dark: Counts
    idle: Counts
    teams: dict[str, tuple[Counts, Counts]]

    def at(self, minute: int) -> int:
        """Return how many GPUs were allocated."""
        return self.allocated[self._place(minute)]

    def team(self, name: str, minute: int) -> tuple[int, int]:
        """Return how many GPUs a team held, and how many of them idled."""
        held, idle = self.teams[name]
        place = self._place(minute)
        return held[place], idle[place]

    def trips(self, bounds: Bounds, pace: Pace) -> Iterator[tuple[int, Hold]]:
        """Yield each minute in which an interlock would have tripped, were none latched."""
        for place in range(1, len(self.allocated)):
            allocated, dark, idle = self.allocated[place], self.dark[place], self.idle[place]
            if not allocated or (dark == 0 and idle < bounds.jump_devices):
                continue
            minute = self.first + place
            vitals = Vitals(
                now=pace.ends(minute),
                allocated=allocated,
                supported=allocated,
                covered=allocated - dark,
                idle=idle,
                idle_before=self.idle[place - JUMP_MINUTES] if place > JUMP_MINUTES else None,
            )
            yield from ((minute, hold) for hold in trips(vitals, (), (), bounds))

    def _place(self, minute: int) -> int:
        return min(max(minute - self.first, 0), len(self.allocated) - 1)


def watch(past: Past, pace: Pace, *, teams: bool) -> Watch:
    """Count a past; `teams` where a policy has quotas."""
    first, end = pace.minute(past.begin), pace.closed(past.end) + 1
    count = _Count(first=first, size=max(1, end - first), teams=teams)
    for run in past.runs:
        count.add(run, past, pace)
    return count.watch()


class _Count:
    """Differences by minute, summed up once everything was added."""

    def __init__(self, *, first: int, size: int, teams: bool) -> None:
        self.first, self.size, self.wanted = first, size, teams
        self.allocated, self.dark, self.idle = self._row(), self._row(), self._row()
        self.teams: dict[str, tuple[Counts, Counts]] = {}

    def add(self, run: PastRun, past: Past, pace: Pace) -> None:
        begin = max(ceil(run.begin / pace.step) - 1, self.first)
        end = self.first + self.size
        if run.end is not None:
            end = min(end, pace.minute(run.end))
        if end <= begin:
            return
        rows = [(self.allocated, self.idle)]
        if self.wanted:
            team = team_of(run.allocation)
            rows.append(self.teams.setdefault(team, (self._row(), self._row())))
        for held, _ in rows:
            self._span(held, begin, end, run.allocation.expected)
        for gpu in run.allocation.gpus:
            self._device(past, gpu, begin, end, [idle for _, idle in rows])

    def _device(self, past: Past, gpu: str, begin: int, end: int, idle: list[Counts]) -> None:
        track = past.tracks.get(gpu)
        if track is None:
            return
        letters, start = track.letters, track.start
        low, high = max(begin - start, 0), max(end - start, 0)
        for found in _IDLE.finditer(letters, low, high):
            for row in idle:
                self._span(row, start + found.start(), start + found.end(), 1)
        if "?" in letters or "!" in letters:
            for found in _DARK.finditer(letters, low, high):
                self._span(self.dark, start + found.start(), start + found.end(), 1)

    def _span(self, row: Counts, begin: int, end: int, by: int) -> None:
        row[begin - self.first] += by
        row[end - self.first] -= by

    def _row(self) -> Counts:
        return array("l", bytes(8 * (self.size + 1)))

    def watch(self) -> Watch:
        return Watch(
            first=self.first,
            allocated=_summed(self.allocated),
            dark=_summed(self.dark),
            idle=_summed(self.idle),
            teams={
                name: (_summed(held), _summed(idle)) for name, (held, idle) in self.teams.items()
            },
        )


def _summed(row: Counts) -> Counts:
    return array("l", accumulate(row[:-1]))
