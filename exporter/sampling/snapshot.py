"""
The values that the worker sends to its parent: frozen, picklable, without judgement.

A quantity that could not be read is an :class:`Absent` with its reason, never zero.
Times called `at` are seconds of the exporter's monotonic clock; it is the same in both processes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from exporter.contract.catalog import SignalSource, SignalState
from exporter.kernel.network import Traffic
from exporter.sampling.ownership import Ownership
from exporter.sampling.sources import SourceState
from exporter.sampling.unidentified import Unidentified

Cadence = Literal["activity", "memory", "proc", "health"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """Identity of a GPU or MIG instance; empty text and None are unknown.

    `generation` changes when the driver is reloaded, the instance re-created or the node booted.
    `parent` is the UUID of the card that a MIG instance was cut from, `gpu_instance` its number
    there.  `mig_pending` says that a change of MIG mode waits for everybody to let the card go.
    """

    uuid: str
    index: int
    minor: int | None = None
    pci_bus_id: str = ""
    model: str = ""
    architecture: str = ""
    mig_profile: str = ""
    parent: str = ""
    gpu_instance: int | None = None
    generation: str = ""
    gres_index: str = ""
    gres_source: str = ""
    mig_pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """A quantity that could not be read, and why, in words for the operator."""

    state: SignalState
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A ratio of 0 to 1; a mean since the reading before where the source has one.

    `note` is for readers who must not take it for the whole truth, as of an upper bound.
    """

    value: float
    source: SignalSource
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Bytes per second out of and into the device, as means since the reading before."""

    sent: float
    received: float
    source: SignalSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """What one device did: a ratio or its absence per activity signal, a flow per link.

    `clamped` names the signals whose values were implausible and were cut or refused.
    """

    gpu: str
    at: float
    signals: Mapping[str, Measured | Absent]
    links: Mapping[str, Flow | Absent]
    clamped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Device memory in bytes."""

    used: int
    total: int
    source: SignalSource = "nvml"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """One device's memory, or why it is unknown."""

    gpu: str
    at: float
    memory: Memory | Absent
    clamped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerUse:
    """One board's power (watts), energy since the driver loaded (joules) and clock limits.

    `throttled` names the reasons for which clocks are held down at this moment.
    """

    gpu: str
    at: float
    power: float | Absent
    source: SignalSource = "nvml"
    limit: float | None = None
    energy: float | None = None
    throttled: tuple[str, ...] | None = None
    clamped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """One device's condition; None and missing kinds were not readable.

    `xids` counts the errors seen since the worker's last word: (number, wall time) each.
    """

    gpu: str
    at: float
    lost: bool
    temperature: float | None = None
    sm_clock: float | None = None
    ecc: Mapping[str, int] = field(default_factory=dict)
    remapped_rows: Mapping[str, int] = field(default_factory=dict)
    xids: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceProcess:
    """A process with a context on a device; `memory` in bytes, None where it is hidden."""

    pid: int
    memory: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceProcesses:
    """The processes of one device by the driver's word, or why they are unknown."""

    gpu: str
    at: float
    processes: tuple[DeviceProcess, ...] | Absent
    source: SignalSource = "nvml"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessUse:
    """Which processes kept a device busy since the call before: a ratio of 0 to 1 per pid.

    A pid that is missing was not busy.
    """

    gpu: str
    at: float
    busy: Mapping[int, float] | Absent
    clamped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantUse:
    """How busy each tenant of a shared device kept it, by (platform, allocation).

    All tenants are named, those that did nothing with 0; or why none is known.
    """

    gpu: str
    at: float
    tenants: Mapping[tuple[str, str], float] | Absent
    source: SignalSource = "nvml"
    clamped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A part (0 to 1) of a device held by an allocation; `allocation` is node_key text."""

    gpu: str
    platform: str
    allocation: str
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtSignal:
    """Whether every process that would receive `signal` (``"USR1"``) catches it.

    `target` is batch, step or pod.
    """

    platform: str
    allocation: str
    target: str
    signal: str
    caught: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Sessions of one kind in an allocation; `last_activity` is human input in Unix seconds.

    `last_activity` is None where nothing can prove it; `uid` is None where it is unknown;
    `doubtful` counts sessions whose terminal's times were set by hand.
    """

    platform: str
    allocation: str
    kind: str
    uid: int | None
    count: int = 1
    doubtful: int = 0
    last_activity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressure:
    """Seconds that the kernel has counted so far for an allocation; growth is added up.

    A fall, as after a process ended or a cgroup was re-created, begins anew.
    """

    platform: str
    allocation: str
    resource: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GresIndex:
    """A device's index in its scheduler's words and who says so."""

    gpu: str
    index: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Who holds the devices and what sits on them, as one collector sees it."""

    shares: tuple[Share, ...] = ()
    caught: tuple[CaughtSignal, ...] = ()
    sessions: tuple[Session, ...] = ()
    pressures: tuple[Pressure, ...] = ()
    traffic: tuple[Traffic, ...] = ()
    gres: tuple[GresIndex, ...] = ()
    ownership: tuple[Ownership, ...] = ()
    sources: tuple[SourceState, ...] = ()


Finding = (
    tuple[Activity, ...]
    | tuple[MemoryUse, ...]
    | tuple[PowerUse, ...]
    | tuple[Health, ...]
    | tuple[DeviceProcesses, ...]
    | tuple[TenantUse, ...]
    | Attribution
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One collector's turn; `finding` is None when it failed and `error` says why."""

    collector: str
    duration: float
    finding: Finding | None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The worker's answer to one request; `wall` is Unix seconds at the moment `at`.

    `driver` names the driver that answers; it is empty and `trouble` says why when none does.
    """

    at: float
    wall: float
    driver: str
    devices: tuple[Device, ...]
    turns: tuple[Turn, ...]
    unidentified: tuple[Unidentified, ...] = ()
    trouble: str = ""
    cpu_seconds: float = 0.0
    resident_bytes: int = 0
