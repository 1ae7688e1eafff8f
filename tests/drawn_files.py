"""The drawn scenarios of the suite, and the rules that each names."""

from pathlib import Path

from exporter.contract.scenario import Scenario
from reaper.app.past.drawn import rules_of
from reaper.config import load as configuration
from reaper.cycle.rules import Rules
from tests.project import ROOT

FOLDER = ROOT / "tests/scenarios/drawn"
DRAWN = sorted(FOLDER.glob("*.toml"))


def rules_for(scenario: Scenario, path: Path) -> Rules:
    """Return the rules of a scenario over the defaults, whoever runs the tests."""
    base = configuration(environ={"HOME": "/home/mira"})
    return rules_of(scenario, source=path, base=base, configured=False)[0]


def name_of_drawing(path: Path) -> str:
    """Return what a test of a drawing is called by."""
    return path.stem
