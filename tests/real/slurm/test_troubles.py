"""A controller that hangs, commands that break off, names that lie: never a wrong answer."""

import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reaper.ports import ActionError, SourceError
from tests.real.slurm.reaping import Reaper, effect
from tests.real.slurm_cluster import MIRA, OTTO, SlurmCluster

EVIL = "x JobState=COMPLETED\nJobId=1 Requeue=0 UserId=root(0)\tGRES=gpu:8 é"


def wrapped(folder: Path, **programs: str) -> Path:
    """Make a folder of commands: the given shell lines, and the real ones for the rest."""
    folder.mkdir()
    for name in ("squeue", "scontrol", "scancel", "sacct", "sacctmgr"):
        line = programs.get(name, f'exec {name} "$@"')
        path = folder / name
        path.write_text(f"#!/bin/bash\n{line}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return folder


@contextmanager
def stopped(slurm: SlurmCluster, name: str) -> Iterator[None]:
    """Stop a daemon without ending it: it takes connections and never answers."""
    pid = slurm.daemons.pid(name)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.fixture
def held(slurm: SlurmCluster) -> str:
    job = slurm.submit(MIRA, "--gres=gpu:a100:2", "--time=60")
    slurm.await_state(job, "RUNNING")
    return job


async def test_a_controller_that_hangs_is_given_up_and_then_spared(slurm, held):
    poll = Reaper(slurm=slurm, timeout=6.0).poll

    with stopped(slurm, "slurmctld"):
        begun = time.monotonic()
        with pytest.raises(SourceError, match=r"did not answer in 6 s.*scontrol ping"):
            await poll.snapshot()
        assert time.monotonic() - begun < 60
        with pytest.raises(SourceError, match=r"not asked.*next in"):
            await poll.snapshot()

    assert poll.interval == 120


async def test_an_act_on_a_controller_that_hangs_may_be_tried_again(slurm, held):
    reaper = Reaper(slurm=slurm, timeout=1.0)
    claim = await Reaper(slurm=slurm).claim(held)

    with stopped(slurm, "slurmctld"), pytest.raises(ActionError, match="did not answer") as error:
        await reaper.begin(effect(claim))

    assert error.value.recoverable


@pytest.mark.parametrize(
    ("program", "line", "why"),
    [
        ("squeue", "sleep 60", "did not answer in 1 s"),
        ("squeue", 'squeue "$@" | head -c 900', "squeue: "),
        ("squeue", 'echo "Socket timed out" >&2; exit 1', "status 1: Socket timed out"),
        ("squeue", "exit 0", "the answer is empty"),
        ("scontrol", 'scontrol "$@" | head -c 700', "scontrol show node: "),
        ("scontrol", "kill -9 $$", "status -9"),
        ("scontrol", r'scontrol "$@" | tr "=" "\377"', "scontrol show node: "),
    ],
)
async def test_a_command_that_fails_is_no_answer(slurm, program, line, why):
    folder = slurm.work / f"commands-{time.monotonic_ns()}"
    commands = wrapped(folder, **{program: line})

    with pytest.raises(SourceError, match=why):
        await Reaper(slurm=slurm, commands=commands, timeout=1.0).answer()


async def test_a_name_with_line_breaks_and_slurms_own_words_changes_nothing(slurm):
    job = slurm.submit(MIRA, "--gres=gpu:a100:1", f"--job-name={EVIL}", f"--comment={EVIL}")
    slurm.await_state(job, "RUNNING")

    claim = await Reaper(slurm=slurm).claim(job)

    assert (claim.user, claim.requeueable, len(claim.places), claim.doubt) == (MIRA, True, 1, "")
    assert claim.name == EVIL


async def test_bytes_that_are_no_utf8_in_a_name_harm_nothing(slurm):
    script = "#!/bin/bash\nsbatch --parsable --gres=gpu:a100:1 -J $'b\\xff\\xfe' --wrap 'sleep 600'"
    job = slurm.run_as(OTTO, "bash", "-c", script.partition("\n")[2]).strip()
    slurm.await_state(job, "RUNNING")

    claim = await Reaper(slurm=slurm).claim(job)

    assert (claim.user, len(claim.places), claim.name[0]) == (OTTO, 1, "b")


async def test_a_node_that_is_drained_says_so(slurm):
    slurm.daemons.command(
        "scontrol", "update", "NodeName=gpu04", "State=DRAIN", "Reason=fan State=IDLE Gres=gpu:9"
    )
    try:
        answer = await Reaper(slurm=slurm).answer()
    finally:
        slurm.daemons.command("scontrol", "update", "NodeName=gpu04", "State=RESUME")

    states = {item.node: (item.state, item.gpus) for item in answer.capacities}
    assert states["gpu04"] == ("drained", 2)
    assert states["gpu01"] == ("up", 4)


async def test_a_job_that_completes_slowly_holds_until_it_is_gone(slurm):
    script = "#!/bin/bash\ntrap '' TERM\nwhile :; do sleep 1; done"
    job = slurm.submit(MIRA, "--gres=gpu:a100:1", script=script)
    slurm.await_state(job, "RUNNING")
    slurm.await_true(lambda: bool(slurm.pids(job)), "no process yet")
    reaper = Reaper(slurm=slurm)
    claim = await reaper.claim(job)
    slurm.cancel(job)
    slurm.await_state(job, "COMPLETING")

    assert (await reaper.actor.inspect(effect(claim))).value == "pending"
    answer = await reaper.answer()

    assert [item.doubt for item in answer.claims if item.doubt] == []


async def test_an_answer_is_not_waited_for_long(slurm, held, record_property):
    begun = time.monotonic()
    await Reaper(slurm=slurm).answer()
    took = time.monotonic() - begun

    record_property("seconds", took)
    assert took < 30
