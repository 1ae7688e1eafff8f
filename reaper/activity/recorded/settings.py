"""Settings of the recorded activity, as an operator writes them under ``activity``."""

from pathlib import Path
from typing import Literal

from exporter.contract.scenario import ScenarioError, load
from exporter.contract.stage import Stage
from reaper.ports import SourceError
from reaper.schema import Settings


class RecordedSettings(Settings):
    """A scenario file to play instead of asking exporters."""

    kind: Literal["recorded"] = "recorded"
    scenario: Path
    """A scenario (TOML)."""
    origin: float | None = None
    """Unix second at which it begins; without it, the time that the scenario names."""
    state: Path | None = None
    """Folder in which releases are noted, shared with other programs that play it."""

    def staged(self) -> Stage:
        """Read the scenario; raise SourceError with every mistake in it."""
        try:
            scenario = load(self.scenario.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, ScenarioError) as error:
            raise SourceError(f"scenario {self.scenario}: {error}") from None
        origin = scenario.start.timestamp() if self.origin is None else self.origin
        return Stage(scenario=scenario, origin=origin, state=self.state)
