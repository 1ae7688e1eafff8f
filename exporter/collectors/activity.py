"""Collects the activity signals and link flows, one reading per device."""

from exporter.collectors.sight import Sight
from exporter.sampling.snapshot import Activity, Cadence


class ActivityCollector:
    """Asks the driver once per device."""

    name = "activity"
    cadence: Cadence = "activity"

    def collect(self, sight: Sight) -> tuple[Activity, ...]:
        """Return one reading per device, lost ones included."""
        return tuple(sight.driver.activity(device) for device in sight.devices)
