"""Objects of Kubernetes' API drawn in the shapes that a real API server gives them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reaper.platforms.kubernetes import objects
from reaper.platforms.kubernetes.mirror import Seen
from reaper.ports import SourceError

NOON = 1_700_000_000.0
"""The instant at which every drawn story is told."""

GPU = "nvidia.com/gpu"


def when(at: float) -> str:
    """Write an instant as the API does."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def uid(name: str) -> str:
    """Return the UID of a drawn object."""
    return f"uid-{name}"


def owner(kind: str, name: str, *, version: str = "apps/v1", **more: Any) -> dict[str, Any]:
    """Draw an owner reference that controls."""
    usual = {
        "apiVersion": version,
        "kind": kind,
        "name": name,
        "uid": uid(f"{kind.lower()}-{name}"),
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return usual | more


def metadata(name: str, *owners: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Draw metadata of an object in namespace `ns` unless told otherwise."""
    usual: dict[str, Any] = {
        "name": name,
        "namespace": "ns",
        "uid": uid(name),
        "resourceVersion": "7",
        "creationTimestamp": when(NOON - 3700),
    }
    if owners:
        usual["ownerReferences"] = list(owners)
    return usual | more


def object_of(
    kind: str, name: str, *owners: Mapping[str, Any], version: str = "apps/v1", **more: Any
) -> dict[str, Any]:
    """Draw an owner, metadata only."""
    about = {"uid": uid(f"{kind.lower()}-{name}")} | more
    return {"apiVersion": version, "kind": kind, "metadata": metadata(name, *owners, **about)}


def container(gpus: int | str | None = 1, *, name: str = "main", **more: Any) -> dict[str, Any]:
    """Draw a container with a limit of GPUs; None for none."""
    amounts = {} if gpus is None else {GPU: str(gpus)}
    return {"name": name, "resources": {"limits": amounts, "requests": amounts}} | more


def pod(
    name: str = "pod-0",
    *owners: Mapping[str, Any],
    gpus: int | str | None = 1,
    node: str = "gpu01",
    phase: str = "Running",
    started: float | None = NOON - 3600,
    spec: Mapping[str, Any] | None = None,
    status: Mapping[str, Any] | None = None,
    **about: Any,
) -> dict[str, Any]:
    """Draw a pod that runs since an hour."""
    drawn: dict[str, Any] = {"containers": [container(gpus)]}
    if node:
        drawn["nodeName"] = node
    said: dict[str, Any] = {"phase": phase}
    if started is not None:
        said["startTime"] = when(started)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata(name, *owners, **about),
        "spec": drawn | dict(spec or {}),
        "status": said | dict(status or {}),
    }


def node(name: str = "gpu01", gpus: int | str = 4, **more: Any) -> dict[str, Any]:
    """Draw a node that is ready."""
    amounts = {GPU: str(gpus), "cpu": "64", "memory": "512Gi"}
    usual: dict[str, Any] = {
        "metadata": metadata(
            name, namespace=None, labels={"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}
        ),
        "spec": {},
        "status": {
            "allocatable": amounts,
            "capacity": amounts,
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }
    return usual | more


def resource_claim(
    name: str, *devices: str, pods: tuple[str, ...] = ("pod-0",), **more: Any
) -> dict[str, Any]:
    """Draw a DRA claim that was given devices of the node `gpu01`."""
    results = [
        {"request": "gpu", "driver": "gpu.nvidia.com", "pool": "gpu01", "device": device} | more
        for device in devices
    ]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata(name),
        "spec": {
            "devices": {
                "requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}]
            }
        },
        "status": {
            "allocation": {"devices": {"results": results}},
            "reservedFor": [{"resource": "pods", "name": one, "uid": uid(one)} for one in pods],
        },
    }


def resource_slice(node_name: str = "gpu01", **uuids: str) -> dict[str, Any]:
    """Draw the devices that a driver offers on a node, by name with ``_`` for ``-``."""
    devices = [
        {
            "name": name.replace("_", "-"),
            "attributes": {
                "uuid": {"string": value},
                "productName": {"string": "NVIDIA H100 80GB HBM3"},
                "type": {"string": "gpu"},
            },
        }
        for name, value in uuids.items()
    ]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": metadata(f"{node_name}-slice", namespace=None),
        "spec": {
            "driver": "gpu.nvidia.com",
            "nodeName": node_name,
            "pool": {"name": node_name, "generation": 1, "resourceSliceCount": 1},
            "devices": devices,
        },
    }


def seen(*pods: Mapping[str, Any], owners: Sequence[Mapping[str, Any]] = (), **more: Any) -> Seen:
    """Return what a mirror would hold of drawn objects; `more` are its other fields, drawn too."""
    readers: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "nodes": objects.node,
        "namespaces": lambda raw: objects.meta(raw, "", "Namespace"),
        "claims": objects.resource_claim,
        "slices": objects.resource_slice,
        "queued": objects.queued,
        "local_queues": objects.local_queue,
        "cluster_queues": objects.cluster_queue,
        "flavors": objects.flavor,
        "quotas": objects.quota,
    }
    held = {
        name: {item["metadata"]["uid"]: reader(item) for item in more.pop(name, ())}
        for name, reader in readers.items()
    }
    return Seen(
        as_of=NOON,
        cluster="c1",
        pods={raw["metadata"]["uid"]: objects.pod(raw) for raw in pods},
        owners={raw["metadata"]["uid"]: objects.meta(raw) for raw in owners},
        **held,
        **more,
    )


def deployment(name: str, replicas: int = 1, **more: Any) -> tuple[list[Any], list[Any]]:
    """Draw a Deployment's pods and owners."""
    rs = object_of("ReplicaSet", f"{name}-7", owner("Deployment", name))
    pods = [
        pod(f"{name}-7-{number}", owner("ReplicaSet", f"{name}-7"), **more)
        for number in range(replicas)
    ]
    return pods, [object_of("Deployment", name), rs]


class Mirrored:
    """A mirror that says what it is told to, or is silent."""

    def __init__(self, said: Seen | str) -> None:
        self.said = said

    async def seen(self) -> Seen:
        """Say it."""
        if isinstance(self.said, str):
            raise SourceError(self.said)
        return self.said
