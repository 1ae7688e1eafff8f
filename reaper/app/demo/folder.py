"""The scratch folder of a demonstration: what is written into it, and the exporters over it."""

import json
import os
import socket
import sys
from asyncio import create_subprocess_exec, open_connection, timeout
from asyncio.subprocess import STDOUT, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from pwd import getpwuid
from typing import Final

import yaml

from exporter.contract.scenario import Scenario, ScenarioError, load
from reaper.app.demo import leashed
from reaper.edge.clock import SystemClock
from reaper.edge.files import read_text
from reaper.ports import SourceError, WrongError
from reaper.schema import Address

_PERIOD: Final = 20.0
"""
Seconds of its clock between two samples.

More than three periods apart they leave a gap: two seconds of the world where the clock runs
thirty times as fast, so that a process which has to wait for a core leaves none.
"""

_AGAIN: Final = 0.1
"""Real seconds between two looks at an exporter that starts."""

_STOPPING: Final = 5.0
"""Real seconds that an exporter has to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Where a demonstration lives; its clock shows `epoch` first and runs `rate` times at most."""

    path: Path
    rate: float
    epoch: float

    @property
    def scenario(self) -> Path:
        """Return the scenario that exporters and platform play."""
        return self.path / "scenario.toml"

    @property
    def configuration(self) -> Path:
        """Return the reaper's configuration."""
        return self.path / "gpu-reaper.yaml"

    @property
    def tempo(self) -> Path:
        """Return the file that says how fast the clock runs."""
        return self.path / "tempo"

    @property
    def socket(self) -> Path:
        """Return where commands ask."""
        return self.path / "reaper.sock"

    @property
    def visits(self) -> Path:
        """Return the socket of the site where people sign in: nobody is told of it."""
        return self.path / "visits.sock"

    @property
    def secret(self) -> Path:
        """Return what the proxy before that site proves itself by."""
        return self.path / "proxy.secret"

    @property
    def mail(self) -> Path:
        """Return the folder of the mailboxes."""
        return self.path / "mail"

    @property
    def targets(self) -> Path:
        """Return the list of its exporters, for a Prometheus that wants to watch."""
        return self.path / "targets.json"

    def write(self, listen: Address, scenario: Path | None) -> tuple[Scenario, dict[str, int]]:
        """Write everything; return the scenario and a free port per node."""
        for folder in (self.mail, self.path / "state"):
            folder.mkdir(parents=True, exist_ok=True)
        here = files(__package__)
        for name in ("rates.yaml", "policies.yaml", "people.yaml"):
            (self.path / name).write_text((here / name).read_text(encoding="utf-8"))
        text, played = _drawn(scenario or here / "scenario.toml")
        self.scenario.write_text(text, encoding="utf-8")
        ports = dict(
            zip((node.name for node in played.nodes), _free(len(played.nodes)), strict=True)
        )
        listed = [{"targets": self._addresses(ports), "labels": {"cluster": "demo"}}]
        self.targets.write_text(json.dumps(listed), encoding="utf-8")
        settings = self._settings(listen, ports)
        self.configuration.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
        return played, ports

    def _addresses(self, ports: dict[str, int]) -> list[str]:
        return [f"127.0.0.1:{port}" for port in ports.values()]

    def _settings(self, listen: Address, ports: dict[str, int]) -> dict[str, object]:
        return {
            "cluster": "demo",
            "state_dir": str(self.path / "state"),
            "activity": {
                "kind": "exporters",
                "targets": [f"127.0.0.1:{port}={node}" for node, port in ports.items()],
            },
            "platforms": {
                "recorded": {
                    "scenario": str(self.scenario),
                    "origin": self.epoch,
                    "state": str(self.path / "state"),
                }
            },
            "people": {"kind": "yaml", "file": str(self.path / "people.yaml")},
            "notifiers": [{"kind": "mailbox", "folder": str(self.mail)}],
            "policies": [str(self.path / "policies.yaml")],
            "rates": str(self.path / "rates.yaml"),
            "web": {"listen": str(listen), "socket": str(self.socket)},
            "budgets": {"share": "50%", "per_node": 4},
            "operators": {"users": [getpwuid(os.getuid()).pw_name]},
            "report": {"zone": "UTC", "currency": "EUR"},
        }

    async def answered(self, ports: dict[str, int], running: Sequence[Process]) -> None:
        """Wait until every exporter serves its page; raise SourceError for one that ended."""
        clock = SystemClock()
        for (node, port), process in zip(ports.items(), running, strict=True):
            while not await _serves(port):
                if process.returncode is not None:
                    log = self.path / f"{node}.log"
                    raise SourceError(f"the exporter of {node} ended: {_last(log)}; {log} says all")
                await clock.sleep(_AGAIN)

    @asynccontextmanager
    async def exporters(self, ports: dict[str, int]) -> AsyncIterator[Sequence[Process]]:
        """Run one exporter process per node; end them all."""
        running = [await self._exporter(node, port) for node, port in ports.items()]
        try:
            yield running
        finally:
            for process in running:
                with suppress(ProcessLookupError):
                    process.terminate()
            for process in running:
                await _ended(process)

    async def _exporter(self, node: str, port: int) -> Process:
        with (self.path / f"{node}.log").open("ab") as log:
            return await create_subprocess_exec(
                sys.executable,
                *("-m", leashed.__name__, str(os.getpid())),
                *("-m", "exporter", "--driver", "simulated", "--node", node),
                *("--scenario", str(self.scenario), "--state", str(self.path / "state")),
                *("--clock-rate", str(self.rate), "--clock-file", str(self.tempo)),
                *("--scenario-start", repr(self.epoch), "--period", f"{_PERIOD:g}"),
                *("--listen", f"127.0.0.1:{port}"),
                stdout=log,
                stderr=STDOUT,
            )


async def _serves(port: int) -> bool:
    """Tell whether a page comes back from a port of this machine."""
    try:
        reader, writer = await open_connection("127.0.0.1", port)
        writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
        head = await reader.readline()
        writer.close()
    except OSError:
        return False
    return b" 200 " in head


def _last(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


async def _ended(process: Process) -> None:
    try:
        async with timeout(_STOPPING):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _drawn(path: Path | Traversable) -> tuple[str, Scenario]:
    try:
        text = read_text(path) if isinstance(path, Path) else path.read_text(encoding="utf-8")
        return text, load(text)
    except (OSError, UnicodeDecodeError, ScenarioError) as error:
        raise WrongError(f"--scenario {path}: {error}") from error


def free(wanted: Address, *, yield_to_others: bool = False) -> Address:
    """
    Return an address with a port that can be told before it is listened on.

    Of one that is taken, where another will do, a free one beside it.
    """
    if wanted.port and not (yield_to_others and _taken(wanted)):
        return wanted
    return Address(wanted.host, _free(1)[0])


def _taken(address: Address) -> bool:
    try:
        socket.create_server((address.host, address.port)).close()
    except OSError:
        return True
    return False


def _free(count: int) -> list[int]:
    """Return free loopback ports, all held open until all are known."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(item.getsockname()[1]) for item in held]
    for item in held:
        item.close()
    return ports
