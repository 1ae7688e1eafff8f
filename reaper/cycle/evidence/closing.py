"""
Closing the minutes of a whole cluster, and taking them over, some devices at a time.

What a turn has closed replaces what was known before at once, so that a large cluster is never
held twice.  A turn that fails afterwards forgets all of it, and reads the store again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reaper.board import Board
from reaper.cycle.evidence.alike import Alike
from reaper.cycle.evidence.renewing import due, in_turn
from reaper.cycle.memory import Memory
from reaper.cycle.ownership.uniting import Ownership
from reaper.cycle.rules import Rules
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.track import Track

#: Devices that are closed together.
_PORTION: Final = 1024


@dataclass(slots=True, kw_only=True)
class Fresh:
    """New letters by device, and the names of the records that are due to be written."""

    letters: dict[str, Track] = field(default_factory=dict)
    due: list[str] = field(default_factory=list)


def close(
    memory: Memory, owned: Ownership, board: Board, rules: Rules, *, now: float, jumps: bool
) -> Fresh:
    """Close every minute that the board's readings make known; whether the clock `jumps` there."""
    pace, found, alike = rules.pace, Fresh(), Alike()
    minute = pace.closed(now)
    contested = owned.united.contested | board.contradicted
    for readings in _portions(board.readings(pace.ends(minute))):
        closed = memory.records.close(
            owned.devices,
            readings,
            pace=pace,
            thresholds=rules.thresholds,
            contested=contested,
            tenants=owned.tenants,
            jumped=memory.looked if jumps else None,
        )
        going = [name for name in closed.letters if name not in closed.records]
        written = in_turn(going, minute=minute)
        memory.records.settle(written)
        found.due += (*written, *due(closed.records, memory.records, minute=minute))
        found.letters.update(closed.letters)
        memory.take(closed.records, closed.letters, alike)
    return found


def _portions(
    readings: Mapping[str, Sequence[Reading]],
) -> Iterator[Mapping[str, Sequence[Reading]]]:
    names = list(readings)
    for first in range(0, len(names), _PORTION):
        yield {name: readings[name] for name in names[first : first + _PORTION]}
