"""
Bare processes: whoever has a context on a device and belongs to nothing that schedules.

A process is known by its pid and start, so that a reused pid is another one.  Its children that
hold no device of their own are its members; the shell and the login above it are around it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from exporter.attribution.allocation import Allocation, Scene, membership_of
from exporter.contract.node_key import NodeKey
from exporter.kernel.proc import Process, ancestors


class HostPlatform:
    """One allocation per process with a context that no other platform claims."""

    name = "host"

    def allocations(self, scene: Scene) -> Iterator[Allocation]:
        """Yield the bare holders."""
        holders = self._bare(scene)
        children = _children(scene.processes)
        for holder in holders.values():
            members = (holder, *_below(holder, children, holders))
            yield Allocation(
                platform=self.name,
                key=str(NodeKey(id=str(holder.pid), start=int(holder.start))),
                members=members,
                around=tuple(ancestors(holder, scene.processes)),
                devices=scene.devices_of((holder,)),
            )

    def _bare(self, scene: Scene) -> dict[int, Process]:
        found: dict[int, Process] = {}
        for pids in scene.holders.values():
            # The MPS server holds a context for its clients: alone it is a holder, beside them not.
            served = any(_program(scene, pid) != "mps" for pid in pids)
            for pid in pids - scene.taken:
                process = scene.processes.get(pid)
                if process is None or not _schedules_nothing(process):
                    continue
                if process.program != "mps" or not served:
                    found[pid] = process
        return found


def _program(scene: Scene, pid: int) -> str:
    process = scene.processes.get(pid)
    return process.program if process else ""


def _schedules_nothing(process: Process) -> bool:
    found = membership_of(process)
    return found is None or found.kind == "user"


def _children(processes: Mapping[int, Process]) -> Mapping[int, list[Process]]:
    children: dict[int, list[Process]] = defaultdict(list)
    for process in processes.values():
        children[process.ppid].append(process)
    return children


def _below(
    holder: Process, children: Mapping[int, list[Process]], holders: Mapping[int, Process]
) -> Iterator[Process]:
    """Yield the descendants down to the next holder; a pass is no snapshot: circles happen."""
    seen, waiting = {holder.pid}, [holder.pid]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child.pid not in holders and child.pid not in seen:
                seen.add(child.pid)
                waiting.append(child.pid)
                yield child
