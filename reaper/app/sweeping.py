"""
The search for reference cycles, kept out of turns.

A turn of a large cluster makes millions of values that stay and form no cycle, and looking through
them stops every thread, for a second and more.  So none is looked for while a turn runs, and what a
turn leaves is set aside.  Once in many turns everything is looked through: a turn leaves some
hundred values in cycles.  A page leaves a hundred too, but those hold the whole picture that it
showed: what is new since the last look is looked through before every turn.
"""

import gc
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from reaper.activity.heap import uncollected

#: Turns after which everything is looked through: six hours of them.
EVERY: Final = 360


@dataclass(slots=True)
class Sweeper:
    """Takes turns of a work, and sweeps after them."""

    turns: int = 0

    async def turn(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do the work once, unswept, and set aside what is there then."""
        gc.collect(0)
        with uncollected():
            await work()
        self.turns += 1
        if self.turns % EVERY == 0:
            gc.unfreeze()
            gc.collect()
        gc.freeze()
