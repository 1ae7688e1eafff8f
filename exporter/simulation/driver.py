"""
The driver that plays a scenario: letters become the values that such a device would show.

It needs no GPU, keeps no counters and is as blind as real hardware: a model without profiling
counters has none here either, and ``?`` does not answer.
"""

import math
from collections.abc import Mapping
from typing import Final

from exporter.clock import Clock
from exporter.contract.catalog import ACTIVITY_SIGNALS, LINKS
from exporter.contract.distortion import PROFILED, Shown, model
from exporter.contract.scenario import device_uuid
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Device,
    DeviceProcess,
    DeviceProcesses,
    Flow,
    Health,
    Measured,
    Memory,
    MemoryUse,
    PowerUse,
    ProcessUse,
)
from exporter.sampling.unidentified import Unidentified
from exporter.simulation.play import Play

_LOST: Final = Absent(state="lost", reason="the simulated device does not answer")
_UNPROFILED: Final = Absent(
    state="unsupported", reason="the simulated model has no profiling counters"
)
_UNMEASURED: Final = Absent(
    state="unsupported", reason="the simulated model has no utilisation, as a MIG instance"
)
_PAUSED: Final = Absent(state="paused", reason="the scenario draws that this signal is paused")
_UNTOLD: Final = Absent(
    state="unsupported", reason="the simulated device does not tell its processes apart"
)
#: No process has a pid above Linux's highest pid_max, so these are never mistaken for real ones.
_FIRST_PID: Final = 2**22 + 1


class SimulatedDriver:
    """Answers for the GPUs of one scenario node."""

    name = "simulated"
    moved = False
    unidentified: tuple[Unidentified, ...] = ()

    def __init__(self, play: Play, clock: Clock) -> None:
        self._play = play
        self._clock = clock
        self._node = play.part()
        self._model = model(self._node.model)

    def open(self) -> None:
        """Connect; a scenario is always there."""

    def close(self) -> None:
        """Let go; nothing is held."""

    def devices(self, spared: Mapping[int, tuple[Device, ...]]) -> tuple[Device, ...]:
        """Return the node's GPUs; their UUIDs are the same in every run."""
        return tuple(self._device(index) for index in range(len(self._node.tracks)))

    def _device(self, index: int) -> Device:
        uuid = device_uuid(self._node.name, index)
        return Device(
            uuid=uuid,
            index=index,
            minor=index,
            pci_bus_id=f"00000000:{index + 1:02X}:00.0",
            model=self._node.model,
            architecture=self._model.architecture,
            mig_profile=self._node.mig_profile,
            parent=self._node.card(uuid),
            generation="simulated",
            gres_index=str(index),
            gres_source="scenario",
        )

    def _shown(self, device: Device) -> Shown:
        return self._play.shown(device.index, self._clock.wall())

    def activity(self, device: Device) -> Activity:
        """Return the letter's ratios; profiling signals only where the model has them."""
        shown = self._shown(device)
        return Activity(
            gpu=device.uuid,
            at=self._clock.monotonic(),
            signals={name: self._signal(name, shown) for name in ACTIVITY_SIGNALS},
            links={name: self._flow(name, shown) for name in LINKS},
        )

    def _signal(self, name: str, shown: Shown) -> Measured | Absent:
        missing = self._missing(name, shown)
        if missing is not None:
            return missing
        return Measured(value=float(getattr(shown.look, name, 0.0)), source="simulated")

    def _flow(self, name: str, shown: Shown) -> Flow | Absent:
        missing = self._missing(name, shown)
        if missing is not None or shown.look is None:
            return missing or _LOST
        return Flow(sent=shown.look.link, received=shown.look.link, source="simulated")

    def _missing(self, name: str, shown: Shown) -> Absent | None:
        """Return why a signal is not there; None where it is."""
        if shown.look is None:
            return _LOST
        if name in PROFILED and not self._node.profiling:
            return _UNPROFILED
        if name == "engine" and not self._node.utilisation:
            return _UNMEASURED
        return _PAUSED if name in shown.paused else None

    def memory(self, device: Device) -> MemoryUse:
        """Return the letter's part of the model's memory."""
        shown = self._shown(device)
        look = shown.look
        memory: Memory | Absent = self._missing("memory", shown) or _LOST
        if look is not None and "memory" not in shown.paused:
            memory = Memory(
                used=int(look.memory * self._model.memory),
                total=self._model.memory,
                source="simulated",
            )
        return MemoryUse(gpu=device.uuid, at=self._clock.monotonic(), memory=memory)

    def power(self, device: Device) -> PowerUse:
        """Return the letter's part of the model's power, with a ripple of one percent."""
        at = self._clock.monotonic()
        shown = self._shown(device)
        look, missing = shown.look, self._missing("power", shown)
        if look is None or missing is not None:
            return PowerUse(gpu=device.uuid, at=at, power=missing or _LOST, source="simulated")
        ripple = 1 + 0.01 * math.sin(at / 7 + device.index)
        return PowerUse(
            gpu=device.uuid,
            at=at,
            power=round(look.power * self._model.power * ripple, 3),
            source="simulated",
            limit=self._model.power,
            throttled=(),
        )

    def health(self, device: Device) -> Health:
        """Return a temperature and clock that fit the letter."""
        at = self._clock.monotonic()
        look = self._shown(device).look
        if look is None:
            return Health(gpu=device.uuid, at=at, lost=True)
        return Health(
            gpu=device.uuid,
            at=at,
            lost=False,
            temperature=round(30 + 40 * look.power),
            sm_clock=1.755e9 if look.engine else 3.45e8,
            ecc={"corrected": 0, "uncorrected": 0},
            remapped_rows={"correctable": 0, "uncorrectable": 0, "pending": 0, "failed": 0},
        )

    def processes(self, device: Device) -> DeviceProcesses:
        """Return the holders file's processes, and an invented one where a context is drawn."""
        shown = self._shown(device)
        look, missing = shown.look, self._missing("processes", shown)
        found: tuple[DeviceProcess, ...] | Absent = missing or _LOST
        if look is not None and missing is None:
            pids = [item.pid for item in self._play.holders(device.index)]
            if look.seen and not pids:
                pids = [_FIRST_PID + device.index]
            each = int(look.memory * self._model.memory / max(1, len(pids)))
            found = tuple(DeviceProcess(pid=pid, memory=each) for pid in pids)
        return DeviceProcesses(
            gpu=device.uuid, at=self._clock.monotonic(), processes=found, source="simulated"
        )

    def busy(self, device: Device) -> ProcessUse:
        """Say that the processes are not told apart."""
        return ProcessUse(gpu=device.uuid, at=self._clock.monotonic(), busy=_UNTOLD)
