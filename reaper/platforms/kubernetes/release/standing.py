"""
A workload as it stands at this moment: its object, its pods, who else has a hand on it.

Read anew for every act, never from what was seen before: between a verdict and an act a name may
have come to mean something else.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reaper.domain.facts.allocation import Run
from reaper.edge.kubernetes import Connection, KubeError
from reaper.platforms.kubernetes.objects import (
    GPUS,
    KINDS,
    Meta,
    Pod,
    Reference,
    Resources,
    meta,
    pod,
    word,
)
from reaper.platforms.kubernetes.release.handles import Handle, failed
from reaper.platforms.kubernetes.release.marks import at
from reaper.platforms.kubernetes.release.reverters import SCALERS, Scaler, refusal, scaler
from reaper.platforms.kubernetes.release.stops import ALIKE, QUEUED, STOPS, Raw, launches
from reaper.ports import ActionError

#: Owners above a pod that are followed; a longer chain is a circle.
_HIGHEST: Final = 12

#: Phases of pods that hold nothing any more.
_OVER: Final = ("Succeeded", "Failed")

_BY_WORD: Final[Mapping[str, tuple[str, str]]] = {
    word(group, kind): (group, kind) for group, kind in KINDS
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """
    A workload that is there; `pods` are those of its pods that have GPUs or ask for them.

    `handles` are what would be written to; none for a bare pod, and for a kind that nobody knows.
    `shared` names pods of others that would be stopped with it.  `astray` are pods of its namespace
    that a controller had which is gone: they may be its own, until they are gone too.
    """

    meta: Meta
    raw: Raw
    path: str
    pods: tuple[Pod, ...] = ()
    handles: tuple[Handle, ...] = ()
    scalers: tuple[Scaler, ...] = ()
    shared: tuple[str, ...] = ()
    astray: tuple[Pod, ...] = ()

    @property
    def live(self) -> tuple[Pod, ...]:
        """Return its pods that run on a node, the oldest first."""
        return tuple(one for one in self.pods if one.live)

    @property
    def bare(self) -> bool:
        """Tell whether it is a pod by itself that nothing else manages."""
        return self.meta.reference.kind == "Pod" and not self.handles

    @property
    def stopped(self) -> bool:
        """Tell whether it is stopped, by whomever."""
        return bool(self.handles) and all(handle.stands for handle in self.handles)

    @property
    def refusal(self) -> str:
        """Return why it is not stopped but only told of, "" where nothing stands against it."""
        queued = any(handle.stop is QUEUED for handle in self.handles)
        against = [handle.stop.against(handle.raw) for handle in self.handles]
        if self.shared:
            against.append(f"it would stop {', '.join(self.shared[:3])} with it")
        return refusal(self.meta, scalers=self.scalers, queued=queued) or next(
            (why for why in against if why), ""
        )


def address(run: Run) -> Reference:
    """Return the object that a run is called by; raise ActionError for what is none."""
    namespace, _, rest = run.id.partition("/")
    kind, _, name = rest.partition("/")
    if not (namespace and name) or kind not in _BY_WORD:
        raise ActionError(
            f"{run}: nobody knows how a {kind or 'thing'} of that name is stopped",
            recoverable=False,
        )
    group, kind = _BY_WORD[kind]
    return Reference(group=group, kind=kind, namespace=namespace, name=name)


@dataclass(slots=True, kw_only=True)
class Looking:
    """One look at one workload of a cluster; each owner is read once in it."""

    connection: Connection
    run: Run
    resources: Resources = GPUS
    _above: dict[str, frozenset[str]] = field(default_factory=dict)
    _gone: set[str] = field(default_factory=set)
    """UIDs of controllers that are gone."""
    _astray: list[Pod] = field(default_factory=list)

    async def standing(self) -> Standing | None:
        """Return the workload as it stands, None where it is gone; raise ActionError."""
        try:
            return await self._standing(address(self.run))
        except KubeError as error:
            raise failed(f"{self.run}: it could not be read", error) from error

    async def pods(self) -> tuple[Pod, ...]:
        """Return the pods of the namespace, whosever they are now; raise ActionError."""
        try:
            return tuple([one async for one in self._pods(address(self.run).namespace)])
        except KubeError as error:
            raise failed(f"{self.run}: its pods could not be read", error) from error

    async def _standing(self, reference: Reference) -> Standing | None:
        path = await self._path(reference)
        raw = await self._get(path) if path else None
        if raw is None or path is None:
            return None
        about = meta(raw, reference.group, reference.kind)
        pods = await self._its_pods(about, raw)
        queued, shared = await self._queued(about, pods)
        return Standing(
            meta=about,
            raw=raw,
            path=path,
            pods=pods,
            handles=queued or await self._handle(reference, path, raw),
            scalers=tuple([one async for one in self._scalers(about)]),
            shared=shared,
            astray=tuple(self._astray),
        )

    async def beside(self, standing: Standing) -> str:
        """
        Return a pod of a workload that has no GPU and may be at work, "" for none.

        It would be stopped with the others, and no exporter sees what it does.
        """
        if standing.meta.reference.kind in ALIKE:
            return ""
        try:
            return await self._beside(standing)
        except KubeError as error:
            raise failed(f"{self.run}: its pods could not be read", error) from error

    # -------------------------------------------------------------- its pods

    async def _beside(self, standing: Standing) -> str:
        seen = {one.uid for one in standing.pods}
        grouped = _grouped(standing.meta)
        path = await self._path(
            Reference(group="", kind="Pod", namespace=standing.meta.reference.namespace, name="")
        )
        for raw in await self._list(path):
            one = pod(raw, self.resources)
            if one.uid in seen or one.phase in _OVER or not one.bound or launches(one.meta):
                continue
            above = await self._owners(one.meta.controller)
            if standing.meta.uid in above or one.uid in grouped:
                return one.meta.name
        return ""

    async def _its_pods(self, about: Meta, raw: Raw) -> tuple[Pod, ...]:
        if about.reference.kind == "Pod":
            one = pod(raw, self.resources)
            return () if one.phase in _OVER else (one,)
        grouped = _grouped(about)
        found = []
        async for one in self._pods(about.namespace):
            above = await self._owners(one.meta.controller)
            if about.uid in above or one.uid in grouped:
                found.append(one)
            elif above & self._gone:
                self._astray.append(one)
        return tuple(sorted(found, key=lambda one: (one.since, one.uid)))

    async def _pods(self, namespace: str) -> AsyncIterator[Pod]:
        """Yield the pods of a namespace that have GPUs or ask for them, and have not ended."""
        path = await self._path(Reference(group="", kind="Pod", namespace=namespace, name=""))
        for raw in await self._list(path):
            one = pod(raw, self.resources)
            gpus = one.count or one.claims or one.awaited or one.uid == self.run.key
            # One that has ended holds nothing; while it is being deleted it is there all the same.
            if gpus and (one.phase not in _OVER or one.meta.deleted):
                yield one

    async def _owners(self, owner: Reference | None, height: int = 0) -> frozenset[str]:
        """Return the UIDs of all controllers above; what is gone, or another by now, ends it."""
        if owner is None or height > _HIGHEST:
            return frozenset()
        if owner.uid not in self._above:
            # So that a circle ends.
            self._above[owner.uid] = frozenset()
            path = await self._path(owner)
            raw = await self._get(path, metadata=True) if path else None
            above = meta(raw, owner.group, owner.kind) if raw else None
            if above is not None and above.uid == owner.uid:
                self._above[owner.uid] = await self._owners(above.controller, height + 1)
            else:
                self._gone.add(owner.uid)
        return self._above[owner.uid] | {owner.uid}

    # -------------------------------------------------------------- who else has a hand on it

    async def _queued(
        self, about: Meta, pods: Sequence[Pod]
    ) -> tuple[tuple[Handle, ...], tuple[str, ...]]:
        """
        Return Kueue's Workloads of it, and the pods of others that are stopped with them.

        One that a single pod of a Deployment has is none of it: another pod would get another.
        """
        bare = about.reference.kind == "Pod"
        above = [await self._owners(one.meta.controller) for one in pods]
        its = frozenset({about.uid}).union(*above)
        handles, shared = [], set()
        for raw, path in await self._of_kind(QUEUED.group, QUEUED.kind, about.namespace):
            one = meta(raw, QUEUED.group, QUEUED.kind)
            if one.uid != about.uid and its.isdisjoint(owner.uid for owner in one.owners):
                continue
            if not _over(raw):
                handles.append(Handle(stop=QUEUED, path=path, raw=raw))
                shared |= {owner.name for owner in one.owners if bare and owner.uid not in its}
        return tuple(handles), tuple(sorted(shared))

    async def _handle(self, reference: Reference, path: str, raw: Raw) -> tuple[Handle, ...]:
        stop = STOPS.get((reference.group, reference.kind))
        if stop is None:
            return ()
        scale = await self._path(reference, "scale") if stop.scale else ""
        return (Handle(stop=stop, path=path, raw=raw, scale=scale or ""),)

    async def _scalers(self, about: Meta) -> AsyncIterator[Scaler]:
        for group, kind in SCALERS:
            for raw, _ in await self._of_kind(group, kind, about.namespace):
                if (one := scaler(raw, group, kind)) is not None:
                    yield one

    # -------------------------------------------------------------- the server

    async def _of_kind(self, group: str, kind: str, namespace: str) -> list[tuple[Raw, str]]:
        """Return all objects of a kind with their paths; none where the kind is not served."""
        path = await self._path(Reference(group=group, kind=kind, namespace=namespace, name=""))
        if path is None:
            return []
        found = await self._list(path)
        return [(raw, f"{path}/{at(raw, ('metadata', 'name'))}") for raw in found]

    async def _path(self, reference: Reference, subresource: str = "") -> str | None:
        served = await self.connection.served()
        return served.path(
            reference.group, reference.kind, reference.namespace, reference.name, subresource
        )

    async def _get(self, path: str, *, metadata: bool = False) -> Raw | None:
        try:
            return await self.connection.get(path, metadata=metadata)
        except KubeError as error:
            if error.status == 404:
                return None
            raise

    async def _list(self, path: str | None) -> list[Raw]:
        return [] if path is None else await self.connection.listed(path)


def _grouped(about: Meta) -> frozenset[str]:
    """Return the UIDs of the pods that a Workload of Kueue's groups."""
    return frozenset(owner.uid for owner in about.owners if owner.kind == "Pod")


def _over(raw: Raw) -> bool:
    """Tell whether a Workload of Kueue's has ended."""
    conditions = at(raw, ("status", "conditions"))
    entries: Iterable[Any] = conditions if isinstance(conditions, list) else ()
    return any(
        isinstance(one, Mapping) and one.get("type") == "Finished" and one.get("status") == "True"
        for one in entries
    )
