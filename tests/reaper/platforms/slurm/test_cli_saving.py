"""The commands of a save: steps by their ids, and a look as the job's own user."""

from pathlib import Path

import pytest

from reaper.platforms.slurm.cli import CliBackend
from reaper.ports import ActionError
from tests.reaper.platforms.slurm.drawn import job
from tests.reaper.platforms.slurm.test_cli import Said

MINE = job(7, "gpu:1", uid=1500, gid=100)


async def test_a_jobs_own_steps_are_listed_without_slurms():
    said = Said("7.0\n7.12\n7.batch\n7.extern\n7.interactive\n")

    assert await said.backend().steps("7") == ("7.0", "7.12")
    assert said.argv == ("squeue", "--steps", "--noheader", "--format=%i", "--jobs", "7")


@pytest.mark.parametrize("step", ["7", "7.batch", "7.extern", "7.0,7.1", "--user=mira"])
async def test_what_is_no_step_reaches_no_command(step: str):
    said = Said()

    with pytest.raises(ActionError, match="no step's id"):
        await said.backend().signal_step(step, "USR1")
    assert said.argv == ()


async def test_a_look_becomes_the_user_and_then_starts_a_step(tmp_path: Path):
    said = Said("end\n")

    assert await said.backend(commands=tmp_path).beside(MINE, "find", ("/ckpt",)) == "end\n"

    become = said.argv.index(f"{tmp_path}/srun")
    assert said.argv[0] == "setpriv"
    assert said.argv[1:3] == ("--reuid", "1500")
    assert "--jobid=7" in said.argv[become:]


@pytest.mark.parametrize(
    ("err", "recoverable", "cure"),
    [
        ("setpriv: setresuid failed: Operation not permitted", False, "CAP_SETUID"),
        ("srun: error: Unable to create step for job 7: Access/permission denied", False, "root"),
        ("srun: error: Unable to create step for job 7: Requested nodes are busy", True, "again"),
        (
            "srun: error: Unable to confirm allocation for job 7: Job is pending execution",
            True,
            "ended",
        ),
        ("srun: error: Task launch failed: Invalid job credential", False, "by hand"),
    ],
)
async def test_a_look_that_is_refused_says_why(err: str, *, recoverable: bool, cure: str):
    backend: CliBackend = Said(err=err, status=1).backend()

    with pytest.raises(ActionError, match=cure) as refusal:
        await backend.beside(MINE, "find", ())
    assert refusal.value.recoverable is recoverable
