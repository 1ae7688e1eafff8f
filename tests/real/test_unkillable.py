"""
A worker that hangs in the kernel, so that no signal ends it: the real thing, by /dev/fuse.

The fake driver reads its properties from a folder whose server falls silent in the middle.
A container without /dev/fuse, or without the right to mount, cannot show it; there
tests/e2e/exporter/test_supervisor.py plays a worker that a kill does not end.
"""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.components import FORBIDDEN, require
from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.fixtures import fake_library, fake_node
from tests.silent_files import SilentFiles

__all__ = ["fake_library", "fake_node"]

UP, STUCK = "gpunode_driver_up", "gpunode_driver_call_stuck_seconds"
SEEN = "gpunode_observed_seconds_total"
CANNOT_END = "hangs in the kernel and cannot be ended"


@pytest.fixture
def silence(tmp_path, fake_node):
    """The folder that the fake driver reads from."""
    require("root")
    folder = tmp_path / "fuse"
    folder.mkdir()
    made = SilentFiles(folder, fake_node.path)
    if why := made.mount():
        pytest.skip(f"{FORBIDDEN}: {why}")
    yield made
    made.unmount()


@pytest.fixture
def exporter(tmp_path, fake_library, fake_node, silence):
    fake_node.add_hopper()
    fake_node.add_hopper()
    words = fake_node.environment(fake_library) | {"FAKE_NVML_STATE": str(silence.path)}
    running = ExporterProcess(tmp_path / "log", environment=words)
    running.await_address()
    running.page_when(lambda page: page.values("gpunode_sm_active_seconds_total"))
    yield running
    silence.speak()
    running.close()


@pytest.fixture
def stuck(exporter, silence):
    """An exporter whose worker was sent SIGKILL and is still there; give its pid, too."""
    pid = exporter.worker()
    silence.be_silent()
    exporter.until(lambda: CANNOT_END in exporter.log.read_text())
    return exporter, pid


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def children(exporter) -> list[int]:
    pid = exporter.process.pid
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def seen(exporter) -> float:
    return sum(exporter.page().values(SEEN, signal="sm"))


def typical(exporter, times: int = 50) -> float:
    laps = []
    for _ in range(times):
        begun = time.monotonic()
        exporter.page()
        laps.append(time.monotonic() - begun)
    return sorted(laps)[times // 2]


def test_the_worker_is_neither_ended_nor_joined_by_a_second_one(stuck):
    exporter, pid = stuck
    time.sleep(5)

    assert state(pid) == "D"
    assert children(exporter) == [pid]
    assert exporter.page().value(UP) == 0


def test_the_call_is_named_and_the_page_answers_meanwhile(stuck):
    exporter, _ = stuck
    page = exporter.page()

    assert [labels["call"] for labels in page.labels(STUCK)] != [""]
    assert page.values(STUCK)[0] > 1
    assert typical(exporter) < 2


def test_the_other_card_is_measured_again_by_itself_when_the_driver_returns(stuck, silence):
    exporter, pid = stuck
    before = seen(exporter)
    silence.speak()
    exporter.page_when(lambda page: sum(page.values(SEEN, signal="sm")) > before, seconds=40)

    assert exporter.page().value(UP) == 1
    assert not Path(f"/proc/{pid}").exists()


def test_letting_go_says_that_the_driver_is_still_held(stuck):
    exporter, _ = stuck
    done = subprocess.run(
        [sys.executable, "-m", "exporter", "--control", str(exporter.control), "release"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode != 0
    assert CANNOT_END in done.stderr


def test_the_exporter_itself_ends_when_it_is_told_to(stuck):
    exporter, _ = stuck
    status, seconds = exporter.terminate()

    assert status == 0
    assert seconds < 60
