"""A private PostgreSQL server on loopback, for the tests of one run."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.components import require

FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
"""Tests need no durability of a server that lives for minutes."""


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """Give the URL of a running server; the suites tell themselves apart by cluster name."""
    require("postgresql")
    with tempfile.TemporaryDirectory(prefix="gpu-reaper-pg-") as name:
        place = Path(name)
        if os.geteuid() == 0:
            shutil.chown(place, "postgres", "postgres")
        port = _free_port()
        _run("initdb", "-D", name + "/db", "-U", "postgres", "--auth=trust", "--no-sync")
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={name} {FAST}"
        )
        _run("pg_ctl", "-D", name + "/db", "-w", "-l", name + "/log", "-o", options, "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _run("pg_ctl", "-D", name + "/db", "-m", "immediate", "stop")


def _run(program: str, *arguments: str) -> None:
    """Run a program of the newest server installed, never as root, which it refuses."""
    binaries = max(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)
    )
    as_whom = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
    command = [*(as_whom if os.geteuid() == 0 else ()), str(binaries / program), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
