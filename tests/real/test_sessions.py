"""Real terminals, a real tmux and a real screen show when somebody last typed."""

import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from exporter.attribution import Allocation
from exporter.kernel.proc import Census, Process, ancestors
from exporter.sampling.snapshot import Session
from exporter.sessions import Heartbeats, Sessions, Terminals
from tests.components import require
from tests.real.node import age, eventually, running

_ROUNDING = 8 + 60
"""Seconds by which the kernel (8) and we (60) round down."""


class Watch:
    """Looks at the sessions of one process tree on this machine."""

    def __init__(self) -> None:
        self._census = Census()
        self._sessions = Sessions(Terminals(Path("/dev"), Path("/proc")), Heartbeats())

    def processes(self) -> dict[int, Process]:
        return dict(self._census.take())

    def look(self, root: int) -> dict[str, Session]:
        everyone = self.processes()
        members = tuple(
            one
            for one in everyone.values()
            if one.pid == root or any(above.pid == root for above in ancestors(one, everyone))
        )
        allocation = Allocation(platform="slurm", key="14@5", members=members)
        return {one.kind: one for one in self._sessions.look([allocation], everyone, time.time())}


@contextmanager
def typing(*command: str) -> Iterator[pexpect.spawn]:
    """Start a program under a terminal of its own."""
    terminal = {**os.environ, "TERM": "xterm"}
    person = pexpect.spawn(
        command[0], list(command[1:]), timeout=60, encoding="utf-8", env=terminal
    )
    try:
        yield person
    finally:
        person.close(force=True)


def typed_recently(session: Session | None) -> bool:
    seen = session.last_activity if session is not None else None
    return seen is not None and time.time() - seen < _ROUNDING + 60


def test_a_shell_shows_when_something_is_typed():
    watch = Watch()
    with typing("bash", "--norc") as person:
        person.sendline("echo rea''dy")
        person.expect("ready")
        then = age(str(Path(f"/proc/{person.pid}/fd/0").readlink()), 7200)
        before = watch.look(person.pid)["shell"]
        person.sendline("echo a''gain")
        person.expect("again")

        after = watch.look(person.pid)["shell"]

    assert before.last_activity is not None
    assert abs(before.last_activity - then) <= _ROUNDING
    assert typed_recently(after)


def test_output_alone_is_no_input():
    watch = Watch()
    with typing("bash", "--norc", "-c", "read; echo out; sleep 600") as person:
        eventually(lambda: watch.look(person.pid).get("shell"))
        terminal = str(Path(f"/proc/{person.pid}/fd/0").readlink())
        person.sendline("")
        person.expect("out")
        then = age(terminal, 7200)
        Path(terminal).write_text("a notice from somebody\n")
        person.expect("notice")

        found = Watch().look(person.pid)["shell"]

    assert found.last_activity is not None
    assert abs(found.last_activity - then) <= _ROUNDING


@pytest.fixture
def label() -> str:
    return f"test-{uuid.uuid4().hex[:8]}"


def test_a_detached_tmux_proves_nothing_and_an_attached_one_does(label: str):
    require("tmux")
    watch = Watch()
    base = ("tmux", "-L", label, "-f", "/dev/null")
    with running(*base, "-D") as server:
        eventually(lambda: watch.look(server.pid).get("tmux"))
        with running(*base, "new-session", "-d", "-x", "80", "-y", "24") as starter:
            starter.wait()

        detached = watch.look(server.pid)
        with typing(*base, "attach") as person:
            eventually(lambda: watch.look(server.pid)["tmux"].last_activity)
            person.sendline("echo rea''dy")
            person.expect("ready")
            attached = watch.look(server.pid)["tmux"]
        gone = eventually(lambda: watch.look(server.pid)["tmux"].last_activity is None)

    assert set(detached) == {"tmux"}
    assert detached["tmux"].last_activity is None
    assert typed_recently(attached)
    assert gone


def test_a_detached_screen_proves_nothing_and_an_attached_one_does(label: str, tmp_path: Path):
    require("screen")
    watch = Watch()
    tmp_path.chmod(0o700)
    where = ("env", f"SCREENDIR={tmp_path}", "screen")
    with running(*where, "-D", "-m", "-S", label, "bash", "--norc") as server:
        eventually(lambda: "screen" in watch.look(server.pid))
        detached = watch.look(server.pid)
        with typing(*where, "-x", label) as person:
            eventually(lambda: watch.look(server.pid)["screen"].last_activity)
            person.sendline("echo rea''dy")
            person.expect("ready")
            attached = watch.look(server.pid)["screen"]

    assert set(detached) == {"screen"}
    assert detached["screen"].last_activity is None
    assert typed_recently(attached)


def test_a_sleep_that_only_keeps_is_a_keeper():
    with running("sleep", "infinity") as keeper:
        found = eventually(lambda: Watch().look(keeper.pid).get("keeper"))

    assert found.last_activity is None
