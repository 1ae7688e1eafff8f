import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from reaper.cli.main import COMMANDS, cli
from tests.builders_gallery import gallery
from tests.served import serving

HEAVY = (
    *("aiohttp", "pydantic", "sqlalchemy", "jinja2", "slack_sdk", "apscheduler", "yaml"),
    *("fluent", "babel"),
)


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_every_command_of_the_list_is_there_and_has_a_help(name, run):
    command = cli.get_command(click.Context(cli), name)

    assert command is not None
    assert run(name, "--help").exit_code == 0
    assert command.help


def test_the_help_lists_every_command(run):
    text = run("--help").output

    assert [name for name in (entry.name for entry in COMMANDS) if f"\n  {name}" not in text] == []


def test_an_unknown_command_is_wrong_usage(run):
    assert run("reap-everything").exit_code == 2


@pytest.mark.parametrize("asked", ["version", "--version"])
def test_the_version_is_told(run, asked):
    assert re.match(r"gpu-reaper,? (version )?\d", run(asked).output)


async def test_the_program_starts_without_what_it_does_not_need(tmp_path):
    """Vendors and settings cost most of a second; a status from the running reaper needs none."""
    code = (
        "import sys; from reaper.cli.main import cli; cli(standalone_mode=False); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    async with serving(tmp_path, gallery()) as served:
        import asyncio

        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, "status", "--socket", str(served.socket),
            stdout=subprocess.PIPE, env={**os.environ, "COLUMNS": "200"},
        )  # fmt: skip
        out, _ = await child.communicate()

    assert "22 of 89 GPUs are held and idle" in out.decode()
    assert out.decode().splitlines()[-1] == "[]"


def test_the_program_runs_as_a_module():
    told = subprocess.run(
        [sys.executable, "-m", "reaper", "--help"], check=True, capture_output=True, text=True
    )

    assert "gpu-reaper [OPTIONS] COMMAND" in told.stdout


def test_what_a_terminal_cannot_show_is_replaced(tmp_path):
    path = tmp_path / "日.yaml"
    path.write_text("cluster: a\n")
    told = subprocess.run(
        [sys.executable, "-m", "reaper", "check", path],
        check=False,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )

    assert (told.returncode, told.stderr) == (0, b"")
    assert told.stdout.startswith(b"no mistake in ")


def test_an_output_without_room_is_an_error_of_one_line():
    with Path("/dev/full").open("wb") as full:
        told = subprocess.run(
            [sys.executable, "-m", "reaper", "version"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )

    assert told.returncode == 1
    assert (
        told.stderr == b"gpu-reaper: standard output: No space left on device; make room for it\n"
    )
