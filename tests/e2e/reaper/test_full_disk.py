"""A start on a full disk: the pages come and say why; it begins by itself once there is room."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.components import absent
from tests.e2e.reaper.test_clock_set_back import CONFIGURATION, Running
from tests.project import ROOT

HERE = Path(__file__).parent


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a small disk of its own."""
    folder = tmp_path / "state"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        absent("a disk of its own cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(folder: Path) -> Path:
    """Write a file until nothing more fits."""
    path = folder / "fill"
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 512)
        except OSError:
            return path


def configure(folder: Path, port: int) -> None:
    """Write a configuration whose page is at a port."""
    text = CONFIGURATION.format(folder=folder).replace("127.0.0.1:0", f"127.0.0.1:{port}")
    (folder / "gpu-reaper.yaml").write_text(text)


@contextmanager
def reaper(folder: Path, port: int) -> Iterator[Running]:
    """Run a reaper whose page is at a port; it ends well."""
    command = [sys.executable, str(HERE / "small_reaper.py"), str(folder)]
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=log, stderr=log
        )
    try:
        running, began = Running(page=f"127.0.0.1:{port}", shift=folder / "shift"), time.monotonic()
        while not answers(running):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() - began < 60
            time.sleep(0.1)
        yield running
    finally:
        process.terminate()
        assert process.wait(90) == 0, (folder / "log").read_text()


def answers(running: Running) -> bool:
    try:
        return running.read("/healthz")[0] == 200
    except OSError:
        return False


@pytest.mark.parametrize("before", [False, True], ids=["the first start", "a later start"])
def test_a_start_on_a_full_disk_shows_why_and_begins_when_there_is_room(
    tmp_path: Path, disk: Path, unused_tcp_port: int, before: bool
):
    configure(tmp_path, unused_tcp_port)
    if before:
        with reaper(tmp_path, unused_tcp_port) as running:
            running.after_turns(1, patience=120)
    left = fill(disk)

    with reaper(tmp_path, unused_tcp_port) as running:
        held = running.value('gpureaper_holds{kind="store"}')
        _, page = running.read("/")
        left.unlink()
        running.after_turns(2, patience=120)
        _, later = running.read("/")

    assert held == 1
    assert "make room for it" in page
    assert "make room for it" not in later


def test_it_can_be_stopped_while_there_is_no_room(tmp_path: Path, disk: Path, unused_tcp_port: int):
    configure(tmp_path, unused_tcp_port)
    fill(disk)

    with reaper(tmp_path, unused_tcp_port) as running:
        assert running.value('gpureaper_holds{kind="store"}') == 1
