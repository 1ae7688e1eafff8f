"""
Ending a pod by itself: asked for as an eviction, so that disruption budgets and its grace hold.

Never a delete.  The UID goes with it: a pod of the same name that came since is left alone.
"""

from dataclasses import dataclass, field
from typing import Final

from reaper.edge.kubernetes import Connection, KubeError
from reaper.platforms.kubernetes.objects import Pod
from reaper.platforms.kubernetes.release.handles import failed
from reaper.ports import ActionError, Clock

#: What the server says of a pod with more than one budget; it evicts none such.
_SEVERAL: Final = "more than one PodDisruptionBudget"

#: Seconds between two attempts where the server does not say.
_AGAIN: Final = 10.0


@dataclass(slots=True, kw_only=True)
class Evictor:
    """Evicts pods, and leaves those in peace of which the server said "later"."""

    clock: Clock
    _until: dict[str, float] = field(default_factory=dict)
    """By UID, until when it is not asked again; monotonic seconds."""

    async def evict(self, connection: Connection, pod: Pod, path: str) -> str:
        """Ask for an eviction and say so; raise ActionError, recoverable where a budget waits."""
        left = self._until.get(pod.uid, 0.0) - self.clock.elapsed()
        if left > 0:
            text = f"pod {pod.meta.name}: its disruption budget allows none yet ({left:.0f} s)"
            raise ActionError(text, recoverable=True)
        served = await connection.served()
        version = served.taken("", "Pod", "eviction")
        if version is None:
            raise ActionError("this API server evicts no pods", recoverable=False)
        body = {
            "apiVersion": version,
            "kind": "Eviction",
            "metadata": {"name": pod.meta.name, "namespace": pod.meta.namespace},
            "deleteOptions": {"preconditions": {"uid": pod.uid}},
        }
        try:
            await connection.post(f"{path}/eviction", body)
        except KubeError as error:
            raise self._refused(pod, error) from error
        self._until.pop(pod.uid, None)
        return f"pod {pod.meta.name} evicted, grace {pod.grace:g} s"

    def _refused(self, pod: Pod, error: KubeError) -> ActionError:
        if error.status == 429:
            wait = _AGAIN if error.retry_after is None else error.retry_after
            self._until[pod.uid] = self.clock.elapsed() + wait
            why = "; ".join(error.causes) or error.message
            return ActionError(f"pod {pod.meta.name} cannot go yet: {why}", recoverable=True)
        if _SEVERAL in error.message:
            text = f"pod {pod.meta.name} has more than one disruption budget: it cannot be evicted"
            return ActionError(text, recoverable=False)
        return failed(f"pod {pod.meta.name} was not evicted", error)
