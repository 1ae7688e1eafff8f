"""The state of the whole system in one turn, for the interlocks; pure."""

from collections.abc import Mapping
from typing import Final

from reaper.board import Board
from reaper.cycle.memory import JUMP_MINUTES, Memory
from reaper.cycle.ownership.uniting import Ownership
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import BLIND, IDLE, UNSEEN
from reaper.domain.facts.track import Track

_HOUR: Final = 3600.0


def vitals(
    owned: Ownership,
    tracks: Mapping[str, Track],
    memory: Memory,
    board: Board,
    *,
    now: float,
    elapsed: float,
    pace: Pace,
) -> Vitals:
    """Measure the system at `now`."""
    newest = _newest(owned, tracks, now, pace)
    # In the first turn after a start most exporters have not been asked: nothing can be missing.
    asked = memory.last_turn is not None
    return Vitals(
        now=now,
        allocated=sum(allocation.expected for allocation in owned.united.allocations),
        supported=len(newest) if asked else 0,
        covered=sum(1 for letter in newest.values() if letter not in BLIND),
        idle=sum(1 for letter in newest.values() if letter in IDLE),
        idle_before=memory.idle_at(pace.closed(now) - JUMP_MINUTES),
        exporters=len(board.good),
        restarted=board.restarts(now - _HOUR),
        clock_step=_step(memory, now, elapsed),
    )


def _newest(
    owned: Ownership, tracks: Mapping[str, Track], now: float, pace: Pace
) -> dict[str, str]:
    """Return the newest letter of each device that is held and known; most have one track."""
    told: dict[int, str] = {}
    found: dict[str, str] = {}
    for allocation in owned.united.allocations:
        for gpu in allocation.gpus:
            track = tracks.get(gpu)
            if track is None:
                continue
            letter = told.get(id(track))
            if letter is None:
                letter = told[id(track)] = newest_letter(track, now, pace)
            found[gpu] = letter
    return found


def newest_letter(track: Track, now: float, pace: Pace) -> str:
    """Return the letter of the newest minute, ``?`` when it ended too long ago to be new."""
    fresh = pace.is_fresh(now - pace.begins(track.end))
    return track.letters[-1:] if fresh and track.letters else UNSEEN


def _step(memory: Memory, now: float, elapsed: float) -> float:
    if memory.last_turn is None:
        return 0.0
    wall, monotonic = memory.last_turn
    return (now - wall) - (elapsed - monotonic)
