"""A small scenario as text, played on a clock that stands still."""

from pathlib import Path

from exporter.contract import scenario
from exporter.contract.stage import Stage
from exporter.simulation.driver import SimulatedDriver
from exporter.simulation.play import Play
from tests.exporter.fakes import StillClock

TEXT = """
version = 1
title = "one node"
start = 2026-03-02T09:00:00Z
step = "1m"

[[node]]
name = "gpu01"
gpus = ["A*2 H*60", "H*60", "E*60"]

[[node]]
name = "gpu02"
gpus = ["?*60", "!*60", "X*60", "L*60"]
profiling = false
model = "NVIDIA A40"

[[allocation]]
id = "42"
user = "mira"
holds = ["gpu01:0-1"]
begin = "-10m"
end = "30m"

[[allocation.sessions]]
kind = "shell"
inputs = ["-5m", "1m30s"]

[[allocation.sessions]]
kind = "vscode"
"""


class Scene:
    """A play with its clock at the scenario's start."""

    def __init__(self, folder: Path, node: str = "gpu01", text: str = TEXT):
        self.clock = StillClock()
        self.folder = folder
        self.holders = folder / "holders"
        self.play = Play(
            stage=Stage(scenario=scenario.load(text), origin=self.clock.wall(), state=folder),
            node=node,
            holders_file=self.holders,
            proc=folder / "proc",
        )
        self.driver = SimulatedDriver(self.play, self.clock)
        self.devices = self.driver.devices({})

    def live(self, *pids: int):
        """Let processes exist."""
        for pid in pids:
            (self.folder / "proc" / str(pid)).mkdir(parents=True, exist_ok=True)

    def end(self, pid: int):
        (self.folder / "proc" / str(pid)).rmdir()

    def release(self, allocation: str):
        (self.folder / "released").mkdir(exist_ok=True)
        (self.folder / "released" / allocation).touch()

    def letters(self) -> str:
        now = self.clock.wall()
        return "".join(self.play.letter(index, now) for index in range(len(self.devices)))
