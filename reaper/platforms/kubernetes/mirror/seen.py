"""What one API server holds at an instant."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reaper.platforms.kubernetes.objects import (
    ClusterQueue,
    Flavor,
    LocalQueue,
    Meta,
    Node,
    Pod,
    Queued,
    Quota,
    ResourceClaim,
    ResourceSlice,
)
from reaper.platforms.kubernetes.release.reverters import Scaler


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """
    The objects of a cluster by UID; `as_of` is when its API server was heard last.

    `pods` are those that have or ask for GPUs, `owners` whatever stands above them, `trouble` why
    a kind could not be read, by its name (``RayCluster``).
    """

    as_of: float
    cluster: str
    pods: Mapping[str, Pod] = field(default_factory=dict)
    owners: Mapping[str, Meta] = field(default_factory=dict)
    nodes: Mapping[str, Node] = field(default_factory=dict)
    namespaces: Mapping[str, Meta] = field(default_factory=dict)
    claims: Mapping[str, ResourceClaim] = field(default_factory=dict)
    slices: Mapping[str, ResourceSlice] = field(default_factory=dict)
    queued: Mapping[str, Queued] = field(default_factory=dict)
    local_queues: Mapping[str, LocalQueue] = field(default_factory=dict)
    cluster_queues: Mapping[str, ClusterQueue] = field(default_factory=dict)
    flavors: Mapping[str, Flavor] = field(default_factory=dict)
    quotas: Mapping[str, Quota] = field(default_factory=dict)
    scalers: tuple[Scaler, ...] = ()
    """The autoscalers of workloads: they would undo a stop."""
    trouble: Mapping[str, str] = field(default_factory=dict)
