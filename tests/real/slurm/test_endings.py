"""A real Slurm says how jobs with GPUs ended, and since when they had waited."""

from collections.abc import Iterator, Mapping

import pytest

from tests.real.slurm.reaping import Reaper
from tests.real.slurm_cluster import MIRA, SlurmCluster

GPU = "--gres=gpu:a100:1"
ENDINGS = {
    "good": ("exit 0", (GPU,), "completed"),
    "bad": ("exit 3", (GPU,), "failed"),
    "stopped": ("sleep 600", (GPU,), "cancelled"),
    "plain": ("exit 3", (), ""),
}


@pytest.fixture(scope="module")
def jobs(running_slurm: SlurmCluster) -> Iterator[Mapping[str, str]]:
    """Let four jobs end, each in its way; the one that is stopped must have begun."""
    slurm = running_slurm
    found = {
        name: slurm.submit(MIRA, "-wgpu01", *options, script=script)
        for name, (script, options, _) in ENDINGS.items()
    }
    slurm.await_state(found["stopped"], "RUNNING")
    slurm.cancel(found["stopped"])
    for name, state in (("good", "COMPLETED"), ("bad", "FAILED"), ("stopped", "CANCELLED")):
        slurm.await_state(found[name], state)
    slurm.await_state(found["plain"], "FAILED")
    yield found
    slurm.cancel_all()


async def test_endings_are_told_by_how_and_only_of_jobs_with_gpus(jobs, running_slurm):
    answer = await Reaper(slurm=running_slurm).answer()
    told = {item.key.partition(".")[0]: (item.outcome, item.partition) for item in answer.ended}

    assert {name: told.get(ident) for name, ident in jobs.items()} == {
        name: (outcome, "batch") if outcome else None for name, (_, _, outcome) in ENDINGS.items()
    }


async def test_a_live_job_tells_since_when_it_waited(running_slurm):
    job = running_slurm.submit(MIRA, "-wgpu01", GPU, script="sleep 600")
    running_slurm.await_state(job, "RUNNING")
    claim = await Reaper(slurm=running_slurm).claim(job)
    running_slurm.cancel_all()

    assert claim.submitted is not None
    assert 0 < claim.submitted <= claim.run.started
