"""What was known of idle runs, in memory."""

from collections.abc import Sequence

from reaper.domain.facts.inputs import HOLDS, PREFIXES, Entry
from reaper.store.letters import DAY
from reaper.store.memory.shelves import Shelves


class Inputs:
    """The inputs on one branch of the shelves."""

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves

    async def inputs(self, first: int, end: int, *, run_key: str | None = None) -> Sequence[Entry]:
        """Return what was known in ``[first, end)``, and what may still hold at `first`."""
        return [
            entry
            for _, entry in sorted(self._shelves.inputs.items())
            if first - HOLDS <= entry.minute < end and run_key in (None, entry.run_key)
        ]

    async def append_inputs(self, entries: Sequence[Entry]) -> None:
        """Write what was known; (run key, minute) is their key."""
        self._shelves.inputs.put({(entry.minute, entry.run_key): entry for entry in entries})

    def _prune_inputs(self, minute: int) -> None:
        shelves = self._shelves
        shelves.inputs.drop([key for key in shelves.inputs if key[0] < minute])
        shelves.days.put(
            {
                day: {name: kept for name, kept in rows.items() if not name.startswith(PREFIXES)}
                for day, rows in shelves.days.items()
                if day < minute // DAY
            }
        )
