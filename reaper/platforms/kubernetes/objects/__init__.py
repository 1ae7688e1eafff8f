"""
Objects of Kubernetes' API as frozen values, read from their JSON without a clock or a connection.

It knows the shapes of several versions.  It refuses to fail: what cannot be read of an object is a
doubt of that object, never of the list that it came in.
"""

from reaper.platforms.kubernetes.objects.counting import GPUS, USUAL, Resources
from reaper.platforms.kubernetes.objects.devices import (
    DRIVERS,
    Given,
    ResourceClaim,
    ResourceSlice,
    resource_claim,
    resource_slice,
)
from reaper.platforms.kubernetes.objects.kinds import KINDS, Family, Kind, kind_of, word
from reaper.platforms.kubernetes.objects.metas import OURS, group_of, meta
from reaper.platforms.kubernetes.objects.nodes import node, quota, workload
from reaper.platforms.kubernetes.objects.pods import pod
from reaper.platforms.kubernetes.objects.queues import (
    ClusterQueue,
    Flavor,
    LocalQueue,
    Queued,
    cluster_queue,
    flavor,
    local_queue,
    queued,
)
from reaper.platforms.kubernetes.objects.record import (
    Container,
    Meta,
    Node,
    Pod,
    Quota,
    Reference,
    Taint,
    Toleration,
    Wants,
    Wish,
    Workload,
    Written,
)

__all__ = [
    "DRIVERS",
    "GPUS",
    "KINDS",
    "OURS",
    "USUAL",
    "ClusterQueue",
    "Container",
    "Family",
    "Flavor",
    "Given",
    "Kind",
    "LocalQueue",
    "Meta",
    "Node",
    "Pod",
    "Queued",
    "Quota",
    "Reference",
    "ResourceClaim",
    "ResourceSlice",
    "Resources",
    "Taint",
    "Toleration",
    "Wants",
    "Wish",
    "Workload",
    "Written",
    "cluster_queue",
    "flavor",
    "group_of",
    "kind_of",
    "local_queue",
    "meta",
    "node",
    "pod",
    "queued",
    "quota",
    "resource_claim",
    "resource_slice",
    "word",
    "workload",
]
