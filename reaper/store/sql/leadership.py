"""Who writes: one leader a cluster, fenced by an epoch; and the grid a cluster is kept on."""

from typing import Final

from sqlalchemy import Column, Table, select
from sqlalchemy.dialects import postgresql, sqlite

from reaper.domain.facts.grid import Pace
from reaper.ports import LostLeadershipError, StoreError
from reaper.store.sql.link import Link
from reaper.store.sql.tables import METADATA, Count, Key, Time, table

CLUSTERS: Final = Table(
    "clusters",
    METADATA,
    Column("cluster", Key, primary_key=True),
    Column("step", Time, nullable=False),
    sqlite_with_rowid=False,
)

LEADERSHIP: Final = table(
    "leadership",
    Column("epoch", Count, nullable=False),
    Column("holder", Key, nullable=False),
    Column("since", Time, nullable=False),
)


async def check_grid(link: Link, cluster: str, pace: Pace) -> None:
    """Raise StoreError when the cluster is kept on another grid than the pace's."""
    query = select(CLUSTERS.c.step).where(CLUSTERS.c.cluster == cluster)
    step = (await link.execute(query)).scalar_one_or_none()
    if step not in (None, pace.step):
        raise StoreError(
            f"cluster {cluster!r} is kept on a grid of {step:g} s, not of {pace.step:g} s; "
            "give this pace a store of its own (store.url or store.directory)"
        )


async def enter(link: Link, cluster: str, pace: Pace) -> None:
    """Note a cluster and its grid the first time; raise StoreError when its grid differs."""
    insert = sqlite.insert if link.dialect.name == "sqlite" else postgresql.insert
    row = {"cluster": cluster, "step": pace.step}
    await link.execute(insert(CLUSTERS).on_conflict_do_nothing(), [row])
    await check_grid(link, cluster, pace)


async def lead(link: Link, cluster: str, holder: str, now: float) -> int:
    """Take leadership and return its epoch."""
    insert = sqlite.insert if link.dialect.name == "sqlite" else postgresql.insert
    first = insert(LEADERSHIP).values(cluster=cluster, epoch=1, holder=holder, since=now)
    next_epoch = LEADERSHIP.c.epoch + 1
    taken = first.on_conflict_do_update(
        index_elements=[LEADERSHIP.c.cluster],
        set_={"epoch": next_epoch, "holder": holder, "since": now},
    ).returning(LEADERSHIP.c.epoch)
    epoch: int = (await link.execute(taken)).scalar_one()
    return epoch


async def fence(link: Link, cluster: str, epoch: int, *, lock: bool = False) -> None:
    """
    Raise LostLeadershipError unless the epoch is the present one.

    With `lock` nobody takes leadership before this transaction ends.
    """
    query = select(LEADERSHIP.c.epoch, LEADERSHIP.c.holder).where(LEADERSHIP.c.cluster == cluster)
    if lock:
        query = query.with_for_update(read=True)
    present = (await link.execute(query)).one_or_none()
    if present is None:
        raise LostLeadershipError(f"cluster {cluster!r}: nobody leads; take leadership first")
    if present.epoch != epoch:
        raise LostLeadershipError(
            f"cluster {cluster!r}: epoch {epoch} is over, {present.holder} leads with epoch "
            f"{present.epoch}; this process must stop acting"
        )
