"""Collects what each allocation costs its host, in seconds per resource."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from exporter.collectors.ownership import Ownership
from exporter.collectors.sight import Places, Sight
from exporter.kernel.pressure import Gauge, Named, Reading
from exporter.sampling.snapshot import Absent, Attribution, Cadence, Pressure
from exporter.sampling.sources import SourceState


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
            sources=_sources(found),
            pressures=tuple(
                Pressure(platform=platform, allocation=key, resource=resource, seconds=seconds)
                for (platform, key), reading in found.items()
                for resource, seconds in reading.items()
                if not isinstance(seconds, Absent)
            ),
        )


def _sources(found: Mapping[Named, Reading]) -> tuple[SourceState, ...]:
    """Say of each resource of which nothing is known why; nothing without allocations."""
    resources = {name for reading in found.values() for name in reading}
    return tuple(
        _source(name, [reading[name] for reading in found.values()]) for name in sorted(resources)
    )


def _source(resource: str, values: Sequence[float | Absent]) -> SourceState:
    reasons = sorted({one.reason for one in values if isinstance(one, Absent)})
    if len(reasons) == 0 or any(not isinstance(one, Absent) for one in values):
        return SourceState(source=f"pressure {resource}", state="ok")
    return SourceState(source=f"pressure {resource}", state="absent", reason="; ".join(reasons))
