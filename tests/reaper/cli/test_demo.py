"""The demonstration on the command line: what it tells first, and how it refuses."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest


def test_another_terminal_finds_the_commands_that_are_told(run, tmp_path):
    shown = run("demo", "--listen", "127.0.0.1:0", "--lasts", "0", "--directory", tmp_path)

    told = [shlex.split(line) for line in shown.output.splitlines() if "export " in line]
    exported = dict(words[-1].split("=", 1) for words in told)
    assert shown.exit_code == 0
    assert exported["GPU_REAPER_SOCKET"] == str(tmp_path / "reaper.sock")
    assert exported["PATH"] == f"{Path(sys.executable).parent}:$PATH"
    assert exported["GPU_REAPER_CONFIG"] == str(tmp_path / "gpu-reaper.yaml")


def test_a_free_port_is_told_as_it_came_out(run, tmp_path):
    shown = run("demo", "--listen", "127.0.0.1:0", "--lasts", "0", "--directory", tmp_path)

    (port,) = re.findall(r"pages +http://127\.0\.0\.1:(\d+)/", shown.output)
    assert int(port) > 0


def test_a_port_in_use_is_named_with_the_option_that_cures_it(run):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        refused = run("demo", "--listen", f"127.0.0.1:{taken.getsockname()[1]}")

    assert refused.exit_code == 1
    assert "cannot listen on 127.0.0.1:" in refused.output
    assert "give --listen another port" in refused.output


def test_a_scenario_that_is_drawn_wrong_is_told_in_one_line(run, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text("version")

    refused = run("demo", "--listen", "127.0.0.1:0", "--scenario", path)

    assert refused.exit_code == 2
    assert refused.output.startswith(f"gpu-reaper: --scenario {path}: no TOML: ")


@pytest.fixture
def short():
    """A folder for temporary files with a path so short that a socket fits below it."""
    with tempfile.TemporaryDirectory(prefix="gr-") as name:
        yield Path(name)


def test_a_terminal_that_is_closed_ends_it_and_nothing_is_left(short):
    code = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); "
        "sys.argv[1:] = ['demo', '--listen', '127.0.0.1:0', '--rate', '60']; "
        "from reaper.__main__ import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(short)},
    ) as shown:
        assert shown.stdout is not None
        next(line for line in shown.stdout if line.startswith("Ctrl-C"))
        shown.send_signal(signal.SIGHUP)
        ended = shown.wait(60)

    assert (ended, list(short.iterdir())) == (0, [])
