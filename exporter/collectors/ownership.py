"""One look at who owns what on the node, shared by the collectors of a round that need it."""

from dataclasses import dataclass, field
from pathlib import Path

from exporter.attribution import Allocation, Platform, Scene, attribute, platforms
from exporter.attribution.kubelet import KubeletAssignments
from exporter.attribution.kubernetes import Assigned, nothing_assigned
from exporter.cgroupfs import CgroupTree
from exporter.collectors.sight import Places, Sight
from exporter.proc import Census
from exporter.snapshot import Absent, DeviceProcesses

_SAME_ROUND = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The node's processes and the allocations among them."""

    scene: Scene
    allocations: tuple[Allocation, ...]
    avoided: frozenset[int] = field(default_factory=frozenset)


class Ownership:
    """Takes a census once a round, whoever asks first."""

    def __init__(self, places: Places) -> None:
        self.tree = CgroupTree(Path(places.cgroup))
        self._census = Census(Path(places.proc))
        self._platforms: tuple[Platform, ...] = platforms(self.tree, places.node, _assigned(places))
        self._view: View | None = None
        self._of: tuple[DeviceProcesses, ...] = ()
        self._at = 0.0

    @property
    def latest(self) -> View | None:
        """The last view that was taken, however old."""
        return self._view

    def view(self, sight: Sight) -> View:
        """Return this round's view."""
        now = sight.clock.monotonic()
        if self._view is None or self._of is not sight.processes or now - self._at > _SAME_ROUND:
            self._view = self._look(sight)
            self._of, self._at = sight.processes, now
        return self._view

    def _look(self, sight: Sight) -> View:
        avoided = frozenset(
            int(target[4:])
            for target in sight.avoided
            if target.startswith("pid ") and target[4:].isdecimal()
        )
        with sight.calls.to("proc"):
            processes = self._census.take(avoided, sight.calls.announce)
        scene = Scene(
            processes=processes,
            holders=_holders(sight.processes),
            now=sight.clock.wall(),
            devices=sight.devices,
        )
        found = attribute(self._platforms, scene)
        return View(scene=scene, allocations=found, avoided=avoided)


def _assigned(places: Places) -> Assigned:
    if not places.kubelet:
        return nothing_assigned
    return KubeletAssignments(places.kubelet, Path(places.pod_logs))


def _holders(readings: tuple[DeviceProcesses, ...]) -> dict[str, frozenset[int]]:
    return {
        reading.gpu: frozenset(process.pid for process in reading.processes)
        for reading in readings
        if not isinstance(reading.processes, Absent)
    }
