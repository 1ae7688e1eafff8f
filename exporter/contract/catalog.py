"""
Every metric family of the exporter: its exposed name, kind, labels and meaning.

Names are a frozen contract; :data:`VERSION` grows when one changes, and a reader accepts
the version before it too.  Base units only: seconds, bytes, watts, joules, ratios of 0 to 1.
"""

from dataclasses import dataclass
from typing import Final, Literal

VERSION: Final = 2

#: Activity levels (ratio of 0 to 1) above which seconds are counted; the lowest is the noise floor.
EDGES: Final[tuple[str, ...]] = ("0.005", "0.02", "0.05", "0.2")

#: Activity signals, each with its own observed and active seconds.
ACTIVITY_SIGNALS: Final[tuple[str, ...]] = ("sm", "tensor", "dram", "engine", "codec")

#: Byte flows that count as work when above their floor.
LINKS: Final[tuple[str, ...]] = ("pcie", "nvlink")

#: Every signal that ``gpunode_signal_info`` and ``gpunode_observed_seconds_total`` speak of.
SIGNALS: Final[tuple[str, ...]] = (*ACTIVITY_SIGNALS, *LINKS, "memory", "power", "processes")

#: Of devices that several allocations share, and of those alone: who of them was busy.
TENANT: Final = "tenant"

