"""What a collector is given and what it must offer."""

from dataclasses import dataclass, field
from typing import Final, Protocol

from exporter.clock import Clock
from exporter.sampling.calls import Calls
from exporter.sampling.driver import Driver
from exporter.sampling.snapshot import Cadence, Device, DeviceProcesses, Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a collector may look at in one turn.

    `processes` is the latest answer of the processes collector, from this very round when both
    are due.  `avoided` names targets (``"gpu 3"``, ``"pid 71"``) whose last call never returned:
    leave them alone and say so.
    """

    driver: Driver
    devices: tuple[Device, ...]
    processes: tuple[DeviceProcesses, ...]
    clock: Clock
    calls: Calls
    avoided: frozenset[str] = field(default_factory=frozenset)


class Collector(Protocol):
    """A kind of fact; `name` is its label on the page, `cadence` how often it is due."""

    name: str
    cadence: Cadence

    def collect(self, sight: Sight) -> Finding:
        """Look once; raise only when nothing at all could be read."""


#: Our own map of GRES indices; the folder that jobstats' prolog keeps.
GRES_MAP: Final = "/run/gpu-exporter/gres"
JOBSTATS_MAP: Final = "/run/gpustat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the kernel's views and the node's own files are; tests pass trees of their own.

    `node` is the Slurm node that this exporter speaks for; empty where the host has but one.
    The maps are folders that a prolog keeps; an empty one is not looked at.
    """

    node: str = ""
    proc: str = "/proc"
    sys: str = "/sys"
    cgroup: str = "/sys/fs/cgroup"
    dev: str = "/dev"
    slurmd: str = "slurmd"
    gres_map: str = GRES_MAP
    jobstats_map: str = JOBSTATS_MAP
    dcgm_map: str = ""
    kubelet: str = ""
    pod_logs: str = "/var/log/pods"
