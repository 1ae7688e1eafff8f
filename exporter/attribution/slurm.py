"""
Slurm jobs by the cgroups of their processes: all of them, also those that touch no device.

It knows the jobs of one node name: of a host with several slurmd, those of the others are left to
their own exporters.  It refuses to read job environments and to ask the controller.
A slurmd whose name is ours in another spelling is ours: two of them would not run on one host.
"""

from collections import defaultdict
from collections.abc import Iterator

from exporter.attribution.allocation import Allocation, Scene, folders_of, membership_of, start_of
from exporter.contract.node_key import NodeKey
from exporter.contract.node_name import alike
from exporter.kernel.proc import Process


class SlurmPlatform:
    """Jobs of the Slurm node `node`; an empty name takes every job of the host."""

    name = "slurm"

    def __init__(self, node: str = "") -> None:
        self._node = node

    def allocations(self, scene: Scene) -> Iterator[Allocation]:
        """Yield one allocation per job or SLUID."""
        jobs: dict[str, list[Process]] = defaultdict(list)
        for process in scene.free():
            found = membership_of(process)
            if found is not None and found.kind == "slurm" and self._is_ours(found.node):
                jobs[found.id].append(process)
        for ident, members in jobs.items():
            yield self._allocation(ident, tuple(members), scene)

    def _allocation(self, ident: str, members: tuple[Process, ...], scene: Scene) -> Allocation:
        return Allocation(
            platform=self.name,
            key=str(NodeKey(id=ident, start=start_of(members))),
            members=members,
            devices=scene.devices_of(members),
            folders=folders_of(members),
        )

    def _is_ours(self, node: str) -> bool:
        return not node or not self._node or alike(node, self._node)


def spellings(scene: Scene, node: str) -> tuple[str, ...]:
    """Return how else the cgroups of Slurm here spell the name of our node."""
    found = (membership_of(process) for process in scene.processes.values())
    names = {one.node for one in found if one is not None and one.kind == "slurm"}
    return tuple(sorted(name for name in names - {"", node} if node and alike(name, node)))
