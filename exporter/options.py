"""The command line as it was written: words and numbers, not yet looked at."""

from dataclasses import dataclass
from typing import Final

from exporter.collectors.sight import GRES_MAP, JOBSTATS_MAP
from exporter.sampling.frames import DriverName

#: Free of the ports that known exporters take by default.
DEFAULT_PORT: Final = 19440
#: Where `gpu-exporter release` finds the exporter of this node.
CONTROL: Final = "/run/gpu-exporter/control.sock"
#: The file that asks for a release, for tools that can only make files.
RELEASE_FILE: Final = "/run/gpu-exporter/release"
KERNEL_LOG: Final = "/dev/kmsg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The command line as it was written; see the help of each option for its meaning."""

    listen: str = f"127.0.0.1:{DEFAULT_PORT}"
    driver: DriverName = "nvml"
    node: str | None = None
    period: float | None = None
    call_timeout: float = 5.0
    people: bool = True
    web_config_file: str = ""
    max_requests: int = 40
    operator: tuple[str, ...] = ()
    control: str = CONTROL
    release_file: str = RELEASE_FILE
    kernel_log: str = KERNEL_LOG
    scenario: str = ""
    scenario_start: float | None = None
    holders: str = ""
    state: str = ""
    clock_rate: float = 1.0
    clock_epoch: float | None = None
    clock_file: str = ""
    proc_root: str = "/proc"
    sys_root: str = "/sys"
    cgroup_root: str = "/sys/fs/cgroup"
    gres_map: str = GRES_MAP
    jobstats_map: str = JOBSTATS_MAP
    dcgm_map: str = ""
    kubelet_socket: str = ""
    dcgm_url: str = ""
    dcgm_interval: float = 30.0
    dcgm_remote: bool = False
    once: bool = False
    debug_dump: bool = False
