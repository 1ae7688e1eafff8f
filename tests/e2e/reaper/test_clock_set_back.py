"""The wall clock of a running reaper is set: turns go on, and the interlock trips at once."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project import ROOT

HERE = Path(__file__).parent
CONFIGURATION = """
cluster: sim
state_dir: {folder}/state
activity: {{targets: ["127.0.0.1:1=gpu01"], timeout: 1s}}
people: {{kind: unix}}
web: {{listen: "127.0.0.1:0", socket: {folder}/r.sock}}
"""


@dataclass
class Running:
    """A reaper behind a shifted clock."""

    page: str
    shift: Path

    def read(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://{self.page}{path}", timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def value(self, series: str) -> float:
        found = re.search(rf"^{re.escape(series)} (\S+)$", self.read("/metrics")[1], re.MULTILINE)
        return float(found[1]) if found else 0.0

    def turns(self) -> float:
        """Return how many turns were written; none while its page is just being opened anew."""
        try:
            return self.value('gpureaper_cycles_total{outcome="written"}')
        except OSError:
            return 0.0

    def after_turns(self, number: int, patience: float = 90.0) -> float:
        """Wait for so many more turns; return the seconds that it took."""
        wanted, began = self.turns() + number, time.monotonic()
        while self.turns() < wanted:
            assert time.monotonic() - began < patience, "no turn came"
            time.sleep(0.1)
        return time.monotonic() - began


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    library, shift = tmp_path / "shift.so", tmp_path / "shift"
    source = HERE / "clock_shift.c"
    subprocess.run(
        [
            "cc",
            "-O1",
            "-Wall",
            "-Werror",
            "-D_GNU_SOURCE",
            "-shared",
            "-fPIC",
            "-o",
            library,
            source,
        ],
        check=True,
    )
    (tmp_path / "gpu-reaper.yaml").write_text(CONFIGURATION.format(folder=tmp_path))
    environment = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "CLOCK_SHIFT": str(shift),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, str(HERE / "small_reaper.py"), str(tmp_path)]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        )
    assert process.stdout is not None
    try:
        yield Running(page=process.stdout.readline().strip(), shift=shift)
    finally:
        process.terminate()
        process.wait(90)
        process.stdout.close()


@pytest.mark.parametrize("step", [-300, 300])
def test_turns_go_on_and_the_interlock_trips(running: Running, step: int):
    running.after_turns(2)
    assert running.value('gpureaper_holds{kind="interlock"}') == 0

    running.shift.write_text(str(step))
    took = running.after_turns(2)

    assert took < 60
    assert running.value('gpureaper_holds{kind="interlock"}') >= 1
    assert 0.0 <= running.value("gpureaper_cycle_age_seconds") < 60
    assert running.read("/readyz") == (200, "ready\n")