SignalState = Literal["ok", "paused", "stale", "unsupported", "lost"]
SignalSource = Literal["counter", "gpm", "dcgm", "nvml", "proc", "simulated", "none"]
Kind = Literal["counter", "gauge"]
Page = Literal["metrics", "people"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One metric family: `name` is exactly what the page shows."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    help: str
    page: Page = "metrics"


def _counter(name: str, labels: str, text: str) -> Family:
    return Family(name=name, kind="counter", labels=tuple(labels.split()), help=text)


def _gauge(name: str, labels: str, text: str, page: Page = "metrics") -> Family:
    return Family(name=name, kind="gauge", labels=tuple(labels.split()), help=text, page=page)


BUILD_INFO: Final = _gauge(
    "gpunode_exporter_build_info",
    "version contract driver",
    "1; version of the program, of this contract, and the driver in use (nvml, simulated, none).",
)
EXPORTER_START: Final = _gauge(
    "gpunode_exporter_start_timestamp_seconds", "", "When it started; a change resets its counters."
)
NODE_INFO: Final = _gauge(
    "gpunode_node_info",
    "node boot",
    "1; the node's name as its scheduler knows it, and its boot identity.",
)
INFO: Final = _gauge(
    "gpunode_info",
    "gpu index minor pci_bus_id gres_index gres_source model architecture mig_profile parent "
    "generation",
    "1; identity of a GPU or MIG instance; empty labels are unknown.",
)
SIGNAL_INFO: Final = _gauge(
    "gpunode_signal_info",
    "gpu signal source state reason",
    "1; where a signal comes from and whether it can be read; absence always has a reason.",
)
SAMPLE_TIMESTAMP: Final = _gauge(
    "gpunode_sample_timestamp_seconds",
    "gpu",
    "When the device's counters were last advanced, by the node's clock.",
)
OBSERVED: Final = _counter(
    "gpunode_observed_seconds_total",
    "gpu signal",
    "Seconds in which the signal was really read; coverage is its growth over elapsed time.",
)
SM_ACTIVE: Final = _counter(
    "gpunode_sm_active_seconds_total", "gpu", "Integral of the share of multiprocessors with work."
)
TENSOR_ACTIVE: Final = _counter(
    "gpunode_tensor_active_seconds_total", "gpu", "Integral of the tensor pipes' activity."
)
DRAM_ACTIVE: Final = _counter(
    "gpunode_dram_active_seconds_total", "gpu", "Integral of the memory interface's activity."
)
ENGINE_ACTIVE: Final = _counter(
    "gpunode_engine_active_seconds_total",
    "gpu",
    "Integral of the driver's utilisation: a kernel was resident, whether or not it worked.",
)
CODEC_ACTIVE: Final = _counter(
    "gpunode_codec_active_seconds_total", "gpu", "Integral of the busiest video engine's activity."
)
ACTIVITY_ABOVE: Final = _counter(
    "gpunode_activity_above_seconds_total",
    "gpu edge",
    "Seconds in which the busiest signal but utilisation exceeded the edge (ratio).",
)
LINK_BYTES: Final = _counter(
    "gpunode_link_bytes_total", "gpu link direction", "Bytes moved over PCIe or NVLink."
)
MEMORY_USED: Final = _gauge("gpunode_memory_used_bytes", "gpu", "Device memory in use.")
MEMORY_TOTAL: Final = _gauge("gpunode_memory_total_bytes", "gpu", "Device memory in all.")
POWER: Final = _gauge("gpunode_power_watts", "gpu", "Board power; absent on MIG instances.")
POWER_LIMIT: Final = _gauge("gpunode_power_limit_watts", "gpu", "Enforced board power limit.")
ENERGY: Final = _counter(
    "gpunode_energy_joules_total", "gpu", "Board energy, integrated since the exporter started."
)
TEMPERATURE: Final = _gauge("gpunode_temperature_celsius", "gpu", "GPU temperature.")
SM_CLOCK: Final = _gauge("gpunode_sm_clock_hertz", "gpu", "Current SM clock.")
THROTTLED: Final = _counter(
    "gpunode_throttled_seconds_total", "gpu reason", "Seconds in which clocks were held down."
)
XID: Final = _counter("gpunode_xid_errors_total", "gpu xid", "Xid errors seen, by number.")
XID_LAST: Final = _gauge(
    "gpunode_xid_last_timestamp_seconds", "gpu xid", "When the Xid was last seen."
)
ECC: Final = _counter(
    "gpunode_ecc_errors_total", "gpu kind", "ECC errors since the driver loaded, by kind."
)
ROW_REMAP: Final = _gauge(
    "gpunode_remapped_rows",
    "gpu kind",
    "Rows remapped (correctable, uncorrectable, pending, failed).",
)
DEVICE_LOST: Final = _gauge("gpunode_device_lost", "gpu", "1 while the device does not answer.")
UNIDENTIFIED: Final = _gauge(
    "gpunode_unidentified_device",
    "index mig pci_bus_id reason",
    "1; a card or MIG instance that is counted and cannot be told by a UUID, and why.",
)
PROCESSES: Final = _gauge(
    "gpunode_processes", "gpu", "Processes with a context on the device, by the driver's word."
)
ALLOCATION_SHARE: Final = _gauge(
    "gpunode_allocation_share",
    "gpu platform allocation",
    "Share (0 to 1) of the device held by processes of an allocation; see the node_key grammar.",
)
ALLOCATION_ENGINE: Final = _counter(
    "gpunode_allocation_engine_active_seconds_total",
    "gpu platform allocation",
    "Integral of the driver's utilisation by processes of an allocation; on shared devices, where "
    "the driver tells processes apart. Observed seconds carry the signal tenant.",
)
CATCHES_SIGNAL: Final = _gauge(
    "gpunode_allocation_catches_signal",
    "platform allocation target signal",
    "1 if every process that would receive the signal catches it, else 0.",
)
PRESSURE: Final = _counter(
    "gpunode_allocation_pressure_seconds_total",
    "platform allocation resource",
    "Seconds of CPU use or of waiting, per allocation; absent where the kernel does not say.",
)
NETWORK: Final = _counter(
    "gpunode_network_bytes_total",
    "device direction",
    "Bytes that the node's network and InfiniBand cards moved, for whomever, since they came up.",
)
DRIVER_UP: Final = _gauge("gpunode_driver_up", "", "1 while the driver answers.")
DRIVER_STUCK: Final = _gauge(
    "gpunode_driver_call_stuck_seconds", "call", "Age of a driver call that has not returned."
)
RELEASE_UNTIL: Final = _gauge(
    "gpunode_release_until_timestamp_seconds",
    "by reason",
    "When the driver, which is let go on request, is taken up again; absent while it is in use.",
)
SOURCE_INFO: Final = _gauge(
    "gpunode_source_info",
    "source state reason",
    "1; whether a source of the node can be read (ok, off, absent, failing), and why not.",
)
OWNERSHIP_INFO: Final = _gauge(
    "gpunode_ownership_info",
    "gpu state source reason",
    "1; what is known of a device's holder (held, assigned, free, unknown), by whose word.",
)
OWNERSHIP_AGE: Final = _gauge(
    "gpunode_ownership_age_seconds", "gpu", "Age of the look that the ownership comes from."
)
COLLECTOR_SUCCESS: Final = _gauge(
    "gpunode_collector_success", "collector", "1 if its last turn succeeded."
)
COLLECTOR_DURATION: Final = _gauge(
    "gpunode_collector_duration_seconds", "collector", "How long the collector's last turn took."
)
SAMPLE_AGE: Final = _gauge(
    "gpunode_last_sample_age_seconds", "", "Age of the driver's youngest answer."
)
SELF_CPU: Final = _counter(
    "gpunode_exporter_cpu_seconds_total", "", "CPU time of the exporter and its worker."
)
SELF_MEMORY: Final = _gauge(
    "gpunode_exporter_resident_memory_bytes", "", "Resident memory of the exporter and its worker."
)
CLAMPED: Final = _counter(
    "gpunode_clamped_values_total", "gpu signal", "Implausible values that were cut or refused."
)
SESSION_ACTIVITY: Final = _gauge(
    "gpunode_session_last_activity_timestamp_seconds",
    "platform allocation kind uid",
    "Last human activity in a session, rounded to minutes; NaN where nothing can prove it.",
    page="people",
)
SESSIONS: Final = _gauge(
    "gpunode_sessions", "platform allocation kind uid", "Sessions of a kind.", page="people"
)
DOUBTFUL: Final = _gauge(
    "gpunode_sessions_doubtful",
    "platform allocation kind uid",
    "Sessions whose terminal's times were set by hand, so that they prove nothing.",
    page="people",
)

FAMILIES: Final[tuple[Family, ...]] = (
    BUILD_INFO,
    EXPORTER_START,
    NODE_INFO,
    INFO,
    SIGNAL_INFO,
    SAMPLE_TIMESTAMP,
    OBSERVED,
    SM_ACTIVE,
    TENSOR_ACTIVE,
    DRAM_ACTIVE,
    ENGINE_ACTIVE,
    CODEC_ACTIVE,
    ACTIVITY_ABOVE,
    LINK_BYTES,
    MEMORY_USED,
    MEMORY_TOTAL,
    POWER,
    POWER_LIMIT,
    ENERGY,
    TEMPERATURE,
    SM_CLOCK,
    THROTTLED,
    XID,
    XID_LAST,
    ECC,
    ROW_REMAP,
    DEVICE_LOST,
    UNIDENTIFIED,
    PROCESSES,
    ALLOCATION_SHARE,
    ALLOCATION_ENGINE,
    CATCHES_SIGNAL,
    PRESSURE,
    NETWORK,
    OWNERSHIP_INFO,
    OWNERSHIP_AGE,
    DRIVER_UP,
    DRIVER_STUCK,
    RELEASE_UNTIL,
    SOURCE_INFO,
    COLLECTOR_SUCCESS,
    COLLECTOR_DURATION,
    SAMPLE_AGE,
    SELF_CPU,
    SELF_MEMORY,
    CLAMPED,
    SESSION_ACTIVITY,
    SESSIONS,
    DOUBTFUL,
)

#: Which counter holds the active seconds of an activity signal.
ACTIVE_COUNTERS: Final[dict[str, Family]] = {
    "sm": SM_ACTIVE,
    "tensor": TENSOR_ACTIVE,
    "dram": DRAM_ACTIVE,
    "engine": ENGINE_ACTIVE,
    "codec": CODEC_ACTIVE,
}

#: Session kinds that ``/metrics/people`` speaks of.
SESSION_KINDS: Final[tuple[str, ...]] = (
    "shell",
    "tmux",
    "screen",
    "jupyter",
    "code-server",
    "vscode",
    "rstudio",
    "desktop",
    "ssh",
    "keeper",
)
