"""Collects what each allocation costs its host, in seconds per resource."""

from pathlib import Path

from exporter.collectors.ownership import Ownership
from exporter.collectors.sight import Places, Sight
from exporter.pressure import Gauge
from exporter.snapshot import Absent, Attribution, Cadence, Pressure


class PressureCollector:
    """Publishes the resources that the kernel accounts; the others are absent."""

    name = "pressure"
    cadence: Cadence = "proc"

    def __init__(self, ownership: Ownership, places: Places) -> None:
        self._ownership = ownership
        self._gauge = Gauge(ownership.tree, Path(places.proc))

    def collect(self, sight: Sight) -> Attribution:
        """Return the seconds so far."""
        view = self._ownership.view(sight)
        with sight.calls.to("pressure"):
            found = self._gauge.read(view.allocations, sight.clock.monotonic())
        return Attribution(
            pressures=tuple(
                Pressure(allocation=key, resource=resource, seconds=seconds)
                for key, reading in found.items()
                for resource, seconds in reading.items()
                if not isinstance(seconds, Absent)
            )
        )
