"""One look at who owns what on the node, shared by the collectors of a round that need it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exporter.attribution import Allocation, Platform, Scene, attribute, platforms
from exporter.attribution.kubelet import KEPT, KubeletAssignments
from exporter.attribution.kubernetes import nothing_assigned
from exporter.attribution.standing import Look, standings
from exporter.collectors.sight import Places, Sight
from exporter.kernel.cgroupfs import CgroupTree
from exporter.kernel.proc import Census, Process
from exporter.sampling.ownership import Ownership as Standing
from exporter.sampling.snapshot import Absent, DeviceProcesses
from exporter.sampling.sources import SourceState

_SAME_ROUND = 5.0
#: A process that began so shortly after the driver listed its pid has it from another one.
_REUSED = 60.0


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
        self._kubelet = (
            KubeletAssignments(places.kubelet, Path(places.pod_logs)) if places.kubelet else None
        )
        self._platforms: tuple[Platform, ...] = platforms(
            places.node, self._kubelet or nothing_assigned
        )
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

    def standings(self, sight: Sight) -> tuple[Standing, ...]:
        """Return what is known of each device's holder."""
        view = self.view(sight)
        look = Look(
            scene=view.scene,
            allocations=view.allocations,
            readings=sight.processes,
            kubelet=self.kubelet(view.scene.now),
            at=self._at,
        )
        return standings(look)

    def kubelet(self, now: float) -> SourceState:
        """Return whether the kubelet answers; `now` in Unix seconds."""
        if self._kubelet is None:
            return SourceState(source="kubelet", state="off", reason="no --kubelet-socket is given")
        if now - self._kubelet.as_of <= KEPT and not self._kubelet.trouble:
            return SourceState(source="kubelet", state="ok")
        return SourceState(source="kubelet", state="failing", reason=self._kubelet.trouble)

    def close(self) -> None:
        """Let the kubelet's socket go."""
        if self._kubelet is not None:
            self._kubelet.close()

    def _look(self, sight: Sight) -> View:
        avoided = frozenset(
            int(target[4:])
            for target in sight.avoided
            if target.startswith("pid ") and target[4:].isdecimal()
        )
        with sight.calls.to("proc"):
            processes = self._census.take(avoided, sight.calls.announce)
        offset = sight.clock.wall() - sight.clock.monotonic()
        scene = Scene(
            processes=processes,
            holders=_holders(sight.processes, processes, offset),
            now=sight.clock.wall(),
            devices=sight.devices,
        )
        found = attribute(self._platforms, scene)
        return View(scene=scene, allocations=found, avoided=avoided)


def _holders(
    readings: tuple[DeviceProcesses, ...], processes: Mapping[int, Process], offset: float
) -> dict[str, frozenset[int]]:
    """Return the pids with a context per device; `offset` turns monotonic into Unix seconds."""
    return {
        reading.gpu: frozenset(
            one.pid
            for one in reading.processes
            if not _is_another(processes.get(one.pid), reading.at + offset)
        )
        for reading in readings
        if not isinstance(reading.processes, Absent)
    }


def _is_another(process: Process | None, listed: float) -> bool:
    return process is not None and listed < process.start <= listed + _REUSED
