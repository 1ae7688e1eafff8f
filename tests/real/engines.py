"""Real engines on loopback that take what is written into them: Prometheus, VictoriaMetrics."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.components import find, require
from tests.real.prometheus_server import free_port, prometheus

OPENER = build_opener(ProxyHandler({}))
PATIENCE = 60.0
TAKES = ("--web.enable-remote-write-receiver", "--storage.tsdb.retention.time=10y")


@contextmanager
def prometheus_engine(folder: Path) -> Iterator[str]:
    """Run a Prometheus that scrapes nothing; give its address."""
    with prometheus(folder, "scrape_configs: []", *TAKES) as server:
        yield server.address


@contextmanager
def victoria_engine(folder: Path, *more: str) -> Iterator[str]:
    """Run a VictoriaMetrics that scrapes nothing; give its address."""
    address = f"127.0.0.1:{free_port()}"
    command = [
        find("victoria-metrics") or "victoria-metrics",
        f"-storageDataPath={folder / 'victoria'}",
        f"-httpListenAddr={address}",
        "-retentionPeriod=100y",
        *more,
    ]
    with (folder / "victoria.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until_ready(f"http://{address}/health")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def until_ready(url: str) -> None:
    """Wait until somebody answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with OPENER.open(url, timeout=1) as answer:
                assert answer.status == 200
                return
        except URLError:
            assert time.monotonic() < end, f"{url} does not answer"
            time.sleep(0.1)


def flush(address: str) -> None:
    """Let a VictoriaMetrics show what was written; others have no such path."""
    try:
        with OPENER.open(f"http://{address}/internal/force_flush", timeout=60):
            return
    except URLError:
        return


@pytest.fixture(scope="session")
def prometheus_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give a Prometheus for all suites; each test writes under labels of its own."""
    require("prometheus")
    with prometheus_engine(tmp_path_factory.mktemp("prometheus")) as address:
        yield address


@pytest.fixture(scope="session")
def victoria_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give a VictoriaMetrics for all suites; each test writes under labels of its own."""
    require("victoria-metrics")
    with victoria_engine(tmp_path_factory.mktemp("victoria")) as address:
        yield address
