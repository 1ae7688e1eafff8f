"""Collects power, energy and throttle reasons, one reading per device."""

from exporter.collectors.sight import Sight
from exporter.sampling.snapshot import Cadence, PowerUse


class PowerCollector:
    """Asks the driver once per device."""

    name = "power"
    cadence: Cadence = "memory"

    def collect(self, sight: Sight) -> tuple[PowerUse, ...]:
        """Return one reading per device, lost ones included."""
        return tuple(sight.driver.power(device) for device in sight.devices)
