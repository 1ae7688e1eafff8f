"""Under an account that may do nothing special, a missing right costs its feature alone."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.components import absent, require
from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.library import FakeNode
from tests.open_copy import OpenCopy

NOBODY = 65534
UNDER = (
    "setpriv",
    f"--reuid={NOBODY}",
    f"--regid={NOBODY}",
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
)
SM = "gpunode_sm_active_seconds_total"


@pytest.fixture
def place(fake_library):
    """A folder of the unprivileged account, with its own copy of the library."""
    require("root", "setpriv")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(fake_library, folder)
        os.chown(folder, NOBODY, NOBODY)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(scope="session")
def code():
    """A copy of the exporter and its libraries that every account may read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield OpenCopy.lay(Path(name), "exporter", extras=["kubelet"])


@pytest.fixture(scope="session")
def python(code):
    """Find an interpreter that the account can run and that finds what this one has."""
    require("root", "setpriv")
    found = code.python(UNDER, "exporter.serving.web")
    return found or absent("no Python lies where another account can run it")


@pytest.fixture
def start(place, python, code):
    """Give `start(*words)`: an exporter under the unprivileged account, on a node of one card."""
    node = FakeNode(place / "state")
    node.add_hopper()
    started = []

    def begin(*words):
        started.append(
            ExporterProcess(
                place / f"log{len(started)}",
                *words,
                environment=code.environment() | node.environment(place / "libnvidia-ml.so.1"),
                python=(*UNDER, python),
            )
        )
        started[-1].await_address()
        return started[-1]

    yield begin
    for process in started:
        process.close()


def doctor(exporter):
    return subprocess.run(
        [sys.executable, "-m", "exporter", "--control", str(exporter.control), "doctor"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_it_measures_and_holds_no_capability(start):
    running = start()
    page = running.page_when(lambda page: page.values(SM))
    status = Path(f"/proc/{running.process.pid}/status").read_text()

    assert page.value("gpunode_driver_up") == 1
    assert f"Uid:\t{NOBODY}" in status
    assert "CapEff:\t0000000000000000" in status


def test_every_collector_succeeds_without_a_right(start):
    page = start().page_when(lambda page: page.values("gpunode_collector_success"))

    assert set(page.values("gpunode_collector_success")) == {1}


def test_the_doctor_names_what_is_missing(start):
    text = doctor(start())

    assert "code-server's heartbeat in closed homes: missing" in text
    assert "terminals in containers: missing" in text
    assert "→ give CAP_SYS_PTRACE" in text
    assert "whose process is whose: ok" in text


def test_a_closed_kernel_log_costs_the_kernels_xids_alone(start, place):
    log = place / "kernel"
    log.touch(mode=0o600)
    running = start("--kernel-log", str(log))
    page = running.page_when(lambda page: page.values(SM))

    assert {
        "source": "kernel_log",
        "state": "failing",
        "reason": f"{log}: Permission denied",
    } in page.labels("gpunode_source_info")
    assert "Xids from the kernel log: missing" in doctor(running)
    assert page.value("gpunode_driver_up") == 1


def test_a_closed_kubelet_socket_costs_its_word_alone(start, place):
    pytest.importorskip("grpc")
    import socket

    with socket.socket(socket.AF_UNIX) as kubelet:
        kubelet.bind(str(place / "kubelet"))
        kubelet.listen()
        (place / "kubelet").chmod(0o600)
        running = start("--kubelet-socket", str(place / "kubelet"))
        page = running.page_when(
            lambda page: any(
                one["source"] == "kubelet" and one["state"] == "failing"
                for one in page.labels("gpunode_source_info")
            )
        )
        text = doctor(running)

    assert page.value("gpunode_driver_up") == 1
    assert "what the kubelet gave to pods: missing" in text


def test_a_socket_folder_that_is_closed_costs_the_commands_alone(start):
    with tempfile.TemporaryDirectory() as folder:
        running = start("--control", f"{folder}/deep/socket")
        page = running.page_when(lambda page: page.values(SM))

    assert page.value("gpunode_driver_up") == 1
    assert "gpu-exporter release and doctor cannot reach this exporter" in running.log.read_text()


def test_an_account_that_may_not_open_the_devices_is_told_so(start, place):
    FakeNode(place / "state").change({"fail.nvmlInit_v2": 4})
    running = start()
    running.until(lambda: "the driver refuses this user" in running.log.read_text())

    assert running.page().value("gpunode_driver_up") == 0
