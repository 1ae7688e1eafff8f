"""Releases on a real cluster: the gentlest way, exactly one run, and back again."""

import asyncio
import re
import time

import pytest

from reaper.domain.escalation.decision import Verb
from reaper.ports import ActionError, Progress, Recheck
from tests.real.slurm.reaping import Reaper, effect
from tests.real.slurm_cluster import MIRA, OTTO, SlurmCluster

TRAPS = """#!/bin/bash
#SBATCH --signal=B:USR1@20
trap 'echo saved >trapped.$SLURM_JOB_ID; exit 0' USR1
while :; do sleep 1 & wait $!; done
"""

SHRUNK = {("00:01:00", "0"), ("00:02:00", "0")}
"""Limit and flag of a job that has just begun and is released."""


@pytest.fixture
def reaper(slurm: SlurmCluster) -> Reaper:
    return Reaper(slurm=slurm)


def record(slurm: SlurmCluster, job: str) -> tuple[str, str]:
    """Return the limit and the requeue flag that `scontrol` shows."""
    said = slurm.daemons.command("scontrol", "show", "job", job)
    limit, requeue = re.search(r"TimeLimit=(\S+)", said), re.search(r"Requeue=(\d)", said)
    assert limit, said
    assert requeue, said
    return limit[1], requeue[1]


def running(slurm: SlurmCluster, *options: str, user: str = MIRA, script: str = "sleep 600") -> str:
    job = slurm.submit(user, *options, script=script)
    slurm.await_state(job, "RUNNING")
    return job


async def test_a_shrunk_limit_lets_the_jobs_own_signal_save_its_work(slurm, reaper):
    job = running(slurm, "--gres=gpu:a100:1", "--time=60", script=TRAPS)
    claim = await reaper.claim(job)
    # Slurm shrinks in minutes: a phase just before one leaves the least to wait for.
    await asyncio.sleep(max(0.0, claim.run.started + 4 - time.time()))
    release = effect(claim)

    receipt = await reaper.begin(release)
    began = time.time()

    assert await reaper.inspect(release) is Progress.PENDING
    ends = (await reaper.claim(job)).limit
    assert 50 - 2 <= ends - began <= 20 + 180
    assert "former TimeLimit=60 Requeue=1" in receipt.text
    slurm.await_state(job, "COMPLETED", within=100)
    assert (slurm.work / f"trapped.{job}").read_text() == "saved\n"
    assert await reaper.inspect(release) is Progress.DONE
    assert await reaper.actor.recheck(claim.run) is Recheck.GONE


@pytest.mark.parametrize("limit", ["--time=60", "--time=UNLIMITED"])
async def test_a_restore_gives_back_limit_and_flag(slurm, reaper, limit):
    job = running(slurm, "--gres=gpu:a100:1", limit)
    claim, before = await reaper.claim(job), record(slurm, job)
    receipt = await reaper.begin(effect(claim))
    assert record(slurm, job) in SHRUNK

    restore = effect(claim, Verb.RESTORE, former=receipt.text)
    await reaper.begin(restore)

    assert record(slurm, job) == before
    assert await reaper.inspect(restore) is Progress.DONE
    assert await reaper.inspect(effect(claim)) is Progress.NOT_APPLIED
    assert await reaper.actor.recheck(claim.run) is Recheck.SAME


async def test_a_restore_works_without_receipt_after_a_crash(slurm, reaper):
    job = running(slurm, "--gres=gpu:a100:1", "--time=45", "--no-requeue")
    claim, before = await reaper.claim(job), record(slurm, job)
    await reaper.begin(effect(claim))

    await reaper.begin(effect(claim, Verb.RESTORE, former="found under way"))

    assert record(slurm, job) == before


async def test_a_second_begin_changes_nothing(slurm, reaper):
    job = running(slurm, "--gres=gpu:a100:1", "--time=60")
    claim = await reaper.claim(job)
    first = await reaper.begin(effect(claim))
    shrunk = record(slurm, job)

    again = await reaper.begin(effect(claim))

    assert record(slurm, job) == shrunk
    assert again.text.partition("former")[2] == first.text.partition("former")[2]


async def test_the_last_task_of_an_array_goes_alone(slurm, reaper):
    array = slurm.submit(MIRA, "--array=0-2", "--gres=gpu:a100:1", "--time=60", "--time-min=30")
    for task in range(3):
        slurm.await_state(f"{array}_{task}", "RUNNING")
    claim = await reaper.claim(f"{array}_2")
    assert claim.node_ids == (array,), "the last task carries the array's own id"

    # TimeMin forbids a short limit: what is left is an explicit cancel.
    receipt = await reaper.begin(effect(claim))

    assert "cancelled" in receipt.text
    assert "Requeue=1" in receipt.text
    slurm.await_state(f"{array}_2", "CANCELLED")
    assert [slurm.state(f"{array}_{task}") for task in (0, 1)] == ["RUNNING", "RUNNING"]
    assert await reaper.inspect(effect(claim)) is Progress.DONE


