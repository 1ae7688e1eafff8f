"""What an operator writes under ``recorded:`` in the configuration."""

from pathlib import Path
from typing import Literal

from exporter.contract.scenario import ScenarioError, load
from exporter.contract.stage import Stage
from reaper.edge.files import read_text
from reaper.ports import SourceError
from reaper.schema import Settings


class RecordedPlatformSettings(Settings):
    """The scenario to play instead of asking a scheduler."""

    scenario: Path
    """A scenario (TOML)."""
    origin: float | None = None
    """Unix second at which it begins; without it, the time that the scenario names."""
    state: Path | None = None
    """Folder in which releases are noted, shared with exporters that play it."""
    places: Literal["uuid", "index"] = "uuid"
    """How claims name devices; by GRES index each must first be confirmed, as on Slurm."""

    def staged(self) -> Stage:
        """Read the scenario; raise SourceError with every mistake in it."""
        try:
            scenario = load(read_text(self.scenario))
        except (OSError, UnicodeDecodeError, ScenarioError) as error:
            raise SourceError(f"scenario {self.scenario}: {error}") from None
        origin = scenario.start.timestamp() if self.origin is None else self.origin
        return Stage(scenario=scenario, origin=origin, state=self.state)
