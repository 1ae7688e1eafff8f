"""What the service manager is told, over a real socket."""

import os
import socket

import pytest

from exporter.notify import Manager


class Systemd:
    """The other end of the notification socket."""

    def __init__(self, path):
        self.path = path
        self.receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.receiver.bind(str(path))
        self.receiver.setblocking(False)

    def manager(self, **more):
        return Manager({"NOTIFY_SOCKET": str(self.path), **more})

    def heard(self):
        found = []
        while True:
            try:
                found += self.receiver.recv(4096).decode().splitlines()
            except BlockingIOError:
                return found


@pytest.fixture
def systemd(tmp_path):
    systemd = Systemd(tmp_path / "notify")
    yield systemd
    systemd.receiver.close()


def attended(manager, seconds, *, turning=True):
    for now in range(seconds):
        manager.attend(now, now if turning else 0, "measuring")


def test_ready_and_the_end_are_told(systemd):
    manager = systemd.manager()
    manager.ready("measuring 8 devices")
    manager.stopping()

    assert systemd.heard() == ["READY=1", "STATUS=measuring 8 devices", "STOPPING=1"]


def test_the_watchdog_is_fed_twice_in_its_time(systemd):
    attended(systemd.manager(WATCHDOG_USEC="20000000"), 60)

    assert systemd.heard().count("WATCHDOG=1") == 6


def test_the_watchdog_of_another_process_is_not_fed(systemd):
    attended(systemd.manager(WATCHDOG_USEC="20000000", WATCHDOG_PID=str(os.getpid() + 1)), 60)

    assert "WATCHDOG=1" not in systemd.heard()


def test_a_sampler_that_stands_still_starves_the_watchdog(systemd):
    manager = systemd.manager(WATCHDOG_USEC="20000000")
    attended(manager, 180, turning=False)
    systemd.heard()
    for now in range(180, 400):
        manager.attend(now, 0, "measuring")

    assert "WATCHDOG=1" not in systemd.heard()


def test_a_status_is_told_when_it_is_new(systemd):
    manager = systemd.manager()
    for status in ("a", "a", "b"):
        manager.attend(0, 0, status)

    assert systemd.heard() == ["STATUS=a", "STATUS=b"]


def test_without_a_manager_nobody_is_told():
    manager = Manager({})
    manager.ready("measuring")
    manager.attend(0, 0, "measuring")


def test_a_manager_that_went_away_is_no_trouble(tmp_path):
    Manager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("measuring")
