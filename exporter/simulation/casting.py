"""What the simulated driver needs of the command line: what is played, where, since when."""

from pathlib import Path

from exporter.clock import Clock
from exporter.contract import scenario
from exporter.contract.scenario import Scenario, ScenarioError
from exporter.options import Options
from exporter.sampling.frames import SimulatedSetup


class Casting:
    """Reads the options and adds to the mistakes."""

    def __init__(self, options: Options, mistakes: list[str]) -> None:
        self._options = options
        self._mistakes = mistakes

    def setup(self, node: str, clock: Clock) -> SimulatedSetup | None:
        """Return what is played; None with another driver."""
        options = self._options
        if options.driver != "simulated":
            for name in ("scenario", "holders", "state"):
                if getattr(options, name):
                    self._mistakes.append(f"--{name}: only with --driver simulated")
            return None
        played = self._scenario()
        return SimulatedSetup(
            scenario=str(Path(options.scenario).absolute()),
            node=self._node(node, played) if played else node,
            origin=self._origin(clock),
            holders=options.holders,
            state=options.state,
        )

    def _scenario(self) -> Scenario | None:
        path = self._options.scenario
        if not path:
            self._mistakes.append("--scenario: name the scenario file that is to be played")
            return None
        try:
            return scenario.load(Path(path).read_text())
        except OSError as error:
            self._mistakes.append(f"--scenario {path}: {error.strerror}")
        except (ScenarioError, UnicodeDecodeError) as error:
            self._mistakes.append(f"--scenario {path}: {error}")
        return None

    def _node(self, node: str, played: Scenario) -> str:
        names = [item.name for item in played.nodes]
        if node in names:
            return node
        if not self._options.node and len(names) == 1:
            return names[0]
        self._mistakes.append(f"--node {node}: the scenario has {', '.join(names) or 'no node'}")
        return node

    def _origin(self, clock: Clock) -> float:
        if self._options.scenario_start is not None:
            return self._options.scenario_start
        return self._options.clock_epoch or clock.wall()
