"""
What a driver can be asked, and the ways in which it says no.

DriverError
├── DriverAbsent    no library, no kernel module, no device: try again later
└── DriverRestarted the handles are void (reload, mismatch): open again

Everything else that a single call may answer (not supported, lost, blank) is a value.
"""

from collections.abc import Mapping
from typing import Protocol

from exporter.sampling.snapshot import (
    Activity,
    Device,
    DeviceProcesses,
    Health,
    MemoryUse,
    PowerUse,
    ProcessUse,
)
from exporter.sampling.unidentified import Unidentified


class DriverError(Exception):
    """The driver as a whole does not serve; the message says what to do."""


class DriverAbsent(DriverError):
    """There is no driver or no device to talk to."""


class DriverRestarted(DriverError):
    """The driver went away under us; every handle is void."""


class Driver(Protocol):
    """One vendor's devices on this node; all methods may block and run in the worker only."""

    name: str

    def open(self) -> None:
        """Connect; raise :class:`DriverAbsent` with one clear sentence."""

    def close(self) -> None:
        """Let every handle and device file go."""

    def devices(self, spared: Mapping[int, tuple[Device, ...]]) -> tuple[Device, ...]:
        """Enumerate cards and MIG instances anew.

        `spared` maps the index of a card whose last call never returned to the identities last
        known of it: they are listed and the card is not touched.
        """

    @property
    def unidentified(self) -> tuple[Unidentified, ...]:
        """Return what the last enumeration counted and could not identify."""

    @property
    def moved(self) -> bool:
        """Say whether an answer since then hints that devices came or went."""

    def activity(self, device: Device) -> Activity:
        """Read the activity signals; means since the call before where the device has them."""

    def memory(self, device: Device) -> MemoryUse:
        """Read used and total memory."""

    def power(self, device: Device) -> PowerUse:
        """Read power, limit, energy and the reasons for which clocks are held down."""

    def health(self, device: Device) -> Health:
        """Read temperature, clocks, ECC, remapped rows and new Xid errors."""

    def processes(self, device: Device) -> DeviceProcesses:
        """List the processes that have a context on the device."""

    def busy(self, device: Device) -> ProcessUse:
        """Tell how busy each process kept the device since the call before."""
