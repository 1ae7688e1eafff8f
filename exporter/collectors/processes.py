"""Collects the processes that have a context on each device, by the driver's word."""

from exporter.collectors.sight import Sight
from exporter.sampling.snapshot import Cadence, DeviceProcesses


class ProcessesCollector:
    """Asks the driver once per device."""

    name = "processes"
    cadence: Cadence = "proc"

    def collect(self, sight: Sight) -> tuple[DeviceProcesses, ...]:
        """Return one reading per device, lost ones included."""
        return tuple(sight.driver.processes(device) for device in sight.devices)
