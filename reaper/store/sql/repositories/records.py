"""The room of device records."""

from collections.abc import Collection, Sequence

from sqlalchemy import Column, LargeBinary

from reaper.domain.facts.record import DeviceRecord
from reaper.store.sql.repositories.sheets import named
from reaper.store.sql.room import Room, Shelf
from reaper.store.sql.tables import Key, table

RECORDS = Shelf(
    table=table(
        "records",
        Column("gpu", Key, primary_key=True),
        Column("body", LargeBinary, nullable=False),
    ),
    kind=DeviceRecord,
    columns=lambda record: {"gpu": record.device.gpu},
    packed=True,
)


class Records(Room):
    """What is kept of every device between minutes."""

    async def records(self) -> Sequence[DeviceRecord]:
        """Return what is kept of every device."""
        return await self._find(RECORDS)

    async def records_of(self, gpus: Collection[str]) -> Sequence[DeviceRecord]:
        """Return what is kept of these devices; nothing for one of which nothing is."""
        wanted = sorted(set(gpus))
        found = await self._find(RECORDS, *named(RECORDS.table.c.gpu, wanted))
        return [record for record in found if record.device.gpu in gpus]

    async def keep_records(self, records: Sequence[DeviceRecord]) -> None:
        """Replace the records of these devices."""
        await self._keep(RECORDS, records)
