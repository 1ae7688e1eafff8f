"""Containers that no scheduler started, by the id in the cgroup path of a process on a device."""

from collections import defaultdict
from collections.abc import Iterator

from exporter.attribution.allocation import Allocation, Scene, folders_of, membership_of, start_of
from exporter.contract.node_key import NodeKey
from exporter.kernel.proc import Process


class ContainerPlatform:
    """One allocation per container that has a process on a device."""

    name = "container"

    def allocations(self, scene: Scene) -> Iterator[Allocation]:
        """Yield the containers on devices."""
        containers: dict[str, list[Process]] = defaultdict(list)
        for process in scene.free():
            found = membership_of(process)
            if found is not None and found.kind == "container":
                containers[found.id].append(process)
        for ident, members in containers.items():
            if devices := scene.devices_of(members):
                yield Allocation(
                    platform=self.name,
                    key=str(NodeKey(id=ident, start=start_of(members))),
                    members=tuple(members),
                    devices=devices,
                    folders=folders_of(members),
                )
