"""
The programs of a rig, all children of the tests.

Each dies with the tests (`setpriv --pdeathsig`), so that a killed run leaves nothing behind.
Their state is a scratch folder: they are ended by SIGKILL, which is quick.
"""

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.real.kubernetes.api import PATIENCE
from tests.real.slurm_machine import PATH


class Children:
    """Programs by name; what each says is in `<name>.log`."""

    def __init__(self, logs: Path, environment: Mapping[str, str] | None = None) -> None:
        self._logs = logs
        self._environment = {**os.environ, "PATH": PATH, **(environment or {})}
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        logs.mkdir(parents=True, exist_ok=True)

    def start(self, name: str, *argv: str | Path) -> None:
        """Start a program, or start it again."""
        with self._log_path(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                ("setpriv", "--pdeathsig", "KILL", *map(str, argv)),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def await_ready(self, name: str, ready: Callable[[], bool]) -> None:
        """Wait until a program answers; fail with its log when it ends or stays silent."""
        until = time.monotonic() + PATIENCE
        while not ready():
            child = self._running[name]
            assert child.poll() is None, f"{name} ended with {child.returncode}: {self.log(name)}"
            assert time.monotonic() < until, f"{name} does not answer: {self.log(name)}"
            time.sleep(0.05)

    def pid(self, name: str) -> int:
        """Return the process id of a program."""
        return self._running[name].pid

    def kill(self, *names: str) -> None:
        """End programs at once, all of them without names, and wait until they are gone."""
        children = [self._running.pop(name) for name in names or tuple(self._running)]
        for child in children:
            child.kill()
        for child in children:
            child.wait()

    def log(self, name: str) -> str:
        """Return the end of what a program said."""
        return self._log_path(name).read_text(errors="replace")[-3000:]

    def _log_path(self, name: str) -> Path:
        return self._logs / f"{name}.log"
