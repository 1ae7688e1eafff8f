"""
The reaper as a process of its own, at a pace at which a story takes minutes instead of hours.

    python -m tests.real.e2e.reaper_process <configuration>

All but the pace is the program itself; a configuration file cannot set it.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from reaper.app.running import run
from reaper.config import load
from reaper.domain.facts.grid import Pace
from tests.project import ROOT

PACE: Final = Pace(step=2.0, startup=4.0, verify=6.0, observe=0.0)
STARTS_WITHIN: Final = 60.0


class ReaperProcess:
    """One reaper after another over the same store; each may be killed and is then replaced."""

    def __init__(self, configuration: Path, environment: Mapping[str, str], log: Path) -> None:
        self.starts: list[float] = []
        """Unix seconds of every start."""
        self._command = (sys.executable, "-m", __name__, str(configuration))
        self._environment = dict(environment)
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        self.starts.append(time.time())
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log
            )

    def revive(self) -> None:
        """Start it again where it was killed; fail where it ended in any other way."""
        if self._process is None or self.alive:
            return
        assert self._process.returncode == -signal.SIGKILL, self.log()
        self.start()

    def kill(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """Ask it to end and return its status."""
        if self._process is None:
            return 0
        self._process.terminate()
        try:
            return self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise

    def log(self) -> str:
        return self._log.read_text(errors="replace")[-6000:]


def main(path: Path) -> None:
    """Run the reaper of a configuration."""
    logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for chatty in ("apscheduler", "aiosqlite", "sqlalchemy"):
        logging.getLogger(chatty).setLevel("WARNING")
    asyncio.run(run(load(path, pace=PACE), pace=PACE))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
