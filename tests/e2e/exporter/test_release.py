"""The driver is let go on request, wholly, and taken up again by itself."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.components import require
from tests.fake_nvml.library import SONAME, SOURCE

FIRST = "GPU-00000000-0000-0000-0000-000000000000"
SM = "gpunode_sm_active_seconds_total"
UNTIL = "gpunode_release_until_timestamp_seconds"
HOLDER = Path(__file__).with_name("opening.c")


@pytest.fixture
def nodes(tmp_path):
    """A folder of device nodes, as of a node with two cards."""
    folder = tmp_path / "dev"
    folder.mkdir()
    for name in ("nvidiactl", "nvidia0", "nvidia1"):
        (folder / name).touch()
    return folder


@pytest.fixture
def exporter(start, fake_node, nodes, tmp_path):
    """An exporter whose library holds the device nodes open."""
    require("compiler")
    library = tmp_path / "opening" / SONAME
    library.parent.mkdir()
    command = ("cc", "-O1", "-D_GNU_SOURCE", "-shared", "-fPIC", f"-Wl,-soname,{SONAME}")
    subprocess.run([*command, "-o", library, SOURCE, HOLDER], check=True)
    fake_node.add_hopper()
    fake_node.add_hopper()
    environment = fake_node.environment(library) | {"FAKE_NVML_NODES": str(nodes)}
    running = start(environment=environment)
    running.page_when(lambda page: page.values(SM))
    return running


def family(pid):
    """Return a process and all its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in descent(int(child)))]


def descent(child):
    """Return the family of a child, which may end while it is asked for."""
    try:
        return family(child)
    except (FileNotFoundError, ProcessLookupError):
        return []


def holds(exporter, nodes):
    """Return which device nodes and which driver library the exporter's processes hold."""
    return {one for pid in family(exporter.process.pid) for one in held(pid, nodes)}


def held(pid, nodes):
    """Return what one process holds: nothing, once it has ended."""
    try:
        targets = [str(one.readlink()) for one in Path(f"/proc/{pid}/fd").iterdir()]
        library = {SONAME} if SONAME in Path(f"/proc/{pid}/maps").read_text() else set()
    except (FileNotFoundError, ProcessLookupError):
        return set() if ended(pid) else held(pid, nodes)
    return {
        Path(one).name for one in targets if one.startswith((str(nodes), "/dev/nvidia"))
    } | library


