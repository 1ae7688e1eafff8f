"""Collects temperature, clocks, ECC, remapped rows and Xid errors, one reading per device."""

from exporter.collectors.sight import Sight
from exporter.sampling.snapshot import Cadence, Health


class HealthCollector:
    """Asks the driver once per device."""

    name = "health"
    cadence: Cadence = "health"

    def collect(self, sight: Sight) -> tuple[Health, ...]:
        """Return one reading per device, lost ones included."""
        return tuple(sight.driver.health(device) for device in sight.devices)
