"""What the kernel log says of GPUs, read by a thread of its own."""

import os
import threading
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.kernel.log import KernelLog

FELL = "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus."


# ------------------------------------------------------------------ files


@pytest.fixture
def listen():
    logs = []

    def begin(path):
        logs.append(KernelLog(path, SystemClock()))
        logs[-1].start()
        return logs[-1]

    yield begin
    for log in logs:
        log.stop()


def heard(log, wanted=1, seconds=60.0):
    found = []
    end = SystemClock().monotonic() + seconds
    while len(found) < wanted and SystemClock().monotonic() < end:
        found += log.take()
        os.sched_yield()
    return [getattr(one, "number", None) for one in found]


def open_log(log):
    while log.trouble:
        os.sched_yield()


def test_a_file_is_read_from_its_end_on(listen, tmp_path):
    path = tmp_path / "kern.log"
    path.write_text(f"{FELL}\n")
    log = listen(path)
    open_log(log)
    with path.open("a") as file:
        file.write(FELL.replace("79", "31") + "\n")

    assert heard(log) == [31]


def test_half_a_line_waits_for_the_rest(listen, tmp_path):
    path = tmp_path / "kern.log"
    path.touch()
    log = listen(path)
    open_log(log)
    with path.open("a", buffering=1) as file:
        file.write(FELL[:20])
        file.flush()
        file.write(FELL[20:] + "\n")

    assert heard(log) == [79]


def test_a_rotated_file_is_followed(listen, tmp_path):
    path = tmp_path / "kern.log"
    path.touch()
    log = listen(path)
    open_log(log)
    path.rename(tmp_path / "kern.log.1")
    path.write_text(f"{FELL}\n")

    assert heard(log) == [79]


def test_a_file_that_is_not_there_is_a_trouble_in_words(listen, tmp_path):
    log = listen(tmp_path / "none")
    while log.trouble == "not read yet":
        os.sched_yield()

    assert log.trouble == f"{tmp_path / 'none'}: No such file or directory"


def test_a_record_of_several_lines_is_read_whole(listen, records):
    path, write = records
    fell = (
        r"NVRM: The NVIDIA GPU 0000:b3:00.0\x0aNVRM: (PCI ID: 10de:26b5) installed in this system"
        r" has\x0aNVRM: fallen off the bus and is not responding to commands."
    )
    write(f"4,7,5000000,-;{fell}\n SUBSYSTEM=pci\n")
    log = listen(path)
    found = ()
    while not found:
        found = log.take()

    assert [(one.bus, one.fault.meaning) for one in found] == [("0000:b3:00", "lost")]


def test_a_stream_without_a_writer_delays_nobody(listen, tmp_path):
    os.mkfifo(tmp_path / "stream")
    log = listen(tmp_path / "stream")
    open_log(log)

    assert log.take() == ()


@pytest.fixture
def records():
    """A stream in which each write is one record, as in the kernel's."""
    reading, writing = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)
    yield Path(f"/proc/self/fd/{reading}"), lambda text: os.write(writing, text.encode())
    os.close(reading)
    os.close(writing)


def test_a_record_carries_its_own_time(listen, records):
    path, write = records
    write(f"4,7,5000000,-;{FELL}\n SUBSYSTEM=pci\n")
    log = listen(path)
    found = ()
    while not found:
        found = log.take()
    clock = SystemClock()

    assert (found[0].number, found[0].past) == (79, True)
    assert found[0].wall == pytest.approx(clock.wall() - clock.monotonic() + 5, abs=1)


def test_what_a_program_wrote_into_the_log_is_not_believed(listen, records):
    path, write = records
    write(f"12,7,5000000,-;{FELL}\n")
    write(f"4,8,5000000,-;{FELL.replace('79', '31')}\n")

    assert heard(listen(path)) == [31]


@pytest.mark.parametrize("text", ["", ";", "4;x", "a,b,c;x", "4,1,x,-;x"])
def test_a_broken_record_costs_itself_alone(listen, records, text):
    path, write = records
    write(f"{text}{FELL}\n")
    write(f"4,8,5000000,-;{FELL.replace('79', '31')}\n")

    assert heard(listen(path)) == [31]


def test_the_machines_own_log_is_read_without_waiting(listen):
    if not os.access("/dev/kmsg", os.R_OK):
        pytest.skip("the kernel log is closed to this user")
    log = listen(Path("/dev/kmsg"))
    open_log(log)

    assert log.trouble == ""
    assert any(one.name == "kernel log" and one.daemon for one in threading.enumerate())
