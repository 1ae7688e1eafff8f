"""Collects device memory, one reading per device."""

from exporter.collectors.sight import Sight
from exporter.sampling.snapshot import Cadence, MemoryUse


class MemoryCollector:
    """Asks the driver once per device."""

    name = "memory"
    cadence: Cadence = "memory"

    def collect(self, sight: Sight) -> tuple[MemoryUse, ...]:
        """Return one reading per device, lost ones included."""
        return tuple(sight.driver.memory(device) for device in sight.devices)
