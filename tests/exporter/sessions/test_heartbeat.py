import os
from collections.abc import Callable
from pathlib import Path

import pytest

from exporter.kernel.proc import Process
from exporter.sessions.heartbeat import FILE, Heartbeats
from tests.builders_proc import BOOT, process

NOW = BOOT + 5000.0


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / FILE).parent.mkdir(parents=True)
    return tmp_path


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def beats(home: Path, **commands: str) -> Heartbeats:
    getent = script(home / "getent", f'echo "mira:x:$2:100::{home}:/bin/sh"')
    return Heartbeats(**{"getent": getent, **commands})


def settled(heartbeats: Heartbeats, server: Process, now: float = NOW) -> float | None:
    """Look until an answer came, or several looks came back without one."""
    for _ in range(300):
        if (seen := heartbeats.last(server, now)) is not None:
            return seen
        pause()
    return None


def pause() -> None:
    # A look is another process; give it the processor.
    os.waitid(os.P_PID, os.posix_spawn("/bin/true", ["true"], {}), os.WEXITED)


def beat(home: Path, at: float) -> None:
    (home / FILE).touch()
    os.utime(home / FILE, (at, at))


def test_the_last_beat_is_the_files_time(home: Path, closing: Callable[..., Heartbeats]):
    beat(home, BOOT + 4000)

    assert settled(closing(beats(home)), process(uid=1001)) == BOOT + 4000


def test_a_beat_from_before_the_server_is_another_servers(
    home: Path, closing: Callable[..., Heartbeats]
):
    beat(home, BOOT - 1)

    assert settled(closing(beats(home)), process(uid=1001)) is None


def test_without_a_file_nothing_is_proven(home: Path, closing: Callable[..., Heartbeats]):
    assert settled(closing(beats(home)), process(uid=1001)) is None


def test_a_look_that_never_returns_proves_nothing(home: Path, closing: Callable[..., Heartbeats]):
    heartbeats = closing(beats(home, stat=script(home / "stat", "exec sleep 600")))

    assert settled(heartbeats, process(uid=1001)) is None


def test_an_old_look_proves_nothing(home: Path, closing: Callable[..., Heartbeats]):
    beat(home, BOOT + 4000)
    heartbeats = closing(beats(home, stat=script(home / "stat", f"echo {BOOT + 4000}")))
    settled(heartbeats, process(uid=1001))
    script(home / "stat", "exec sleep 600")
    for _ in range(50):
        heartbeats.last(process(uid=1001), NOW + 1)
        pause()

    assert heartbeats.last(process(uid=1001), NOW + 400) is None


def test_a_container_has_another_home(home: Path, closing: Callable[..., Heartbeats]):
    inside = process(uid=1001, cgroup=f"/docker/{'4f' * 32}")
    beat(home, BOOT + 4000)

    assert settled(closing(beats(home)), inside) is None


def test_an_unknown_person_proves_nothing(home: Path, closing: Callable[..., Heartbeats]):
    heartbeats = closing(Heartbeats(getent=script(home / "nobody", "exit 2")))

    assert settled(heartbeats, process(uid=1001)) is None


@pytest.fixture
def closing():
    opened: list[Heartbeats] = []

    def keep(heartbeats: Heartbeats) -> Heartbeats:
        opened.append(heartbeats)
        return heartbeats

    yield keep
    for heartbeats in opened:
        heartbeats.close()
