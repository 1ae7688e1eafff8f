"""
What is known of each device's holder, and how well.

Pure.  Free is said only where the node itself can tell: on a node of Slurm an allocation may have
no process here at all, and only the controller knows it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from exporter.attribution.allocation import Allocation, Scene
from exporter.sampling.ownership import Ownership, State
from exporter.sampling.snapshot import Absent, Device, DeviceProcesses
from exporter.sampling.sources import SourceState

_NOT_LISTED: Final = "the driver was not asked for its processes yet"
_HIDDEN: Final = (
    "its processes are not to be seen from here: hostPID, or CAP_SYS_PTRACE, is missing"
)
_SLURM: Final = "a Slurm job may hold it without a process here: its controller knows"
_KUBELET: Final = "pods run here and the kubelet does not say what it gave them"
_NAMED_SLURM: Final = frozenset({"slurmd", "slurmstepd"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at the node: what the driver listed, who was found, and the kubelet's state."""

    scene: Scene
    allocations: tuple[Allocation, ...]
    readings: tuple[DeviceProcesses, ...]
    kubelet: SourceState
    at: float


def standings(look: Look) -> tuple[Ownership, ...]:
    """Return one ownership per device of the scene."""
    readings = {reading.gpu: reading for reading in look.readings}
    holders = _by_device(look.allocations)
    doubt = _doubt(look)
    return tuple(
        _standing(look, device, readings.get(device.uuid), holders.get(device.uuid, []), doubt)
        for device in look.scene.devices
    )


def _by_device(allocations: Iterable[Allocation]) -> Mapping[str, list[Allocation]]:
    found: dict[str, list[Allocation]] = {}
    for one in allocations:
        for gpu in one.devices:
            found.setdefault(gpu, []).append(one)
    return found


def _standing(
    look: Look,
    device: Device,
    reading: DeviceProcesses | None,
    holders: list[Allocation],
    doubt: str,
) -> Ownership:
    seen = look.scene.holders.get(device.uuid, frozenset())
    state, source, reason = _said(reading, doubt)
    if any(member.pid in seen for one in holders for member in one.members):
        state, source, reason = "held", "driver", ""
    elif holders:
        state, source, reason = "assigned", "kubelet", ""
    at = look.at if reading is None else min(look.at, reading.at)
    return Ownership(gpu=device.uuid, at=at, state=state, source=source, reason=reason)


def _said(reading: DeviceProcesses | None, doubt: str) -> tuple[State, str, str]:
    """Return what the driver's list alone says of a device that no allocation was found on."""
    if reading is None:
        return "unknown", "none", _NOT_LISTED
    if isinstance(reading.processes, Absent):
        return "unknown", "none", reading.processes.reason
    if reading.processes:
        return "unknown", "driver", _HIDDEN
    return ("unknown", "none", doubt) if doubt else ("free", "driver", "")


def _doubt(look: Look) -> str:
    """Return why a device without a process may be held all the same."""
    platforms = {one.platform for one in look.allocations}
    names = {one.name for one in look.scene.processes.values()}
    if "slurm" in platforms or names & _NAMED_SLURM:
        return _SLURM
    pods = "kubernetes" in platforms or "kubelet" in names
    return _KUBELET if pods and look.kubelet.state != "ok" else ""
