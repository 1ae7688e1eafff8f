"""A reaper that only writes: ``store_writer.py <address> <cluster>`` until it is killed."""

import asyncio
import sys
from itertools import count

from reaper.domain.facts.track import Track
from reaper.domain.money.entries import DemandPoint
from reaper.store.sql.store import SqlStore
from tests import stored

GPUS = tuple(f"g{number}" for number in range(300))


async def write(address: str, cluster: str) -> None:
    """Write transaction n into every room, one after the other, as fast as it goes."""
    store = await SqlStore.open(address, cluster=cluster)
    epoch = await store.lead("writer", 0.0)
    async with store.reading() as books:
        done = len(await books.events())
    for n in count(done):
        async with store.transaction(epoch) as books:
            await books.append_events([stored.event(float(n))])
            await books.append_minutes({gpu: Track(start=n, letters="A") for gpu in GPUS})
            await books.append_demand(DemandPoint(minute=n, gpus=n))
            await books.keep_case(stored.case("c1", rung=n))
            await books.keep_heartbeat(float(n))
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], sys.argv[2]))
