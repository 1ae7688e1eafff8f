"""Saves on a real cluster: who is signalled, what is read as whom, and what is no proof."""

import asyncio
import re
import time
from dataclasses import dataclass, field, replace

import pytest

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.judgement.policy import Save
from reaper.edge.clock import SystemClock
from reaper.platforms.slurm.release.actor import SlurmActor
from reaper.ports import ActionError, Progress
from tests.real.slurm.reaping import Reaper, effect
from tests.real.slurm_cluster import MIRA, OPERATOR, OTTO, SlurmCluster

pytestmark = pytest.mark.timeout(150)

#: A job that counts steps, goes on from the last one it saved, and does `%s` when it is asked.
TRAINING = """#!/bin/bash
mine=ckpt.$SLURM_JOB_ID
step=$(cat $mine/step 2>/dev/null || echo 0)
echo "begins at $step" >>story.$SLURM_JOB_ID
save() { mkdir -p $mine; echo $step >$mine/step; echo "saved $step" >>story.$SLURM_JOB_ID; }
trap '%s' USR1
while :; do step=$((step + 1)); sleep 0.1 & wait $!; done
"""
SELF_REQUEUE = "save; scontrol requeue $SLURM_JOB_ID || echo not allowed >>story.$SLURM_JOB_ID"
FOLDER = Save(signal="USR1", path="{workdir}/ckpt.{job}", within=60.0)


