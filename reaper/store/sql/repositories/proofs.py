"""The room of what was proven or is in force: GRES indices and policy versions."""

from sqlalchemy import Column, select

from reaper.domain.facts.share import Confirmation
from reaper.store.sql.room import Room
from reaper.store.sql.tables import Count, Key, Time, table

CONFIRMATIONS = table(
    "confirmations",
    Column("node", Key, primary_key=True),
    Column("index", Count, primary_key=True, autoincrement=False),
    Column("gpu", Key, primary_key=True),
    Column("generation", Key, primary_key=True),
)

POLICIES = table(
    "policies",
    Column("version", Key, primary_key=True),
    Column("since", Time, nullable=False),
)


class Proofs(Room):
    """What jobs have proven, and since when a policy version is in force."""

    async def confirmations(self) -> frozenset[Confirmation]:
        """Return the GRES indices that jobs have proven."""
        columns = CONFIRMATIONS.c
        query = select(columns.node, columns.index, columns.gpu, columns.generation).where(
            columns.cluster == self._cluster
        )
        return frozenset(
            Confirmation(node=node, index=index, gpu=gpu, generation=generation)
            for node, index, gpu, generation in map(tuple, await self._link.execute(query))
        )

    async def keep_confirmations(self, proven: frozenset[Confirmation]) -> None:
        """Add proven GRES indices."""
        rows = [
            {
                "cluster": self._cluster,
                "node": item.node,
                "index": item.index,
                "gpu": item.gpu,
                "generation": item.generation,
            }
            for item in sorted(proven)
        ]
        await self._upsert(CONFIRMATIONS, rows)

    async def forget_confirmations(self, node: str) -> None:
        """Forget a node's proven indices, after a contradiction."""
        await self._delete(CONFIRMATIONS, CONFIRMATIONS.c.node == node)

    async def policy_since(self, version: str, now: float) -> float:
        """Return since when a policy version is in force, noting `now` the first time."""
        columns = POLICIES.c
        query = select(columns.since).where(
            columns.cluster == self._cluster, columns.version == version
        )
        since: float | None = (await self._link.execute(query)).scalar_one_or_none()
        if since is not None:
            return since
        if self._writable:
            row = {"cluster": self._cluster, "version": version, "since": now}
            await self._upsert(POLICIES, (row,))
        return now
