"""
A driver in front of the driver: cards that hang or are dead are answered for, untouched.

So one hanging card costs the others a few seconds, once, and not their measurement.
"""

from collections.abc import Mapping

from exporter.clock import Clock
from exporter.contract.catalog import ACTIVITY_SIGNALS, LINKS
from exporter.sampling.driver import Driver
from exporter.sampling.frames import Ask
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Device,
    DeviceProcesses,
    Health,
    MemoryUse,
    PowerUse,
    ProcessUse,
)
from exporter.sampling.unidentified import Unidentified

_LEFT_ALONE = "this device is left alone"


class CircuitBreaker:
    """Passes calls on, except for the devices it spares."""

    def __init__(self, inner: Driver, lost: Mapping[str, Absent], clock: Clock) -> None:
        self.name = inner.name
        self._inner = inner
        self._lost = lost
        self._clock = clock

    @classmethod
    def over(cls, inner: Driver, ask: Ask, clock: Clock) -> Driver:
        """Return `inner` itself when nothing is to be spared."""
        lost = {
            device.uuid: Absent(state="lost", reason=ask.reasons.get(card, _LEFT_ALONE))
            for card, devices in ask.spared.items()
            for device in devices
        }
        return cls(inner, lost, clock) if lost else inner

    def open(self) -> None:
        """Connect the driver behind."""
        self._inner.open()

    def close(self) -> None:
        """Close the driver behind."""
        self._inner.close()

    def devices(self, spared: Mapping[int, tuple[Device, ...]]) -> tuple[Device, ...]:
        """Enumerate through the driver behind."""
        return self._inner.devices(spared)

    @property
    def unidentified(self) -> tuple[Unidentified, ...]:
        """Ask the driver behind."""
        return self._inner.unidentified

    @property
    def moved(self) -> bool:
        """Ask the driver behind."""
        return self._inner.moved

    def activity(self, device: Device) -> Activity:
        """Read, or say that every signal is lost."""
        lost = self._lost.get(device.uuid)
        if lost is None:
            return self._inner.activity(device)
        return Activity(
            gpu=device.uuid,
            at=self._clock.monotonic(),
            signals=dict.fromkeys(ACTIVITY_SIGNALS, lost),
            links=dict.fromkeys(LINKS, lost),
        )

    def memory(self, device: Device) -> MemoryUse:
        """Read, or say that it is lost."""
        lost = self._lost.get(device.uuid)
        if lost is None:
            return self._inner.memory(device)
        return MemoryUse(gpu=device.uuid, at=self._clock.monotonic(), memory=lost)

    def power(self, device: Device) -> PowerUse:
        """Read, or say that it is lost."""
        lost = self._lost.get(device.uuid)
        if lost is None:
            return self._inner.power(device)
        return PowerUse(gpu=device.uuid, at=self._clock.monotonic(), power=lost)

    def health(self, device: Device) -> Health:
        """Read, or say that the device is lost."""
        if device.uuid not in self._lost:
            return self._inner.health(device)
        return Health(gpu=device.uuid, at=self._clock.monotonic(), lost=True)

    def processes(self, device: Device) -> DeviceProcesses:
        """Read, or say that they are unknown."""
        lost = self._lost.get(device.uuid)
        if lost is None:
            return self._inner.processes(device)
        return DeviceProcesses(gpu=device.uuid, at=self._clock.monotonic(), processes=lost)

    def busy(self, device: Device) -> ProcessUse:
        """Read, or say that it is lost."""
        lost = self._lost.get(device.uuid)
        if lost is None:
            return self._inner.busy(device)
        return ProcessUse(gpu=device.uuid, at=self._clock.monotonic(), busy=lost)
