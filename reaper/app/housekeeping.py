"""Forgetting what is kept for a time only, once a day."""

from dataclasses import dataclass
from typing import Final

from reaper.ports import Clock, Store

_DAY: Final = 86400.0

#: How long after a start it forgets for the first time: not while a first turn reads everything,
#: and early enough for a reaper that is started anew every night.
_SETTLED: Final = 3600.0

#: How long the inputs of decisions are kept.
_INPUTS: Final = 90 * _DAY

#: How long letters are kept minute by minute.
_TRACKS: Final = 2 * 365 * _DAY


@dataclass(slots=True, kw_only=True)
class Housekeeper:
    """Prunes the store once a day of its clock."""

    store: Store
    clock: Clock
    epoch: int
    last: float | None = None
    """When it pruned last; monotonic seconds."""

    async def turn(self) -> None:
        """Prune an hour after the first turn, and when a day has passed since the last time."""
        now, elapsed = self.clock.now(), self.clock.elapsed()
        if self.last is None:
            self.last = elapsed + _SETTLED - _DAY
        if elapsed - self.last < _DAY:
            return
        async with self.store.transaction(self.epoch) as books:
            await books.prune(inputs_before=now - _INPUTS, tracks_before=now - _TRACKS)
        self.last = elapsed
