"""Forgetting what is kept for a time only, once a day."""

from dataclasses import dataclass
from typing import Final

from reaper.ports import Clock, Store

_DAY: Final = 86400.0

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

    async def turn(self) -> None:
        """Prune when a day has passed since the last time; the first turn only notes the day."""
        now = self.clock.now()
        if self.last is not None and now - self.last < _DAY:
            return
        if self.last is not None:
            async with self.store.transaction(self.epoch) as books:
                await books.prune(inputs_before=now - _INPUTS, tracks_before=now - _TRACKS)
        self.last = now
