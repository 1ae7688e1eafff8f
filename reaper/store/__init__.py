"""
Keeps everything: tracks, records, cases, keeps, notices, intents, holds, the ledger.

It knows how frozen values are written so that all of a transaction is found again, or nothing,
and who may write: one leader, fenced by its epoch.
It refuses to judge: no value is changed, derived or corrected here; what it does not know it
returns as nothing or as ``?``, never as a guess.

`open_store` is for the reaper, the one writer; `open_reading` for everybody else, while the
reaper runs or not.  Both raise StoreError with the cure when the store cannot be used.
"""

from typing import TYPE_CHECKING, Final

from reaper.domain.facts.grid import NORMAL, Pace
from reaper.ports import Store, StoreError

if TYPE_CHECKING:
    from reaper.store.settings import StoreSettings

KINDS: Final = ("memory", "sql")


async def open_store(settings: "StoreSettings", *, cluster: str, pace: Pace = NORMAL) -> Store:
    """Open the store for one cluster, bringing its tables up to date."""
    if settings.kind == "memory":
        from reaper.store.memory import MemoryStore

        return MemoryStore(cluster=cluster, pace=pace)
    from reaper.store.sql.store import SqlStore

    return await SqlStore.open(
        settings.address, cluster=cluster, pace=pace, password=_password(settings)
    )


async def open_reading(settings: "StoreSettings", *, cluster: str, pace: Pace = NORMAL) -> Store:
    """Open an existing store for reading: nothing is created, changed or brought up to date."""
    if settings.kind == "memory":
        raise StoreError(
            "store.kind is memory: only the running reaper can read it; ask it instead"
        )
    from reaper.store.sql.store import SqlStore

    return await SqlStore.open_reading(
        settings.address, cluster=cluster, pace=pace, password=_password(settings)
    )


def _password(settings: "StoreSettings") -> str | None:
    if settings.password is None:
        return None
    from reaper.edge.secrets import secret

    return secret(settings.password)