@dataclass(slots=True)
class Asker:
    """One actor as a reaper keeps it, and how far each save has come."""

    slurm: SlurmCluster
    user: str = "root"
    rights: tuple[str, ...] = ()
    proof: Save = FOLDER
    actor: SlurmActor = field(init=False)

    def __post_init__(self) -> None:
        backend = Reaper(slurm=self.slurm, user=self.user, rights=self.rights).backend
        self.actor = SlurmActor(backend, SystemClock(), step=1.0)

    async def save(self, job: str, target: str = "batch") -> Effect:
        """Return the effect of asking a job to save itself."""
        claim = await Reaper(slurm=self.slurm).claim(job)
        more = {"save": self.proof, "signal": "USR1", "target": target}
        return effect(claim, Verb.SAVE, **more)

    async def ask(self, job: str, target: str = "batch") -> Effect:
        """Prepare and ask; return the effect with its receipt."""
        wanted = await self.save(job, target)
        prepared = await self.actor.prepare(wanted)
        wanted = replace(wanted, former=prepared.text)
        receipt = await self.actor.begin(wanted, now=time.time())
        return replace(wanted, former=receipt.text)

    async def proven(self, asked: Effect, within: float = 8.0) -> bool:
        """Look until the proof is there or time is up."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            if await self.actor.inspect(asked) is Progress.DONE:
                return True
            await asyncio.sleep(0.3)
        return False


@pytest.fixture
def asker(slurm: SlurmCluster) -> Asker:
    return Asker(slurm)


def training(slurm: SlurmCluster, *options: str, asked: str = "save", user: str = MIRA) -> str:
    """Submit a training job that is at work when this returns."""
    wanted = options or ("--gres=gpu:a100:1",)
    job = slurm.submit(user, *wanted, "--time=60", script=TRAINING % asked)
    slurm.await_true(lambda: bool(story(slurm, job)), f"job {job} does not begin")
    return job


def story(slurm: SlurmCluster, job: str) -> list[str]:
    path = slurm.work / f"story.{job}"
    return path.read_text().splitlines() if path.exists() else []


def flag(slurm: SlurmCluster, job: str) -> str:
    said = slurm.daemons.command("scontrol", "show", "job", job)
    found = re.search(r"Requeue=(\d)", said)
    assert found, said
    return found[1]


async def test_a_saved_job_is_requeued_and_goes_on_from_its_step(slurm, asker):
    job = training(slurm)
    asked = await asker.ask(job)
    assert flag(slurm, job) == "0"
    assert await asker.proven(asked)
    claim = await Reaper(slurm=slurm).claim(job)
    requeue = effect(claim, requeue=True, requeueable=True)

    await asker.actor.begin(requeue, now=time.time())

    slurm.await_true(lambda: len(story(slurm, job)) == 3, "it does not begin again", within=40)
    begun, saved, again = story(slurm, job)
    assert begun == "begins at 0"
    assert again == saved.replace("saved", "begins at") != begun
    assert flag(slurm, job) == "1"
    assert await asker.actor.inspect(requeue) is Progress.DONE


async def test_a_handler_that_requeues_itself_is_not_allowed_to(slurm, asker):
    job = training(slurm, asked=SELF_REQUEUE)

    asked = await asker.ask(job)

    assert await asker.proven(asked)
    slurm.await_true(lambda: story(slurm, job)[-1] == "not allowed", "it was allowed")
    assert slurm.state(job) == "RUNNING"
    assert (await Reaper(slurm=slurm).claim(job)).restarts == 0


async def test_giving_up_gives_the_flag_back(slurm, asker):
    job = training(slurm, asked="echo yes >>story.$SLURM_JOB_ID")
    asked = await asker.ask(job)
    assert not await asker.proven(asked, within=2.0)
    restore = replace(asked, verb=Verb.RESTORE, flag_only=True)

    await asker.actor.begin(restore, now=time.time())

    assert flag(slurm, job) == "1"
    assert story(slurm, job)[-1] == "yes"
    assert await asker.actor.inspect(restore) is Progress.DONE


@pytest.mark.parametrize(
    "asked",
    [
        'mkdir -p $mine; echo x >$mine/f; touch -d "1 day ago" $mine/f',
        "mkdir -p $mine; echo x >$mine/f; chmod 000 $mine/f",
        "mkdir -p $mine; : >$mine/empty",
        "mkdir -p $mine; echo x >$mine/f; chmod 000 $mine",
    ],
    ids=["old", "unreadable", "empty", "closed"],
)
async def test_what_is_no_proof_is_not_taken_for_one(slurm, asker, asked):
    job = training(slurm, asked=asked)

    effect = await asker.ask(job)

    slurm.await_true((slurm.work / f"ckpt.{job}").exists, "its handler did not run")
    assert not await asker.proven(effect, within=3.0)


async def test_a_file_that_lies_there_already_is_no_proof(slurm, asker):
    job = training(slurm, asked="save")
    slurm.daemons.command("scancel", "--signal=USR1", "--batch", job)
    slurm.await_true(lambda: len(story(slurm, job)) == 2, "its handler did not run")

    prepared = await asker.actor.prepare(await asker.save(job))

    unasked = replace(await asker.save(job), former=prepared.text)
    assert not await asker.proven(unasked, within=3.0)


@pytest.mark.parametrize(("writer", "proof"), [("gpu01", True), ("gpu02", False)])
async def test_only_what_the_first_node_sees_is_a_proof(slurm, writer, proof):
    local = f"{slurm.root}/local"
    asker = Asker(slurm, proof=replace(FOLDER, path=f"{local}/{{job}}"))
    write = f"mkdir {local}/$SLURM_JOB_ID; echo x >{local}/$SLURM_JOB_ID/f"
    asked = f'srun --overlap -N1 -n1 -w {writer} sh -c "{write}"; echo done >>story.$SLURM_JOB_ID'
    job = training(slurm, "-N2", "-wgpu01,gpu02", "--gres=gpu:a100:1", asked=asked)

    effect = await asker.ask(job)

    slurm.await_true(lambda: story(slurm, job)[-1] == "done", "its handler did not run")
    assert await asker.proven(effect, within=4.0) is proof


async def test_a_folder_that_its_user_cannot_read_is_never_asked_for(slurm, asker):
    job = training(slurm)
    (slurm.work / f"ckpt.{job}").mkdir(mode=0o700)

    with pytest.raises(ActionError, match="its user cannot read"):
        await asker.ask(job)
    assert (flag(slurm, job), story(slurm, job)) == ("1", ["begins at 0"])


async def test_an_account_that_cannot_become_the_user_asks_nobody(slurm):
    job = training(slurm)

    with pytest.raises(ActionError, match="CAP_SETUID"):
        await Asker(slurm, user=OPERATOR).ask(job)
    assert (flag(slurm, job), story(slurm, job)) == ("1", ["begins at 0"])


CAPABILITIES = tuple(f"--{kind}-caps=+setuid,+setgid" for kind in ("inh", "ambient"))
RIGHTS = (*CAPABILITIES, "--no-new-privs")


async def test_two_capabilities_are_enough(slurm):
    asker = Asker(slurm, user=OPERATOR, rights=RIGHTS)
    job = training(slurm, user=OTTO)

    asked = await asker.ask(job)

    assert await asker.proven(asked)


async def test_no_right_of_ours_reaches_the_users_side(slurm):
    backend = Reaper(slurm=slurm, user=OPERATOR, rights=RIGHTS).backend
    job = training(slurm, user=OTTO)
    (record,) = [item for item in await backend.jobs((job,)) if item.address == job]

    said = await backend.beside(record, "id -un; grep CapEff /proc/self/status", ())

    assert said.split() == [OTTO, "CapEff:", "0" * 16]


async def test_a_full_allocation_is_looked_into_all_the_same(slurm, asker):
    whole = ("--exclusive", "-wgpu01", "--gres=gpu:a100:4", "-n32")
    script = TRAINING.replace("while", "srun -n32 --gres=gpu:a100:4 sleep 600 &\nwhile") % "save"
    job = slurm.submit(OTTO, *whole, script=script)
    slurm.await_true(lambda: f"{job}.0" in slurm.daemons.output("squeue", "-s"), "no step runs")

    asked = await asker.ask(job)

    assert await asker.proven(asked)


async def test_every_step_gets_it_and_the_script_does_not(slurm, asker):
    handler = "import os, signal, sys, time\ndef save(*_):\n  os.makedirs(sys.argv[1])\n"
    handler += '  open(sys.argv[1] + "/" + os.environ["SLURM_STEP_ID"], "w").write("x")\n'
    handler += "signal.signal(signal.SIGUSR1, save)\nwhile True: time.sleep(1)\n"
    (slurm.work / "handler.py").write_text(handler)
    step = "srun --overlap -n1 /usr/bin/python3 handler.py ckpt.$SLURM_JOB_ID/$n &"
    script = f"#!/bin/bash\nfor n in 0 1; do {step} done\nwait\n"
    job = slurm.submit(MIRA, "--gres=gpu:a100:1", script=script)
    slurm.await_true(lambda: f"{job}.1" in slurm.daemons.output("squeue", "-s"), "no steps run")
    await asyncio.sleep(1.0)

    asked = await asker.ask(job, "step")

    assert await asker.proven(asked)
    assert sorted(path.name for path in (slurm.work / f"ckpt.{job}").glob("*/*")) == ["0", "1"]
    assert slurm.state(job) == "RUNNING"