async def test_a_shrunk_task_leaves_the_limits_of_its_siblings(slurm, reaper):
    array = slurm.submit(MIRA, "--array=0-1", "--gres=gpu:a100:1", "--time=60")
    for task in range(2):
        slurm.await_state(f"{array}_{task}", "RUNNING")
    before = await reaper.claims()

    await reaper.begin(effect(before[f"{array}_1"]))

    after = await reaper.claims()
    assert after[f"{array}_1"].limit < time.time() + 180
    assert after[f"{array}_0"].limit == before[f"{array}_0"].limit
    assert after[f"{array}_0"].requeueable


async def test_all_components_of_a_het_job_go_together(slurm, reaper):
    job = running(slurm, "--gres=gpu:h100:1", "--time=60", ":", "-wgpu04", "--gres=gpu:1")
    claim = await reaper.claim(job)
    assert sorted(place.node for place in claim.places) == ["gpu03", "gpu04"]
    assert len(claim.node_ids) == 2

    await reaper.begin(effect(claim))

    assert all(record(slurm, ident) in SHRUNK for ident in claim.node_ids)


async def test_an_idle_shell_is_released_and_never_signalled(slurm, reaper):
    _, job = slurm.shell(
        OTTO, "srun", "-pinteractive", "--gres=gpu:a100:1", "--time=60", "--pty", "bash", "--norc"
    )
    claim = await reaper.claim(job)
    with pytest.raises(ActionError, match="interactive"):
        await reaper.begin(effect(claim, Verb.SAVE, signal="USR1", target="step"))

    await reaper.begin(effect(claim))

    assert slurm.state(job) == "RUNNING"
    assert await reaper.inspect(effect(claim)) is Progress.PENDING


async def test_an_allocation_without_process_is_released(slurm, reaper):
    job = slurm.allocate(OTTO, "--gres=gpu:a100:1", "--time=60", "--time-min=30")
    claim = await reaper.claim(job)

    await reaper.begin(effect(claim))

    slurm.await_state(job, "CANCELLED")
    assert await reaper.inspect(effect(claim)) is Progress.DONE


async def test_a_requeued_job_is_another_run(slurm, reaper):
    job = running(slurm, "--gres=gpu:a100:1", "--time=60")
    first = await reaper.claim(job)
    requeue = effect(first, requeue=True)
    assert await reaper.inspect(requeue) is Progress.NOT_APPLIED

    await reaper.begin(requeue)

    slurm.await_state(job, "PENDING")
    assert await reaper.inspect(requeue) is Progress.DONE
    assert await reaper.inspect(effect(first)) is Progress.RECREATED
    slurm.await_state(job, "RUNNING", within=30)
    second = await reaper.claim(job)
    assert second.run.key != first.run.key
    assert (second.restarts, second.requeueable) == (1, True)
    assert await reaper.actor.recheck(first.run) is Recheck.CHANGED
    with pytest.raises(ActionError, match="no longer the run"):
        await reaper.begin(effect(first))
    assert slurm.state(job) == "RUNNING"


async def test_a_suspended_job_keeps_its_claim_and_is_left_alone(slurm, reaper):
    job = running(slurm, "--gres=gpu:a100:1")
    claim = await reaper.claim(job)
    slurm.daemons.command("scontrol", "suspend", job)

    suspended = await reaper.claim(job)

    assert suspended.places == claim.places
    assert await reaper.actor.recheck(claim.run) is Recheck.CHANGED
    with pytest.raises(ActionError, match="SUSPENDED"):
        await reaper.begin(effect(claim))


async def test_an_ordinary_account_cannot_release_what_is_not_its_own(slurm):
    job = running(slurm, "--gres=gpu:a100:1", user=MIRA)
    claim = await Reaper(slurm=slurm).claim(job)
    before = record(slurm, job)

    with pytest.raises(ActionError) as refusal:
        await Reaper(slurm=slurm, user=OTTO).begin(effect(claim))

    assert not refusal.value.recoverable
    assert record(slurm, job) == before


async def test_an_expired_intent_touches_nothing(slurm, reaper):
    job = running(slurm, "--gres=gpu:a100:1")
    claim, before = await reaper.claim(job), record(slurm, job)

    with pytest.raises(ActionError, match="expired"):
        await reaper.begin(effect(claim, expires=time.time() - 1))
    assert record(slurm, job) == before
