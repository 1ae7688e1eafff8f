"""What the kernel log says of GPUs, read by a thread of its own."""

import os
import threading
from pathlib import Path

import pytest

from exporter.clock import SystemClock
from exporter.kernellog import KernelLog, Loaded, Xid, parse

FELL = "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus."


@pytest.mark.parametrize(
    ("text", "bus", "number"),
    [
        (FELL, "0000:3b:00", 79),
        ("NVRM: Xid (PCI:0000:3B:00): 31, pid=1, Ch 00000010", "0000:3b:00", 31),
        ("[  12.3] NVRM: Xid (PCI:0001:03:00 GPU-I:05 GPU-CI:00): 13, x", "0001:03:00", 13),
        ("Mar 2 09:00:00 gpu01 kernel: NVRM: Xid (0000:3b:00): 48, x", "0000:3b:00", 48),
        ("NVRM: Xid (PCI:00000000:3b:00): 119, Timeout", "0000:3b:00", 119),
    ],
)
def test_an_xid_is_read_with_its_card(text, bus, number):
    assert parse(text, 5.0, past=False) == Xid(bus=bus, number=number, wall=5.0)


@pytest.mark.parametrize(
    "text", ["", "eth0: link up", "NVRM: Xid (PCI:xyz): 79", "NVRM: GPU at PCI:0000:3b:00: GPU-0"]
)
def test_other_lines_say_nothing(text):
    assert parse(text, 0, past=False) is None


@pytest.mark.parametrize(
    ("action", "recovered"), [("0x0 (None)", True), ("0x1 (GPU Reset Required)", False)]
)
def test_a_withdrawn_wish_for_a_reset_is_a_recovery(action, recovered):
    text = f"NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x1 (x) to {action}"

    assert parse(text, 0, past=False).recovered is recovered


def test_a_driver_that_is_loaded_is_told():
    text = "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  595.71.05"

    assert parse(text, 3, past=False) == Loaded(wall=3)


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


def heard(log, wanted=1, seconds=10.0):
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
