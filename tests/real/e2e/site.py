"""A whole site on one machine: Slurm, exporters, a Slack workspace and a reaper, all real."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import yaml

from reaper.ports import Books
from reaper.store import open_reading
from reaper.store.settings import StoreSettings
from tests.components import find
from tests.fakes_slack import TOKEN
from tests.open_copy import OpenCopy
from tests.project import ROOT
from tests.real.e2e.commands import Commands
from tests.real.e2e.exporters import exporters
from tests.real.e2e.reaper_process import PACE, ReaperProcess
from tests.real.e2e.slack_thread import TimedSlack, serving
from tests.real.slurm_cluster import MIRA, OTTO, SlurmCluster, as_user
from tests.real.slurm_machine import PATH, free_ports

T = TypeVar("T")

WINDOW: Final = 12
"""Seconds of idleness after which the final warning goes out."""
GRACE: Final = 30
"""Seconds from its delivery to the act: as many steps as an acting policy must give."""
LONG_GRACE: Final = 100
"""The same where a person comes back: nodes round inputs down to the minute."""

PEOPLE: Final = {
    MIRA: {"name": "Mira Example", "team": "vision", "slack": "U0MIRA"},
    OTTO: {"name": "Otto Example", "team": "speech", "email": "otto@example.org"},
}
COMMANDS: Final = ("squeue", "scontrol", "scancel", "sacct", "sacctmgr", "srun")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What is running, and how to ask it."""

    slurm: SlurmCluster
    folder: Path
    slack: TimedSlack
    commands: Commands
    targets: tuple[str, ...]
    port: int

    @property
    def socket(self) -> Path:
        return self.folder / "reaper.sock"

    def reaper(self, mode: str, *, grace: int, long_grace: int) -> ReaperProcess:
        """Write a configuration and return its reaper, not yet started."""
        return self.reaper_with(mode, policies(mode, grace, long_grace))

    def reaper_with(self, name: str, policies: Sequence[dict[str, object]]) -> ReaperProcess:
        """Write a configuration of that name with these policies and return its reaper."""
        path = self.configuration(name)
        settings = {**self._settings(), "policies": list(policies)}
        path.write_text(yaml.safe_dump(settings, sort_keys=False))
        return ReaperProcess(path, self.slurm.environment, self.folder / f"reaper-{name}.log")

    def configuration(self, mode: str) -> Path:
        return self.folder / f"{mode}.yaml"

    def read(self, ask: Callable[[Books], Awaitable[T]]) -> T:
        """Ask the store, beside the reaper that writes it."""
        return asyncio.run(self._read(ask))

    def command(self, *words: str, user: str = "root") -> subprocess.CompletedProcess[str]:
        """Run `gpu-reaper` as a user, who may not be able to read this checkout."""
        under = ("setpriv", *as_user(user)) if as_user(user) else ()
        code = OpenCopy.lay(self.slurm.root / "code", "reaper", "exporter") if under else None
        python = code.python(under, "reaper") if code else sys.executable
        assert python, f"no Python lies where {user} can run it"
        environment = {**self.slurm.environment, "COLUMNS": "160", "HOME": "/"}
        return subprocess.run(
            (*under, python, "-m", "reaper", *words),
            cwd=code.folder if code else ROOT,
            env=code.environment(environment) if code else environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    async def _read(self, ask: Callable[[Books], Awaitable[T]]) -> T:
        settings = StoreSettings(directory=self.folder / "state")
        store = await open_reading(settings, cluster="grove", pace=PACE)
        try:
            async with store.reading() as books:
                return await ask(books)
        finally:
            await store.close()

    def _settings(self) -> dict[str, object]:
        slack = {"kind": "slack", "token": {"file": "token"}, "base_url": self.slack.base_url}
        return {
            "cluster": "grove",
            "state_dir": "state",
            "activity": {
                "targets": list(self.targets),
                "interval": "1s",
                "people_interval": "1s",
                "timeout": "2s",
            },
            "platforms": {
                "slurm": {
                    "conf": str(self.slurm.daemons.site.slurm_conf),
                    "commands": str(self.commands.folder),
                    "timeout": "10s",
                    # An operator's word: nobody sits in an allocation without a shell.
                    "purposes": [{"class": "other", "name": ["hold-*"]}],
                }
            },
            "people": {"kind": "yaml", "file": "people.yaml"},
            "notifiers": [slack],
            "budgets": {"per_node": 8, "per_owner": 8, "share": "100%"},
            # A minute lasts two seconds here: a busy machine that misses one is no blind cluster.
            "interlocks": {"coverage": 0.1},
            "operators": {"users": ["root"]},
            "web": {"listen": f"127.0.0.1:{self.port}", "socket": str(self.socket)},
        }


def policies(mode: str, grace: int, long_grace: int) -> Sequence[dict[str, object]]:
    """Return the policies: one for who comes back, one for people, one for the rest."""

    def policy(name: str, match: dict[str, object], grace: int) -> dict[str, object]:
        return {
            "name": name,
            "match": match,
            "idle": {"for": f"{WINDOW}s", "human_away": "2s"},
            "when": {"any_hour": True},
            "rungs": [
                {"warn": {"after": f"{WINDOW - 2}s"}},
                {"warn": {"after": f"{WINDOW}s", "final": True}},
                {"release": {"grace": f"{grace}s"}},
            ],
            "mode": mode,
        }

    return (
        policy("coming-back", {"name": "returns"}, long_grace),
        policy("people", {"class": "interactive"}, grace),
        policy("jobs", {}, grace),
    )


@contextmanager
def site(slurm: SlurmCluster, name: str = "reaper") -> Iterator[Site]:
    """Start everything around a cluster but the reaper; `name` is its folder, one for each site."""
    with ExitStack() as stack:
        slack = stack.enter_context(serving({"otto@example.org": "U0OTTO"}))
        folder = slurm.root / name
        for path in (folder, folder / "state"):
            path.mkdir()
        (folder / "token").write_text(TOKEN)
        (folder / "people.yaml").write_text(yaml.safe_dump({"people": PEOPLE}))
        commands = Commands(folder / "commands")
        commands.write({name: str(find(name)) for name in COMMANDS})
        environment = {**slurm.environment, "PATH": PATH}
        holders = slurm.work / "holders"
        targets = stack.enter_context(exporters(folder, holders, environment))
        yield Site(
            slurm=slurm,
            folder=folder,
            slack=slack,
            commands=commands,
            targets=tuple(targets),
            port=free_ports(1)[0],
        )
