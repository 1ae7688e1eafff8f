"""
One API server's objects, kept as records by a watch for each kind that matters.

Its watches begin when it is first asked.  What it answers is as old as the pods' watch was last
known to be in step: a server that fell silent leaves no pod alive as if it were seen.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from reaper.edge.kubernetes import Connection, KubeError
from reaper.platforms.kubernetes.mirror import kinds
from reaper.platforms.kubernetes.mirror.following import Follower
from reaper.platforms.kubernetes.mirror.owners import Owners
from reaper.platforms.kubernetes.mirror.seen import Seen
from reaper.platforms.kubernetes.mirror.shelf import NEVER, Shelf
from reaper.platforms.kubernetes.objects import GPUS, Meta, Pod, Resources
from reaper.platforms.kubernetes.release.reverters import SCALERS
from reaper.ports import Clock, SourceError

#: Seconds that the first lists have before an answer is given without them.
_PATIENCE: Final = 25.0
#: Steps of the pace after which a word is too old to be one.
_STALE: Final = 3.0
#: Steps that a watch lasts, for its end, too, says that the server is there: of what claims are
#: made of, and of the rest.
_SHORT: Final = 1.0
_LONG: Final = 2.0
#: Steps for which a pod that has ended is told, so that its outcome is known.
_TOLD: Final = 5.0


class Mirror:
    """What one API server holds; `step` is the pace's, in seconds."""

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        *,
        resources: Resources = GPUS,
        step: float = 60.0,
        patience: float = _PATIENCE,
    ) -> None:
        self.cluster = connection.name
        self._connection = connection
        self._clock = clock
        self._step = step
        self._patience = patience
        self._tasks: list[asyncio.Task[None]] = []
        self._told = asyncio.Event()
        self._asking = asyncio.Lock()
        self._ended: dict[str, float] = {}
        self._owners = Owners(connection, self._begin)
        self._pods = Shelf(wanted=kinds.pods(resources))
        self._nodes = Shelf(wanted=kinds.nodes(resources))
        self._namespaces = Shelf(wanted=kinds.namespaces())
        self._claims = Shelf(wanted=kinds.resource_claims())
        self._slices = Shelf(wanted=kinds.resource_slices())
        self._queued = Shelf(wanted=kinds.kueue_workloads(resources))
        self._local = Shelf(wanted=kinds.local_queues())
        self._queues = Shelf(wanted=kinds.cluster_queues(resources))
        self._flavors = Shelf(wanted=kinds.flavors())
        self._quotas = Shelf(wanted=kinds.quotas(resources))
        self._scalers = tuple(Shelf(wanted=kinds.scalers(*one)) for one in SCALERS)

    async def seen(self) -> Seen:
        """Return what is held, as of when it was in step; raise SourceError where it is not."""
        async with self._asking:
            await self._ready()
            now = self._clock.now()
            self._forget(now)
            pods = dict(self._pods.records)
            nodes = dict(self._nodes.records)
            known = {uid: one.meta for uid, one in nodes.items()}
            known |= {uid: one.meta for uid, one in pods.items()}
            above = await self._above(pods, known)
        return Seen(
            as_of=self._as_of(),
            cluster=self.cluster,
            pods=pods,
            owners=above,
            nodes=nodes,
            namespaces=dict(self._namespaces.records),
            claims=dict(self._claims.records),
            slices=dict(self._slices.records),
            queued=dict(self._queued.records),
            local_queues=dict(self._local.records),
            cluster_queues=dict(self._queues.records),
            flavors=dict(self._flavors.records),
            quotas=dict(self._quotas.records),
            scalers=tuple(one for shelf in self._scalers for one in shelf.records.values()),
            trouble=dict(self._troubles(now)),
        )

    async def close(self) -> None:
        """End every watch, and the connection."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._connection.close()

    # -------------------------------------------------------------- following

    def _main(self) -> tuple[Shelf[Any], ...]:
        return (
            self._pods,
            self._nodes,
            self._namespaces,
            self._claims,
            self._slices,
            self._queued,
            self._local,
            self._queues,
            self._flavors,
            self._quotas,
            *self._scalers,
        )

    async def _ready(self) -> None:
        """Wait for the first lists; raise SourceError where the pods are not known by now."""
        if not self._tasks:
            for shelf in self._main():
                self._follow(shelf)
        await self._settled(*self._main())
        pods, now = self._pods, self._clock.now()
        why = pods.trouble or "its pods are still being listed"
        if pods.as_of == NEVER:
            raise SourceError(f"kubernetes cluster {self.cluster}: {why}")
        if (age := now - self._as_of()) > _STALE * self._step:
            text = f"heard last {age:.0f} s ago: {why}"
            raise SourceError(f"kubernetes cluster {self.cluster}: {text}")

    def _follow(self, shelf: Shelf[Any]) -> None:
        vital = shelf is self._pods or shelf is self._claims
        follower = Follower(
            shelf,
            self._connection,
            self._clock,
            lasting=max(1.0, self._step * (_SHORT if vital else _LONG)),
            told=self._told.set,
        )
        name = f"follow {self.cluster} {shelf.kind}"
        self._tasks.append(asyncio.create_task(follower.follow(), name=name))

    async def _begin(self, shelf: Shelf[Meta]) -> None:
        self._follow(shelf)
        await self._settled(shelf)

    async def _settled(self, *shelves: Shelf[Any]) -> None:
        """Wait until it is known how shelves stand, as long as there is patience."""
        try:
            async with asyncio.timeout(self._patience):
                while not all(shelf.settled for shelf in shelves):
                    self._told.clear()
                    await self._told.wait()
        except TimeoutError:
            return

    # -------------------------------------------------------------- answering

    async def _above(self, pods: dict[str, Pod], known: dict[str, Meta]) -> dict[str, Meta]:
        try:
            return await self._owners.above((pod.meta for pod in pods.values()), known)
        except KubeError as error:
            raise SourceError(str(error)) from None

    def _as_of(self) -> float:
        """Return since when nothing is known to have changed: of pods, and of their claims."""
        claims = self._claims
        return min(self._pods.as_of, claims.as_of) if claims.as_of > NEVER else self._pods.as_of

    def _forget(self, now: float) -> None:
        """Forget pods that ended a while ago."""
        ended = {uid for uid, pod in self._pods.records.items() if pod.phase in kinds.ENDED}
        self._ended = {uid: self._ended.get(uid, now) for uid in ended}
        for uid, since in self._ended.items():
            if now - since > _TOLD * self._step:
                del self._pods.records[uid]

    def _troubles(self, now: float) -> Iterator[tuple[str, str]]:
        for shelf in (*self._main(), *self._owners.shelves):
            age = now - shelf.as_of
            if shelf.trouble:
                yield shelf.kind, shelf.trouble
            elif not shelf.served and shelf.wanted.metadata:
                yield shelf.kind, "its kind is not served"
            elif shelf.served and age > _STALE * self._step:
                yield shelf.kind, f"heard last {age:.0f} s ago" if age < now else "not read yet"
