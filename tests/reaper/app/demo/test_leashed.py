"""A process on a leash ends with who started it, however that one ends."""

import os
import signal
import subprocess
import sys
from select import select

import pytest

#: Longest wait on a busy machine; seconds.
PATIENCE = 60.0

#: Starts a leashed process that says its id and then waits for ever, and waits for it.
PARENT = """
import os, subprocess, sys
child = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
leash = [sys.executable, "-m", "reaper.app.demo.leashed", str(os.getpid())]
subprocess.run([*leash, "-c", child])
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the leash is Linux's")


def line(reader: int) -> str:
    """Return the next line that is written; empty once every writer has ended."""
    said = b""
    while not said.endswith(b"\n"):
        ready, _, _ = select([reader], [], [], PATIENCE)
        assert ready, "nothing was said, and nobody ended"
        more = os.read(reader, 1)
        if not more:
            break
        said += more
    return said.decode()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_its_parent(how: signal.Signals) -> None:
    reader, writer = os.pipe()
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=writer) as parent:
        os.close(writer)
        child = int(line(reader))
        parent.send_signal(how)

        assert (child > 0, line(reader)) == (True, "")
    os.close(reader)


def test_it_does_not_begin_when_its_parent_is_gone_already() -> None:
    leash = [sys.executable, "-m", "reaper.app.demo.leashed", "1", "-c", "print('begun')"]

    done = subprocess.run(leash, capture_output=True, timeout=PATIENCE, check=False)

    assert (done.returncode, done.stdout) == (1, b"")


def test_what_it_runs_is_told_everything_else() -> None:
    told = ["-c", "import sys; print(sys.argv[1:])", "--node", "gpu01"]
    leash = [sys.executable, "-m", "reaper.app.demo.leashed", str(os.getpid()), *told]

    done = subprocess.run(leash, capture_output=True, timeout=PATIENCE, check=True)

    assert done.stdout == b"['--node', 'gpu01']\n"
