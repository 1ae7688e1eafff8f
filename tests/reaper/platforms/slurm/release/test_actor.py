"""The actor: the gentlest release of exactly one run, and nothing on any other."""

import pytest

from reaper.domain.escalation.decision import Effect, Verb
from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.records.claiming import run_of
from reaper.platforms.slurm.records.record import Job
from reaper.platforms.slurm.release.actor import SlurmActor
from reaper.platforms.slurm.release.refusals import refused
from reaper.ports import ActionError, Progress, Recheck, SourceError
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory, job

TIME_MIN = "Invalid time-min specification (exceeds job's time or other limits) for job 7"


class Scene:
    """One job, the actor, and effects on the run as it was judged."""

    def __init__(self, drawn: Job | None = None) -> None:
        self.job = drawn or job(7)
        self.slurm = SlurmInMemory(self.job)
        self.clock = JumpingClock(at=NOON)
        self.actor = self.restart()

    def restart(self) -> SlurmActor:
        """Forget everything, as a crash does."""
        self.actor = SlurmActor(self.slurm, self.clock)
        return self.actor

    @property
    def now(self) -> Job:
        return self.slurm.standing[self.job.address]

    def effect(self, verb: Verb = Verb.RELEASE, **more) -> Effect:
        usual = {
            "id": "c#1",
            "case_id": "c",
            "run": run_of(self.job, "grove"),
            "expires": NOON + 60,
            "limit": self.job.ends,
            "requeueable": self.job.batch and self.job.requeue,
        }
        return Effect(verb=verb, **(usual | more))

    async def begin(self, verb: Verb = Verb.RELEASE, **more) -> str:
        receipt = await self.actor.begin(self.effect(verb, **more), now=self.clock.now())
        return receipt.text

    async def inspect(self, verb: Verb = Verb.RELEASE, **more) -> Progress:
        return await self.actor.inspect(self.effect(verb, **more))


# ------------------------------------------------------------------ recheck


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        (job(7), Recheck.SAME),
        (job(7, restarts=1), Recheck.CHANGED),
        (job(7, submitted=NOON), Recheck.CHANGED),
        (job(7, state="SUSPENDED"), Recheck.CHANGED),
        (job(7, state="PENDING", restarts=1), Recheck.CHANGED),
        (job(7, state="TIMEOUT+COMPLETING"), Recheck.GONE),
        (job(7, state="COMPLETED"), Recheck.GONE),
    ],
)
async def test_only_the_same_run_at_work_is_the_same(drawn, meant):
    scene = Scene()
    scene.slurm.standing["7"] = drawn

    assert await scene.actor.recheck(run_of(job(7), "grove")) is meant


async def test_a_run_that_slurm_forgot_is_gone():
    scene = Scene()
    scene.slurm.standing.clear()

    assert await scene.actor.recheck(run_of(job(7), "grove")) is Recheck.GONE


async def test_a_silent_controller_is_an_error_that_may_pass():
    scene = Scene()
    scene.slurm.refusals["jobs"] = SourceError("slurm: squeue did not answer")

    with pytest.raises(ActionError, match="did not answer") as error:
        await scene.actor.recheck(run_of(job(7), "grove"))
    assert error.value.recoverable


# ------------------------------------------------------------------ release


async def test_a_release_takes_the_requeue_flag_and_the_time_in_one_step():
    scene = Scene()

    receipt = await scene.begin()

    assert scene.slurm.done == ["update 7 Requeue=0 TimeLimit=61"]
    assert 30 <= scene.now.ends - NOON <= 180
    assert "former TimeLimit=180 Requeue=1" in receipt
    assert await scene.inspect() is Progress.PENDING


async def test_a_release_leaves_the_job_its_own_signal_lead():
    scene = Scene()
    scene.slurm.scripts["7"] = "#!/bin/bash\n#SBATCH --signal=B:USR1@300\n"

    await scene.begin()

    assert 330 <= scene.now.ends - NOON < 390


async def test_a_command_line_wins_over_the_script():
    scene = Scene()
    scene.slurm.scripts["7"] = "#!/bin/bash\n#SBATCH --signal=B:USR1@300\n"
    scene.slurm.lines["7"] = "sbatch --signal=USR1@60 train.sh"

    await scene.begin()

    assert 90 <= scene.now.ends - NOON < 150


async def test_an_interactive_job_has_no_lead_to_read():
    scene = Scene(job(7, batch=False))
    scene.slurm.scripts["7"] = "#SBATCH --signal=B:USR1@300\n"

    await scene.begin()

    assert scene.now.ends - NOON < 90


async def test_a_task_of_an_array_is_addressed_as_such_even_with_the_arrays_own_id():
    scene = Scene(job(5, array=5, task=3))

    await scene.begin()

    assert scene.slurm.done[0].startswith("update 5_3 ")


async def test_a_job_that_ends_sooner_by_itself_only_loses_its_flag():
    scene = Scene(job(7, ends=NOON + 80, limit=62))

    receipt = await scene.begin()

    assert scene.slurm.done == ["update 7 Requeue=0"]
    assert "anyway" in receipt
    assert await scene.inspect() is Progress.PENDING


async def test_a_job_whose_limit_cannot_be_shrunk_is_cancelled_by_its_id():
    scene = Scene()
    scene.slurm.refusals["limit"] = refused("job 7: set TimeLimit=61", TIME_MIN)

    receipt = await scene.begin()

    assert scene.slurm.done == ["update 7 Requeue=0", "cancel 7"]
    assert "time-min" in receipt
    assert await scene.inspect() is Progress.PENDING


@pytest.mark.parametrize(
    "said", ["Access/permission denied", "Unable to contact slurm controller (connect failure)"]
)
async def test_missing_rights_and_a_busy_controller_cancel_nothing(said):
    scene = Scene()
    scene.slurm.refusals["limit"] = refused("job 7", said)

    with pytest.raises(ActionError, match=said[:12]):
        await scene.begin()
    assert scene.slurm.done == []


async def test_an_expired_effect_is_refused():
    scene = Scene()

    with pytest.raises(ActionError, match="expired"):
        await scene.begin(expires=NOON)
    assert (scene.slurm.done, scene.slurm.asked) == ([], 0)


@pytest.mark.parametrize(
    "drawn",
    [job(7, restarts=1), job(7, state="COMPLETED"), job(7, state="SUSPENDED")],
)
async def test_nothing_is_done_to_another_run_or_one_not_at_work(drawn):
    scene = Scene()
    scene.slurm.standing["7"] = drawn

    with pytest.raises(ActionError):
        await scene.begin()
    assert scene.slurm.done == []


async def test_a_second_begin_changes_nothing_and_still_knows_what_stood_before():
    scene = Scene()
    first = await scene.begin()

    again = await scene.begin()

    assert len(scene.slurm.done) == 1
    assert again.partition("former")[2] == first.partition("former")[2]


async def test_a_begin_after_a_crash_still_knows_what_stood_before():
    scene = Scene()
    await scene.begin()
    scene.restart()

    assert "former TimeLimit=180 Requeue=1" in await scene.begin()
    assert len(scene.slurm.done) == 1