def ended(pid):
    """Say whether a process is gone, or only its parent has not looked yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def command(exporter, *words):
    return subprocess.run(
        [sys.executable, "-m", "exporter", "--control", str(exporter.control), *words],
        check=False,
        capture_output=True,
        text=True,
    )


def test_a_running_exporter_holds_the_driver(exporter, nodes):
    assert holds(exporter, nodes) == {"nvidiactl", "nvidia0", "nvidia1", SONAME}


def test_a_released_exporter_holds_nothing_of_the_driver(exporter, nodes):
    done = command(exporter, "release", "--for", "10m", "--reason", "MIG change")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("released until ")
    assert holds(exporter, nodes) == set()
    assert family(exporter.process.pid) == [exporter.process.pid]


def test_the_page_says_paused_why_and_until_when_and_nothing_moves(exporter):
    command(exporter, "release", "--for", "10m", "--reason", "MIG change")
    page = exporter.page()
    later = exporter.page_when(lambda _: True)

    assert page.labels(UNTIL) == [{"by": "command", "reason": "MIG change"}]
    assert 500 < page.value(UNTIL) - page.value("gpunode_sample_timestamp_seconds", gpu=FIRST) < 700
    assert {labels["state"] for labels in page.labels("gpunode_signal_info")} == {"paused"}
    assert page.values(SM) == later.values(SM)
    assert page.value("gpunode_driver_up") == 0
    assert page.values("gpunode_power_watts") == []
    assert exporter.get("/readyz")[0] == 503


def test_it_resumes_by_itself_and_no_counter_is_reset(exporter):
    before = exporter.page()
    command(exporter, "release", "--for", "10s")
    paused = exporter.page()
    after = exporter.page_when(lambda page: page.value(SM, gpu=FIRST) > paused.value(SM, gpu=FIRST))

    assert paused.values(UNTIL)
    assert not after.values(UNTIL)
    assert after.labels("gpunode_info") == before.labels("gpunode_info")


def test_resume_ends_it_before_the_time(exporter):
    command(exporter, "release", "--for", "1h")
    done = command(exporter, "resume")

    assert (done.returncode, done.stdout) == (0, "the driver is taken up again\n")
    assert exporter.page_when(lambda page: page.value("gpunode_driver_up") == 1)


def test_a_file_asks_and_its_end_resumes(exporter, nodes):
    exporter.release_file.write_text("10m driver upgrade")
    page = exporter.page_when(lambda page: page.values(UNTIL))
    exporter.until(lambda: holds(exporter, nodes) == set())
    exporter.release_file.unlink()

    assert page.labels(UNTIL) == [{"by": "file", "reason": "driver upgrade"}]
    assert exporter.page_when(lambda page: page.value("gpunode_driver_up") == 1)


def test_room_is_made_for_a_pending_change_of_mig_mode(exporter, fake_node, nodes):
    fake_node.change({"card1.mig.next": 1})
    page = exporter.page_when(lambda page: page.values(UNTIL))
    exporter.until(lambda: holds(exporter, nodes) == set())

    assert page.labels(UNTIL) == [{"by": "mig", "reason": "a change of MIG mode is pending"}]


def test_it_lets_go_in_the_middle_of_a_call_that_hangs(exporter, fake_node, nodes):
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    exporter.page_when(lambda page: page.values("gpunode_driver_call_stuck_seconds"))
    done = command(exporter, "release", "--for", "10m")

    assert (done.returncode, holds(exporter, nodes)) == (0, set())


def test_what_was_left_alone_is_tried_again_afterwards(exporter, fake_node):
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    exporter.page_when(lambda page: page.value("gpunode_device_lost", gpu=FIRST) == 1)
    command(exporter, "release", "--for", "10m")
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 0})
    command(exporter, "resume")

    assert exporter.page_when(lambda page: page.value("gpunode_device_lost", gpu=FIRST) == 0)


def test_a_time_that_cannot_be_granted_is_one_clear_line(exporter):
    done = command(exporter, "release", "--for", "2 days")

    assert (done.returncode, done.stderr) == (
        1,
        "Error: for: '2 days': write 10s to 1h, for example 10m\n",
    )


def test_without_an_exporter_the_command_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "exporter", "--control", str(tmp_path / "none"), "release"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: no exporter at {tmp_path / 'none'}")


def test_a_stranger_may_not_ask_even_where_the_socket_is_open(exporter, start):
    require("root", "setpriv")
    client = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
        "s.sendall(b'POST /release HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'); print(s.recv(99))"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        socket = Path(folder) / "socket"
        running = start("--control", str(socket))
        running.until(socket.exists)
        socket.chmod(0o666)
        done = subprocess.run(
            ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups",
             "/usr/bin/python3", "-c", client, str(socket)],
            check=False, capture_output=True, text=True,
        )  # fmt: skip

    assert "HTTP/1.1 403" in done.stdout
    assert not running.page().values(UNTIL)


def test_sigterm_in_a_window_ends_it_soon(exporter):
    command(exporter, "release", "--for", "10m")
    status, seconds = exporter.terminate()

    assert (status, seconds < 60) == (0, True)
    assert not exporter.control.exists()


def test_no_worker_is_started_in_a_window(exporter, nodes):
    command(exporter, "release", "--for", "10m")
    exporter.page_when(lambda page: page.value("gpunode_last_sample_age_seconds") > 2)

    assert holds(exporter, nodes) == set()
    assert family(exporter.process.pid) == [exporter.process.pid]
