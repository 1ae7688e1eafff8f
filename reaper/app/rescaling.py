"""Times of any pace as those of a scenario, in which a minute is a minute."""

from dataclasses import dataclass

from exporter.contract.scenario import written
from reaper.domain.facts.grid import NORMAL, Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescaled:
    """What lies from `origin` to `end` (Unix seconds, on the grid of `pace`)."""

    origin: float
    end: float
    pace: Pace

    @property
    def scale(self) -> float:
        """Return by how much longer a minute of the scenario is than one of the pace."""
        return NORMAL.step / self.pace.step

    @property
    def start(self) -> float:
        """Return when the scenario starts, on a full minute; Unix seconds."""
        return self.origin // NORMAL.step * NORMAL.step

    @property
    def length(self) -> str:
        """Return how long the scenario lasts."""
        return self.offset(self.end)

    def offset(self, at: float) -> str:
        """Return a moment as a duration from the start, to the second."""
        return written(float(round((at - self.origin) * self.scale)))

    def lasting(self, seconds: float) -> str:
        """Return a duration of the pace as one of the scenario, to the second."""
        return written(float(round(seconds * self.scale)))
