"""Our books, kept as the reaper keeps them, agree with those of a real slurmdbd."""

import asyncio
import time
from collections.abc import Mapping

import pytest

from reaper.cycle.ledger.holding import Held
from reaper.cycle.ledger.tenancy import tenures
from reaper.domain.audit.jobs import Records
from reaper.domain.audit.reconciliation import reconcile
from reaper.domain.facts.allocation import Inventory, unite
from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.entries import Tenure
from reaper.platforms.slurm.holder import SlurmHolder
from tests.real.slurm.reaping import Reaper
from tests.real.slurm_cluster import MIRA, OTTO, SlurmCluster

LENGTH = 40.0
"""
Seconds of the span.  slurmdbd writes whole ones, and what completes is still held with us: some
two seconds a run that ends, which must stay small beside what 17 GPUs held.
"""

CLOSE = 0.005


class Ledger:
    """Keeps tenures as the cycle does, from what a holder says at every look."""

    def __init__(self, slurm: SlurmCluster) -> None:
        self._reaper = Reaper(slurm=slurm)
        self._holder = SlurmHolder(self._reaper.poll, cluster="grove")
        self._kept: dict[tuple[str, str, float], Tenure] = {}

    @property
    def tenures(self) -> tuple[Tenure, ...]:
        return tuple(self._kept.values())

    async def look(self) -> None:
        # A poll keeps its answer for a while; the holder keeps what a job held until it is gone.
        self._holder._poll = self._reaper.poll
        answer = await self._holder.claims(Inventory())
        standing = Held.of(one for one in self.tenures if one.end is None)
        united = unite(answer.claims, (), Inventory())
        for one in tenures(united.allocations, standing, {}, now=time.time(), pace=NORMAL):
            self._kept[one.run.key, one.gpu, one.begin] = one


def submit(slurm: SlurmCluster) -> Mapping[str, str]:
    """Fill the cluster with every kind of job that books are known to get wrong."""
    het = "-wgpu02 --gres=gpu:a100:4\n#SBATCH hetjob\n#SBATCH -wgpu04 --gpus=1"
    return {
        "typed": slurm.submit(OTTO, "-wgpu03", "--gpus=h100:8"),
        "array": slurm.submit(MIRA, "--array=0-1", "-wgpu01", "--gres=gpu:a100:1"),
        "requeued": slurm.submit(MIRA, "-wgpu01", "--gres=gpu:1"),
        "het": slurm.submit(MIRA, script=f"#!/bin/bash\n#SBATCH {het}\nsleep 600\n"),
        "bare": slurm.allocate(OTTO, "-wgpu04", "--gres=gpu:1"),
    }


async def asked(slurm: SlurmCluster, begin: float, end: float, runs: int) -> Records:
    """Ask accounting until slurmdbd has written every run down."""
    until = time.monotonic() + 60
    while True:
        found = await Reaper(slurm=slurm).backend.accounting(begin, end)
        began = [job for job in found.jobs if job.began is not None]
        if len(began) >= runs or time.monotonic() > until:
            return found
        await asyncio.sleep(0.3)


@pytest.mark.timeout(120)
async def test_our_books_and_slurms_agree(slurm):
    begin = float(int(time.time()))
    jobs = submit(slurm)
    ledger = Ledger(slurm)
    requeued = False
    while (now := time.time()) < begin + LENGTH or slurm.state(jobs["requeued"]) != "RUNNING":
        await ledger.look()
        if not requeued and now > begin + 6 and slurm.state(jobs["requeued"]) == "RUNNING":
            slurm.daemons.output("scontrol", "requeue", jobs["requeued"])
            requeued = True
        assert now < begin + 80, "the requeued job did not start again"
    end = float(int(time.time()))

    books = await asked(slurm, begin, end, runs=8)
    found = reconcile(ledger.tenures, books.jobs, begin, end)

    runs = {one.run.id: one.run.started for one in ledger.tenures}
    assert set(runs) == {
        jobs["typed"], f"{jobs['array']}_0", f"{jobs['array']}_1", jobs["requeued"], jobs["het"],
        jobs["bare"],
    }  # fmt: skip
    assert (found.runs, found.requeued, found.repeated) == (7, 1, 0), found
    print(f"ours {found.ours:.0f}, slurmdbd {found.theirs:.0f}: {found.difference:+.3%}")  # noqa: T201
    assert found.theirs > 17 * LENGTH * 0.7
    assert abs(found.difference) <= CLOSE, found
    assert found.finding() is None
    assert all("with us" in one.reason or "still runs" in one.reason for one in found.differences)
