"""What to do about a signal or a source that does not work; empty where nothing can be done."""

from collections.abc import Mapping
from typing import Final

from exporter.sampling.snapshot import Device

_PROFILED: Final = frozenset({"sm", "tensor", "dram"})
#: Architectures whose activity the driver's library does not show, but a profiler's page does.
_BEFORE_HOPPER: Final = frozenset({"volta", "turing", "ampere", "ada"})
_BY_STATE: Final[Mapping[str, str]] = {
    "lost": "docs/runbooks/gpu-lost.md; for a reset: gpu-exporter release, then nvidia-smi -r",
    "stale": "if it stays: docs/runbooks/driver-stuck.md",
    "paused": "it comes back by itself",
}
_BY_SOURCE: Final[Mapping[str, str]] = {
    "kernel_log": "give CAP_SYSLOG (kernel-log.conf.example), or --kernel-log a file it may read",
    "kubelet": "on Kubernetes: mount the socket and give --kubelet-socket; else nothing",
    "gres": "write the order down: a file <index> in --gres-map for each GPU, with its UUID",
    "network": "show it the host's /sys (--sys-root): without it a slow download looks quiet",
    "node_name": "start it with --node and the name that Slurm gives this node",
    "pressure block_io": "sysctl kernel.task_delayacct=1",
    "pressure cpu_stall": "boot with cgroup v2 and psi=1",
    "pressure io_stall": "boot with cgroup v2 and psi=1",
    "pressure memory_stall": "boot with cgroup v2 and psi=1",
}


def of_signal(signal: str, state: str, reason: str, device: Device) -> str:
    """Return what to do about a signal that is not ok."""
    if state != "unsupported":
        return _BY_STATE.get(state, "")
    if "refuses it to this user" in reason:
        return "docs/rights.md: let the account open the devices; on MIG, monitor instances"
    if "too old" in reason:
        return "a newer driver has it"
    if signal in _PROFILED and device.architecture in _BEFORE_HOPPER and not device.parent:
        return "run dcgm-exporter with the profiling fields on this node and give --dcgm-url"
    return ""


def of_source(source: str) -> str:
    """Return what to do about a source that is not ok."""
    return _BY_SOURCE.get(source, "")
