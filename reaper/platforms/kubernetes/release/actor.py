"""
Kubernetes as an actor: stops the workload of a run, and puts it back.

Every act reads the workload and its pods first and refuses what is not the run that was judged.
Nothing here waits for the end: :meth:`KubernetesActor.inspect` reads how far an effect has come,
after a crash too.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Run
from reaper.edge.kubernetes import Connection
from reaper.platforms.kubernetes.objects import GPUS, Pod, Resources
from reaper.platforms.kubernetes.ownership.claiming import PLATFORM
from reaper.platforms.kubernetes.release.eviction import Evictor
from reaper.platforms.kubernetes.release.handles import ChangedError, Handle
from reaper.platforms.kubernetes.release.marks import RESUMED, STOPPED, mark
from reaper.platforms.kubernetes.release.reverters import reverter
from reaper.platforms.kubernetes.release.standing import Looking, Standing
from reaper.platforms.kubernetes.release.writing import put_back, stop
from reaper.ports import ActionError, Clock, Progress, Receipt, Recheck

#: How often an object is looked at and written to that others write to meanwhile.
_ATTEMPTS: Final = 6

#: Seconds between two of these.
_PAUSE: Final = 0.2

#: Under which names of managed fields nobody has undone anything: ours, and those of its status.
_OURS: Final = ("gpu-reaper", "kube-controller-manager", "kubelet")


class KubernetesActor:
    """Does something to one run of one of several clusters, by name."""

    name = PLATFORM

    def __init__(
        self,
        connections: Mapping[str, Connection],
        clock: Clock,
        *,
        resources: Resources = GPUS,
    ) -> None:
        self._connections = connections
        self._clock = clock
        self._resources = resources
        self._evictor = Evictor(clock=clock)
        self._seen: dict[str, str] = {}

    async def recheck(self, run: Run) -> Recheck:
        """Read the workload again and say whether it is still this run; raise ActionError."""
        standing = await self._standing(run)
        if standing is None or not standing.live:
            return Recheck.GONE
        if _odd(standing, run):
            return Recheck.CHANGED
        self._seen[run.key] = standing.meta.uid
        return Recheck.SAME

    async def prepare(self, effect: Effect) -> Receipt:
        """Say that nothing here can be asked to save itself; raise ActionError always."""
        raise _unsaved(effect)

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Begin an effect; raise ActionError when it is expired, refused or no longer fits."""
        if now >= effect.expires:
            raise ActionError(
                f"{effect.run}: the intent has expired; check again", recoverable=True
            )
        if effect.verb is Verb.SAVE:
            raise _unsaved(effect)
        act = self._restore if effect.verb is Verb.RESTORE else self._release
        for _ in range(_ATTEMPTS - 1):
            # Controllers write to what they have, so that a look may be old at once; each attempt
            # looks again, at everything.
            with suppress(ChangedError):
                return await act(effect, now)
            await self._clock.sleep(_PAUSE)
        return await act(effect, now)

    async def inspect(self, effect: Effect) -> Progress:
        """Read how far an effect has come; raise ActionError."""
        standing = await self._standing(effect.run)
        if effect.verb is Verb.RESTORE:
            return _restored(standing, effect)
        if standing is None:
            return _left(await self._looking(effect.run).pods(), effect)
        return _progress(standing, effect)

    async def reverter(self, effect: Effect) -> str:
        """Return who seems to have started a run again, "" where nothing tells; never raises."""
        try:
            standing = await self._standing(effect.run)
        except ActionError:
            return ""
        if standing is None:
            return ""
        named = reverter(standing.meta, scalers=standing.scalers)
        # Who holds the very field that stops it says more than who wrote last to any.
        holders = (name for handle in standing.handles for name in handle.holders)
        others = (name for name in (*holders, *standing.meta.managers) if name not in _OURS)
        return named or next(filter(None, others), "")

    # -------------------------------------------------------------- the verbs

    async def _release(self, effect: Effect, now: float) -> Receipt:
        before = await self._standing(effect.run)
        if (
            before is not None
            and before.stopped
            and all(_of(one, effect) for one in before.handles)
        ):
            return Receipt(text=f"{effect.run} is stopped already")
        standing, connection = self._same(effect, before), self._connection(effect.run)
        if standing.bare:
            return Receipt(
                text=await self._evictor.evict(connection, standing.pods[0], standing.path)
            )
        await self._alone(effect, standing)
        done = [
            await stop(connection, handle, intent=effect.id, now=now)
            for handle in standing.handles
            if not (handle.stands and _of(handle, effect))
        ]
        return Receipt(text="; ".join(done))

    async def _restore(self, effect: Effect, _now: float) -> Receipt:
        """Put back what this effect has changed; nothing else of it was ever touched."""
        standing = await self._standing(effect.run)
        if standing is not None and standing.bare:
            text = f"{effect.run}: a pod that is being evicted cannot be kept"
            raise ActionError(text, recoverable=False)
        ours = [one for one in standing.handles if _of(one, effect)] if standing else []
        connection = self._connection(effect.run)
        done = [await put_back(connection, handle) for handle in ours]
        return Receipt(text="; ".join(done) or f"{effect.run}: nothing of ours stands on it")

    def _same(self, effect: Effect, standing: Standing | None) -> Standing:
        """Return the workload if it is still the run that was judged, whole, and may be stopped."""
        run = effect.run
        if effect.requeue:
            text = f"{run}: Kubernetes puts nothing back into a queue; write release without it"
            raise ActionError(text, recoverable=False)
        if standing is None or (odd := _odd(standing, run)):
            why = "it is gone" if standing is None else odd
            raise ActionError(f"{run} is not the run that was judged: {why}", recoverable=False)
        if self._seen.get(run.key, standing.meta.uid) != standing.meta.uid:
            text = f"{run}: another object has its name now; it is not the one that was judged"
            raise ActionError(text, recoverable=False)
        if joined := _joined(standing, effect.member_ids):
            raise ActionError(f"{run}: {joined} has joined since; check again", recoverable=True)
        if standing.refusal:
            raise ActionError(f"{run} is not stopped: {standing.refusal}", recoverable=False)
        return standing

    async def _alone(self, effect: Effect, standing: Standing) -> None:
        """Refuse what would stop a pod that nobody measures, unless its owner asked for it."""
        if effect.asked_by:
            return
        if beside := await self._looking(effect.run).beside(standing):
            raise ActionError(
                f"{effect.run} is not stopped: its pod {beside} has no GPU, and nobody measures "
                "whether it works",
                recoverable=False,
            )

    # -------------------------------------------------------------- reading

    async def _standing(self, run: Run) -> Standing | None:
        return await self._looking(run).standing()

    def _looking(self, run: Run) -> Looking:
        return Looking(connection=self._connection(run), run=run, resources=self._resources)

    def _connection(self, run: Run) -> Connection:
        found = self._connections.get(run.cluster)
        if found is None:
            raise ActionError(f"{run}: no cluster {run.cluster} is configured", recoverable=False)
        return found


