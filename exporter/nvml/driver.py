"""The NVML driver: handles by UUID, and one method per kind of reading."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from exporter.clock import Clock
from exporter.collectors.sight import Places
from exporter.kernel.pci import PciBus
from exporter.nvml.condition import Condition
from exporter.nvml.events import XidEvents
from exporter.nvml.gpm import Gpm
from exporter.nvml.identity import Handle, Identities
from exporter.nvml.library import TOO_OLD, Library, Refusal
from exporter.nvml.links import Links
from exporter.nvml.remainder import distinct, unidentified
from exporter.nvml.signals import SignalReader
from exporter.nvml.utilisation import ProcessUtilisation
from exporter.sampling import plausible
from exporter.sampling.calls import Calls
from exporter.sampling.driver import DriverAbsent, DriverError
from exporter.sampling.snapshot import (
    Absent,
    Activity,
    Device,
    DeviceProcess,
    DeviceProcesses,
    Health,
    Memory,
    MemoryUse,
    PowerUse,
    ProcessUse,
)
from exporter.sampling.unidentified import Unidentified

#: Linux gives no higher pid; a higher one means that driver and binding disagree on a structure.
_HIGHEST_PID: Final = 2**22
_MEMORY_V2: Final = 0x02000028
_PROCESS_LISTS: Final = (
    "nvmlDeviceGetComputeRunningProcesses",
    "nvmlDeviceGetGraphicsRunningProcesses",
)
_SLICED: Final = Absent(state="unsupported", reason="MIG is on: its instances list processes")


class NvmlDriver:
    """Answers for every NVIDIA card and MIG instance of this node."""

    name = "nvml"

    def __init__(self, clock: Clock, calls: Calls, places: Places) -> None:
        self._clock = clock
        self._library = Library(calls)
        self._identities = Identities(self._library, places)
        self._gpm = Gpm(self._library, clock)
        self._links = Links(self._library, clock)
        self._signals = SignalReader(self._library, self._gpm, self._links)
        self._events = XidEvents(self._library, clock)
        self._condition = Condition(self._library, clock)
        self._use = ProcessUtilisation(self._library, clock)
        self._bus = PciBus(Path(places.sys))
        self.moved = False
        self.unidentified: tuple[Unidentified, ...] = ()
        self._handles: dict[str, Handle] = {}
        #: Devices whose driver knows only the first form of the memory call.
        self._old_memory: set[str] = set()

    def open(self) -> None:
        """Load and initialise the library."""
        self._library.open()
        self._signals.opened()

    def close(self) -> None:
        """Free samples and queues and shut the library down."""
        try:
            self._gpm.keep(())
            self._events.close()
        except DriverError:
            self._handles.clear()
        self._library.close()

    def devices(self, spared: Mapping[int, tuple[Device, ...]]) -> tuple[Device, ...]:
        """Enumerate anew; raise :class:`DriverAbsent` when nothing at all is there."""
        self._library.refresh()
        self._old_memory.clear()
        self.moved = False
        found = tuple(distinct(self._identities.found(spared)))
        handles = [one for one in found if isinstance(one, Handle)]
        self.unidentified = unidentified(found, self._bus.functions())
        if not handles and not self.unidentified:
            raise DriverAbsent("the driver lists no GPU")
        self._handles = {item.device.uuid: item for item in handles if item.raw is not None}
        self._gpm.keep(self._handles)
        self._links.keep(self._handles)
        self._use.keep(self._handles)
        self._events.listen(self._handles.values())
        return tuple(item.device for item in handles)

    def activity(self, device: Device) -> Activity:
        """Read every activity signal and link."""
        signals = self._signals.read(self._handles[device.uuid])
        if device.parent and signals.lost:
            self.moved = True
        return Activity(
            gpu=device.uuid,
            at=self._clock.monotonic(),
            signals=signals.values,
            links=signals.links,
            clamped=tuple(signals.touched),
        )

    def memory(self, device: Device) -> MemoryUse:
        """Read used memory without what the driver reserves, where it can tell."""
        handle = self._handles[device.uuid]
        answer = self._ask_memory(handle)
        at = self._clock.monotonic()
        if isinstance(answer, Refusal):
            return MemoryUse(gpu=device.uuid, at=at, memory=answer.absent())
        used, total = int(answer.used), int(answer.total)
        if not plausible.memory(used, total):
            return MemoryUse(
                gpu=device.uuid, at=at, memory=plausible.IMPLAUSIBLE, clamped=("memory",)
            )
        return MemoryUse(gpu=device.uuid, at=at, memory=Memory(used=used, total=total))

    def _ask_memory(self, handle: Handle) -> Any:  # noqa: ANN401 - a foreign structure
        call = self._library.call
        if handle.device.uuid not in self._old_memory:
            answer = call(
                "nvmlDeviceGetMemoryInfo", handle.raw, target=handle.target, version=_MEMORY_V2
            )
            if not (isinstance(answer, Refusal) and answer.lasting):
                return answer
            self._old_memory.add(handle.device.uuid)
            self._library.retry("nvmlDeviceGetMemoryInfo", handle.target)
        return call("nvmlDeviceGetMemoryInfo", handle.raw, target=handle.target)

    def power(self, device: Device) -> PowerUse:
        """Read the board's power, limit, energy meter and throttle reasons."""
        return self._condition.power(self._handles[device.uuid])

    def health(self, device: Device) -> Health:
        """Read temperature, clock, ECC and remapped rows, and take the Xid events heard."""
        handle = self._handles[device.uuid]
        return self._condition.health(handle, self._events.take(device.uuid))

    def busy(self, device: Device) -> ProcessUse:
        """Read per-process utilisation, by pid."""
        busy = self._use.read(self._handles[device.uuid])
        clamped = ("tenant",) if busy is plausible.IMPLAUSIBLE else ()
        return ProcessUse(gpu=device.uuid, at=self._clock.monotonic(), busy=busy, clamped=clamped)

    def processes(self, device: Device) -> DeviceProcesses:
        """List compute and graphics processes, each pid once."""
        handle = self._handles[device.uuid]
        found = _SLICED if handle.sliced else self._list(handle)
        return DeviceProcesses(gpu=device.uuid, at=self._clock.monotonic(), processes=found)

    def _list(self, handle: Handle) -> tuple[DeviceProcess, ...] | Absent:
        memory: dict[int, int | None] = {}
        for name in _PROCESS_LISTS:
            answer = self._ask_list(handle, name)
            if isinstance(answer, Refusal):
                if name == _PROCESS_LISTS[0] or not answer.lasting:
                    return answer.absent()
                continue
            for item in answer:
                if not 0 < item.pid <= _HIGHEST_PID:
                    return plausible.IMPLAUSIBLE
                memory[int(item.pid)] = item.usedGpuMemory
        return tuple(DeviceProcess(pid=pid, memory=used) for pid, used in memory.items())

    def _ask_list(self, handle: Handle, name: str) -> Any:  # noqa: ANN401 - foreign structures
        """Drivers before R510 know the second form of the call alone."""
        answer = self._library.call(name, handle.raw, target=handle.target)
        if isinstance(answer, Refusal) and answer.code == TOO_OLD:
            return self._library.call(f"{name}_v2", handle.raw, target=handle.target)
        return answer
