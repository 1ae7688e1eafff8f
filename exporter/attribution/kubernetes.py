"""
Pods by the cgroups of their processes, and by the kubelet's word where its socket is given.

It knows pod UIDs.  It refuses to ask the API server: the reaper does that once for the cluster.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

from exporter.attribution.allocation import Allocation, Scene, folders_of, membership_of, start_of
from exporter.contract.node_key import NodeKey
from exporter.kernel.proc import Process

Assigned = Callable[[Scene, Collection[str]], Mapping[str, frozenset[str]]]
"""Given the UIDs of the pods that run here, the devices which the kubelet assigned to each."""


def nothing_assigned(_scene: Scene, _running: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Know no assignments: devices are seen by the pods' processes alone."""
    return {}


class KubernetesPlatform:
    """One allocation per pod with a process on a device, or with a device assigned to it."""

    name = "kubernetes"

    def __init__(self, assigned: Assigned = nothing_assigned) -> None:
        self._assigned = assigned

    def allocations(self, scene: Scene) -> Iterator[Allocation]:
        """Yield the pods that hold devices."""
        pods: dict[str, list[Process]] = defaultdict(list)
        for process in scene.free():
            found = membership_of(process)
            if found is not None and found.kind == "kubernetes":
                pods[found.id].append(process)
        assigned = self._assigned(scene, pods.keys())
        for uid, members in pods.items():
            devices = scene.devices_of(members) | assigned.get(uid, frozenset())
            if devices:
                yield self._allocation(uid, tuple(members), devices)

    def _allocation(
        self, uid: str, members: tuple[Process, ...], devices: frozenset[str]
    ) -> Allocation:
        return Allocation(
            platform=self.name,
            key=str(NodeKey(id=uid, start=start_of(members))),
            members=members,
            devices=devices,
            folders=folders_of(members),
        )
