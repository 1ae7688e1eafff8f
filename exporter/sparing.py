"""
A driver in front of the driver: cards whose last call never returned are answered for, untouched.

So one hanging card costs the others a few seconds, once, and not their measurement.
"""

from collections.abc import Mapping
from typing import Final

from exporter.clock import Clock
from exporter.contract.catalog import ACTIVITY_SIGNALS, LINKS
from exporter.driver import Driver
from exporter.snapshot import (
    Absent,
    Activity,
    Device,
    DeviceProcesses,
    Health,
    MemoryUse,
    PowerUse,
)

_LOST: Final = Absent(
    state="lost", reason="a driver call on this device did not return; it is left alone for a while"
)


class SparingDriver:
    """Passes calls on, except for the devices it spares."""

    def __init__(self, inner: Driver, spared: frozenset[str], clock: Clock) -> None:
        self.name = inner.name
        self._inner = inner
        self._spared = spared
        self._clock = clock

    @classmethod
    def over(cls, inner: Driver, spared: Mapping[int, tuple[Device, ...]], clock: Clock) -> Driver:
        """Return `inner` itself when nothing is to be spared."""
        uuids = frozenset(device.uuid for devices in spared.values() for device in devices)
        return cls(inner, uuids, clock) if uuids else inner

    def open(self) -> None:
        """Connect the driver behind."""
        self._inner.open()

    def close(self) -> None:
        """Close the driver behind."""
        self._inner.close()

    def devices(self, spared: Mapping[int, tuple[Device, ...]]) -> tuple[Device, ...]:
        """Enumerate through the driver behind."""
        return self._inner.devices(spared)

    def activity(self, device: Device) -> Activity:
        """Read, or say that every signal is lost."""
        if device.uuid not in self._spared:
            return self._inner.activity(device)
        return Activity(
            gpu=device.uuid,
            at=self._clock.monotonic(),
            signals=dict.fromkeys(ACTIVITY_SIGNALS, _LOST),
            links=dict.fromkeys(LINKS, _LOST),
        )

    def memory(self, device: Device) -> MemoryUse:
        """Read, or say that it is lost."""
        if device.uuid not in self._spared:
            return self._inner.memory(device)
        return MemoryUse(gpu=device.uuid, at=self._clock.monotonic(), memory=_LOST)

    def power(self, device: Device) -> PowerUse:
        """Read, or say that it is lost."""
        if device.uuid not in self._spared:
            return self._inner.power(device)
        return PowerUse(gpu=device.uuid, at=self._clock.monotonic(), power=_LOST)

    def health(self, device: Device) -> Health:
        """Read, or say that the device is lost."""
        if device.uuid not in self._spared:
            return self._inner.health(device)
        return Health(gpu=device.uuid, at=self._clock.monotonic(), lost=True)

    def processes(self, device: Device) -> DeviceProcesses:
        """Read, or say that they are unknown."""
        if device.uuid not in self._spared:
            return self._inner.processes(device)
        return DeviceProcesses(gpu=device.uuid, at=self._clock.monotonic(), processes=_LOST)
