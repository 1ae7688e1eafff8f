"""Which kinds are mirrored, and what of each is kept: at most what claims and demand need."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from reaper.platforms.kubernetes.mirror.shelf import Wanted
from reaper.platforms.kubernetes.objects import (
    DRIVERS,
    ClusterQueue,
    Flavor,
    LocalQueue,
    Meta,
    Node,
    Pod,
    Queued,
    Quota,
    ResourceClaim,
    Resources,
    ResourceSlice,
    cluster_queue,
    flavor,
    local_queue,
    meta,
    node,
    pod,
    queued,
    quota,
    resource_claim,
    resource_slice,
)
from reaper.platforms.kubernetes.release.reverters import Scaler, scaler

Raw = Mapping[str, Any]

ENDED: Final = frozenset(("Succeeded", "Failed"))
"""Phases of pods that hold nothing any more."""

_DRA: Final = "resource.k8s.io"
_KUEUE: Final = "kueue.x-k8s.io"
#: What kubectl writes onto every object: the whole of it once more.
_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_ALIVE: Final = ",".join(f"status.phase!={phase}" for phase in sorted(ENDED))


def pods(resources: Resources) -> Wanted[Pod]:
    """Return that pods are kept which have GPUs, ask for them, or have any resource claim."""

    def thin(raw: Raw) -> Pod | None:
        found = pod(_light(raw), resources)
        # A node that is silent makes every pod on it unclear: those without GPUs are none of ours.
        unclear = found.doubt and found.phase != "Unknown"
        return found if found.gpus or found.claims or found.awaited or unclear else None

    return Wanted(group="", kind="Pod", thin=thin, listed=_ALIVE)


def nodes(resources: Resources) -> Wanted[Node]:
    """Return that every node is kept."""
    return Wanted(group="", kind="Node", thin=lambda raw: node(_light(raw), resources))


def namespaces() -> Wanted[Meta]:
    """Return that of every namespace the metadata is kept."""
    return owners("", "Namespace", lambda _: True)


def owners(group: str, kind: str, needed: Callable[[str], bool]) -> Wanted[Meta]:
    """Return that the metadata of needed objects of a kind is kept, by UID."""

    def thin(raw: Raw) -> Meta | None:
        found = meta(_light(raw), group, kind)
        return found if needed(found.uid) else None

    return Wanted(group=group, kind=kind, thin=thin, metadata=True)


def resource_claims() -> Wanted[ResourceClaim]:
    """Return that every resource claim is kept."""
    return Wanted(group=_DRA, kind="ResourceClaim", thin=resource_claim)


def resource_slices() -> Wanted[ResourceSlice]:
    """Return that the slices of drivers of GPUs are kept."""

    def thin(raw: Raw) -> ResourceSlice | None:
        found = resource_slice(raw)
        return found if found.driver in DRIVERS else None

    return Wanted(group=_DRA, kind="ResourceSlice", thin=thin)


def kueue_workloads(resources: Resources) -> Wanted[Queued]:
    """Return that what Kueue has not finished is kept."""

    def thin(raw: Raw) -> Queued | None:
        found = queued(_light(raw), resources)
        return None if found.finished else found

    return Wanted(group=_KUEUE, kind="Workload", thin=thin)


def local_queues() -> Wanted[LocalQueue]:
    """Return that every local queue is kept."""
    return Wanted(group=_KUEUE, kind="LocalQueue", thin=local_queue)


def cluster_queues(resources: Resources) -> Wanted[ClusterQueue]:
    """Return that every cluster queue is kept."""
    return Wanted(group=_KUEUE, kind="ClusterQueue", thin=lambda raw: cluster_queue(raw, resources))


def flavors() -> Wanted[Flavor]:
    """Return that every flavor is kept."""
    return Wanted(group=_KUEUE, kind="ResourceFlavor", thin=flavor)


def scalers(group: str, kind: str) -> Wanted[Scaler]:
    """Return that the autoscalers of a kind are kept that would undo a stop."""
    return Wanted(group=group, kind=kind, thin=lambda raw: scaler(raw, group, kind))


def quotas(resources: Resources) -> Wanted[Quota]:
    """Return that quotas of GPUs are kept."""

    def thin(raw: Raw) -> Quota | None:
        found = quota(raw, resources)
        return found if found.hard else None

    return Wanted(group="", kind="ResourceQuota", thin=thin)


def _light(raw: Raw) -> Raw:
    """Return an object without the copy of itself that kubectl left on it."""
    about = raw.get("metadata")
    notes = about.get("annotations") if isinstance(about, dict) else None
    if isinstance(notes, dict):
        notes.pop(_APPLIED, None)
    return raw