async def resume(connections: Sequence[Connection], name: str, *, clock: Clock) -> str:
    """
    Start a workload again that we have stopped, called as its run is; raise ActionError.

    It needs no reaper: what stood before is written on the object, and whoever may change it may
    put it back.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(ChangedError):
            return await _resume(connections, name, clock)
        await clock.sleep(_PAUSE)
    return await _resume(connections, name, clock)


async def _resume(connections: Sequence[Connection], name: str, clock: Clock) -> str:
    done = []
    for connection in connections:
        run = Run(cluster=connection.name, platform=PLATFORM, id=name, key="", started=0.0)
        standing = await Looking(connection=connection, run=run).standing()
        for handle in standing.handles if standing else ():
            if (left := mark(handle.annotations)) is not None:
                resumed = left.resumed(clock.now())
                done.append(await put_back(connection, handle, resumed=resumed))
    if not done:
        raise ActionError(f"{name}: nothing there was stopped by gpu-reaper", recoverable=False)
    return "; ".join(done)


# ------------------------------------------------------------------ what it means


def _odd(standing: Standing, run: Run) -> str:
    """Return why a workload is not a run at work any more, "" while it is."""
    oldest = next((one for one in standing.live), None)
    if oldest is None:
        return "no pod of it runs"
    if oldest.uid != run.key:
        return f"its oldest pod is {oldest.meta.name} ({oldest.uid}), another one"
    if standing.stopped or standing.meta.deleted or oldest.meta.deleted:
        return "it is ending already"
    return ""


def _joined(standing: Standing, members: Sequence[str]) -> str:
    """Return a pod on a node that was not there when the run was judged, "" for none."""
    if not members:
        return ""
    bound = (one.meta for one in standing.pods if one.bound)
    new = (one.name for one in bound if f"{one.namespace}/pod/{one.name}" not in members)
    return next((f"pod {name}" for name in new), "")


def _of(handle: Handle, effect: Effect, name: str = STOPPED) -> bool:
    """Tell whether a handle bears the mark of an effect, or of what it takes back."""
    left = mark(handle.annotations, name)
    return left is not None and left.intent == effect.id.removesuffix("/restore")


def _left(pods: Sequence[Pod], effect: Effect) -> Progress:
    """Say what it means that the workload is gone, by the pods that the run had."""
    key = next((one for one in pods if one.uid == effect.run.key), None)
    if key is not None and not key.meta.deleted:
        return Progress.NOT_APPLIED
    return Progress.PENDING if any(_had(one, effect) for one in pods) else Progress.DONE


def _had(pod: Pod, effect: Effect) -> bool:
    """Tell whether a pod is one that was judged."""
    name = f"{pod.meta.namespace}/pod/{pod.meta.name}"
    return pod.uid == effect.run.key or name in effect.member_ids


def _restored(standing: Standing | None, effect: Effect) -> Progress:
    handles = standing.handles if standing else ()
    ours = any(_of(handle, effect) for handle in handles)
    return Progress.NOT_APPLIED if ours or standing is None else Progress.DONE


def _progress(standing: Standing, effect: Effect) -> Progress:
    """
    Say how far a release has come on a workload that is there.

    Done is only what is free: its pods gone, not ending, and the workload as we have left it.  A
    pod on a node that nobody reaches stays, and so it is pending for as long.
    """
    if any(_of(handle, effect, RESUMED) for handle in standing.handles):
        # Its owner has started it again by our own command: the run that was released is gone.
        return Progress.DONE
    key = next((one for one in standing.pods if one.uid == effect.run.key), None)
    marked = bool(standing.handles) and all(_of(handle, effect) for handle in standing.handles)
    if standing.stopped and marked:
        # Where nobody says which pods were judged, any that is astray may be one.
        astray = (one for one in standing.astray if _had(one, effect) or not effect.member_ids)
        left = (*standing.pods, *astray)
        there = any(one.bound or one.meta.deleted for one in left)
        return Progress.PENDING if there else Progress.DONE
    if key is not None:
        ending = standing.bare and key.meta.deleted
        return Progress.PENDING if ending else Progress.NOT_APPLIED
    if standing.meta.reference.kind == "Pod" and not standing.pods:
        return Progress.DONE
    again = any(not one.meta.deleted for one in standing.pods) or (marked and not standing.stopped)
    return Progress.RECREATED if again else Progress.NOT_APPLIED


def _unsaved(effect: Effect) -> ActionError:
    text = f"{effect.run}: nothing says how a pod is asked to save itself; write no save rung"
    return ActionError(text, recoverable=False)
