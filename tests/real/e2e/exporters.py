"""A real exporter per node of the cluster, on privileged ports; what GPUs do is drawn by jobs."""

import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.project import ROOT
from tests.real.slurm_conf import NODES

PERIOD: Final = "0.5"

_MODELS: Final = {"a100": "NVIDIA A100-SXM4-80GB", "h100": "NVIDIA H100 80GB HBM3"}
_HEAD: Final = 'version = 1\nstart = 2026-03-02T09:00:00Z\ntitle = "Nothing but what jobs do"\n'


def scenario() -> str:
    """Return a scenario in which every GPU of the cluster stays empty."""
    nodes = (
        f'\n[[node]]\nname = "{node.name}"\nmodel = "{_MODELS.get(node.model, "NVIDIA H200")}"\n'
        f"gpus = {['E'] * node.gpus}\n"
        for node in NODES
    )
    return _HEAD + "".join(nodes)


@contextmanager
def exporters(folder: Path, holders: Path, environment: Mapping[str, str]) -> Iterator[list[str]]:
    """Run an exporter per node and give their addresses; `holders` has a file per node."""
    drawn = folder / "scenario.toml"
    drawn.write_text(scenario())
    ports = privileged_ports(len(NODES))
    running = []
    for node, port in zip(NODES, ports, strict=True):
        options = {
            "driver": "simulated",
            "scenario": drawn,
            "node": node.name,
            "holders": holders / node.name,
            "listen": f"127.0.0.1:{port}",
            "period": PERIOD,
        }
        running.append(_exporter(options, environment, folder / f"exporter-{node.name}.log"))
    try:
        for port, process in zip(ports, running, strict=True):
            _await(port, process, folder)
        yield [f"127.0.0.1:{port}={node.name}" for node, port in zip(NODES, ports, strict=True)]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(60)
            process.kill()
            process.wait()


def _exporter(
    options: Mapping[str, object], environment: Mapping[str, str], log: Path
) -> subprocess.Popen[bytes]:
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with log.open("wb") as output:
        return subprocess.Popen(
            (sys.executable, "-m", "exporter", *words),
            cwd=ROOT,
            env=dict(environment),
            stdout=output,
            stderr=output,
        )


def privileged_ports(count: int) -> list[int]:
    """Return free ports that only root can listen on."""
    found: dict[int, socket.socket] = {}
    while len(found) < count:
        port, probe = random.randrange(600, 1024), socket.socket()
        with suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found[port] = probe
    for probe in found.values():
        probe.close()
    return list(found)


def _await(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + 60
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        logs = "".join(path.read_text() for path in folder.glob("exporter-*.log"))
        assert process.poll() is None, logs
        assert time.monotonic() < until, logs
        time.sleep(0.05)
