"""What is kept of every device between minutes, in memory."""

from collections.abc import Collection, Sequence

from reaper.domain.facts.record import DeviceRecord
from reaper.store.memory.shelves import Shelves


class Records:
    """The records on one branch of the shelves."""

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves

    async def records(self) -> Sequence[DeviceRecord]:
        """Return what is kept of every device."""
        return [record for _, record in sorted(self._shelves.records.items())]

    async def records_of(self, gpus: Collection[str]) -> Sequence[DeviceRecord]:
        """Return what is kept of these devices; nothing for one of which nothing is."""
        kept = self._shelves.records
        return [kept[gpu] for gpu in sorted(set(gpus)) if gpu in kept]

    async def keep_records(self, records: Sequence[DeviceRecord]) -> None:
        """Replace the records of these devices."""
        self._shelves.records.put({record.device.gpu: record for record in records})
