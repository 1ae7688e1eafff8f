"""Terminals: whose they are, what they get, and that nothing waits for one."""

import os
import pty
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from pwd import getpwuid

import pytest

from reaper.edge.command import Finished
from reaper.notifiers.terminal import Terminal, TerminalSettings
from reaper.notifiers.terminal.ttys import tell, write_to
from reaper.notifiers.terminal.writing import plain_ascii
from reaper.ports import Delivered, Letter, NotifyError
from tests.channels import MIRA, clock, letter, notice
from tests.messages import LETTERS, OTTO


class Slurm:
    """Takes what scontrol is asked; refuses the jobs that are named."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.asked: list[tuple[str, ...]] = []
        self.environment: Mapping[str, str] = {}

    async def __call__(
        self, argv: Sequence[str], *, environment: Mapping[str, str], within: float, limit: int
    ) -> Finished:
        self.asked.append(tuple(argv))
        self.environment = environment
        bad = argv[2] in self.refused
        return Finished(status=int(bad), out="", err="Invalid job id specified" if bad else "")


async def shown(
    written: Letter, scontrol: Slurm, *, ttys: tuple[str, ...] = (), **settings: object
) -> Delivered:
    def account(user: str):
        if user not in ("mira", "otto"):
            raise KeyError(user)
        return getpwuid(0)

    return await Terminal(
        TerminalSettings.model_validate(settings),
        clock=clock(),
        runner=scontrol,
        environment={"PATH": "/usr/bin", "SLURM_CONF": "/etc/slurm.conf", "HTTP_PROXY": "x"},
        account=account,
        tell=lambda uid, text: ttys,
    ).deliver(written)


async def test_a_job_is_told_in_one_ascii_line():
    slurm = Slurm()
    told = await shown(letter(notice("final", name="обучение\x1b]0;x")), slurm)
    (argv,) = slurm.asked

    assert argv[:3] == ("scontrol", "notify", "4711")
    assert argv[3].startswith("gpu-reaper: Last notice: your 2 GPUs are still idle.")
    assert argv[3].isascii()
    assert argv[3].isprintable()
    assert told.handle == "job 4711"


async def test_scontrol_gets_no_more_of_the_environment_than_it_needs():
    slurm = Slurm()
    await shown(letter(notice()), slurm, commands="/opt/slurm/bin")

    assert slurm.environment == {"PATH": "/usr/bin", "SLURM_CONF": "/etc/slurm.conf"}
    assert slurm.asked[0][0] == "/opt/slurm/bin/scontrol"


async def test_a_task_of_an_array_is_named():
    slurm = Slurm()
    await shown(letter(notice(allocation="slurm/4711_3")), slurm)

    assert slurm.asked[0][2] == "4711_3"


@pytest.mark.parametrize(
    "allocation",
    ["kubernetes/a/b", "slurm/4711;reboot", "slurm/--help", "slurm/", "slurm/٤", "host/4711"],
)
async def test_what_is_no_job_is_never_an_argument(allocation: str):
    slurm = Slurm()
    await shown(letter(notice(allocation=allocation)), slurm, ttys=("3",))

    assert slurm.asked == []


@pytest.mark.parametrize("kind", ["released", "reverted", "failed", "operator"])
async def test_a_job_that_may_be_over_is_not_told(kind):
    slurm = Slurm()
    await shown(letter(notice(kind)), slurm, ttys=("3",))

    assert slurm.asked == []


async def test_a_job_that_is_gone_leaves_the_others():
    told = await shown(LETTERS["warning-digest"], Slurm("4711"))

    assert told.handle == "job 4712, job 4713"


async def test_without_any_terminal_it_says_so():
    with pytest.raises(NotifyError, match="mira has no terminal that takes messages"):
        await shown(letter(notice()), Slurm(), slurm=False)


async def test_a_user_whom_this_machine_does_not_know_has_no_tty_here():
    stranger = replace(MIRA, user="ada")
    with pytest.raises(NotifyError, match="ada has no terminal"):
        await shown(letter(notice(), to=stranger), Slurm(), slurm=False, ttys=("3",))


async def test_whoever_has_left_is_told_nowhere_here():
    slurm = Slurm()
    with pytest.raises(NotifyError, match="has left"):
        await shown(letter(notice(), to=OTTO), slurm, ttys=("3",))

    assert slurm.asked == []


def test_a_text_becomes_ascii_with_its_lines():
    assert plain_ascii("“2 × A100”…\nобуч\x07") == '"2 x A100"...\n?????'


# ------------------------------------------------------------------ real terminals


@pytest.fixture
def terminal() -> Iterator[tuple[int, Path]]:
    ours, theirs = pty.openpty()
    try:
        path = Path(os.ttyname(theirs))
        path.chmod(0o620)
        yield ours, path
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_users_own_terminal_takes_a_message(terminal: tuple[int, Path]):
    ours, path = terminal

    assert write_to(path, os.getuid(), b"hello\r\n")
    assert b"hello" in os.read(ours, 100)


def test_a_terminal_that_wants_no_messages_gets_none(terminal: tuple[int, Path]):
    ours, path = terminal
    path.chmod(0o600)
    os.set_blocking(ours, False)

    assert not write_to(path, os.getuid(), b"hello")
    with pytest.raises(BlockingIOError):
        os.read(ours, 100)


def test_another_users_terminal_gets_nothing(terminal: tuple[int, Path]):
    assert not write_to(terminal[1], os.getuid() + 1, b"hello")


def test_a_terminal_that_is_full_is_not_waited_for(terminal: tuple[int, Path]):
    assert not write_to(terminal[1], os.getuid(), b"x" * (1 << 22))


@pytest.mark.parametrize("what", ["file", "link", "nothing"])
def test_what_is_no_terminal_is_not_written_to(
    what: str, terminal: tuple[int, Path], tmp_path: Path
):
    path = tmp_path / "3"
    if what == "file":
        path.touch(0o620)
    if what == "link":
        path.symlink_to(terminal[1])

    assert tell(os.getuid(), b"hello", tmp_path) == ()
    assert what != "file" or path.read_bytes() == b""


def test_a_machine_without_terminals_has_none(tmp_path: Path):
    assert tell(os.getuid(), b"hello", tmp_path / "none") == ()
