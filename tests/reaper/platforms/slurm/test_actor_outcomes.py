"""How effects go on: put back, requeued, signalled, and read after a crash."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.decision import Verb
from reaper.ports import ActionError, Progress, Recheck
from tests.reaper.platforms.slurm.drawn import NOON, job
from tests.reaper.platforms.slurm.release.test_actor import Scene

# ------------------------------------------------------------------ restore


@pytest.mark.parametrize("drawn", [job(7), job(7, limit=None, ends=None), job(7, requeue=False)])
async def test_a_restore_puts_limit_and_flag_back(drawn):
    scene = Scene(drawn)
    receipt = await scene.begin()

    await scene.begin(Verb.RESTORE, former=receipt)

    assert scene.now == drawn
    assert await scene.inspect(Verb.RESTORE) is Progress.DONE
    assert await scene.inspect() is Progress.NOT_APPLIED


@pytest.mark.parametrize("drawn", [job(7), job(7, limit=None, ends=None)])
async def test_a_restore_needs_no_receipt_after_a_crash(drawn):
    scene = Scene(drawn)
    await scene.begin()
    scene.restart()

    await scene.begin(Verb.RESTORE, former="found under way")

    assert scene.now == drawn


async def test_a_restore_that_knows_nothing_says_how_to_do_it_by_hand():
    scene = Scene()
    await scene.begin()
    scene.restart()

    with pytest.raises(ActionError, match="scontrol update JobId=7"):
        await scene.begin(Verb.RESTORE, limit=None, requeueable=None)


async def test_a_restore_that_was_not_begun_shows():
    scene = Scene()
    await scene.begin()

    assert await scene.inspect(Verb.RESTORE) is Progress.NOT_APPLIED


# ------------------------------------------------------------------ requeue


async def test_a_requeue_puts_the_flag_back_and_then_requeues():
    scene = Scene()
    scene.slurm.standing["7"] = replace(scene.job, requeue=False)

    await scene.begin(requeue=True)

    assert scene.slurm.done == ["update 7 Requeue=1", "requeue 7"]
    assert await scene.inspect(requeue=True) is Progress.DONE


@pytest.mark.parametrize(
    ("state", "more", "meant"),
    [
        ("PENDING", {"reason": "BeginTime"}, Progress.DONE),
        ("RUNNING", {}, Progress.DONE),
        ("COMPLETED", {}, Progress.DONE),
        ("CANCELLED", {}, Progress.DONE),
        ("FAILED", {}, Progress.GONE),
        ("OUT_OF_MEMORY", {}, Progress.GONE),
        ("PENDING", {"reason": "JobHeldAdmin"}, Progress.GONE),
        ("PENDING", {"reason": "JobHoldMaxRequeue"}, Progress.GONE),
    ],
)
async def test_a_requeue_is_done_while_its_next_run_goes_on(state, more, meant):
    scene = Scene()
    scene.slurm.move("7", state, restarts=1, submitted=NOON, **more)

    assert await scene.inspect(requeue=True) is meant


@pytest.mark.parametrize("drawn", [job(7, batch=False), job(7, requeue=False)])
async def test_a_job_that_must_not_be_requeued_is_not(drawn):
    scene = Scene(drawn)

    with pytest.raises(ActionError, match="must not be requeued"):
        await scene.begin(requeue=True)
    assert scene.slurm.done == []


async def test_a_requeue_that_is_still_winding_down_is_pending():
    scene = Scene()
    scene.slurm.move("7", "COMPLETING", restarts=1)

    assert await scene.inspect(requeue=True) is Progress.PENDING


# ------------------------------------------------------------------ inspect


async def test_a_run_that_nobody_touched_is_not_applied():
    assert await Scene().inspect() is Progress.NOT_APPLIED


@pytest.mark.parametrize("drawn", [job(7, batch=False, requeue=False), job(7, requeue=False)])
async def test_a_job_that_ends_soon_by_its_own_limit_is_not_ours(drawn):
    scene = Scene(replace(drawn, ends=NOON + 600, limit=70))

    assert await scene.inspect() is Progress.NOT_APPLIED


async def test_a_shrink_that_a_crash_hid_is_seen():
    scene = Scene(job(7, batch=False, requeue=False))
    await scene.begin()
    scene.restart()

    assert await scene.inspect() is Progress.PENDING


@pytest.mark.parametrize(
    ("state", "more", "meant"),
    [
        ("CANCELLED+COMPLETING", {}, Progress.PENDING),
        ("COMPLETING", {"restarts": 1}, Progress.PENDING),
        ("TIMEOUT", {}, Progress.DONE),
        ("CANCELLED", {}, Progress.DONE),
        ("PENDING", {"restarts": 1, "submitted": NOON}, Progress.RECREATED),
        ("RUNNING", {"restarts": 1, "submitted": NOON}, Progress.RECREATED),
        ("RUNNING", {"submitted": NOON}, Progress.DONE),
    ],
)
async def test_what_became_of_a_run_is_read_from_its_id(state, more, meant):
    scene = Scene()
    scene.slurm.move("7", state, **more)

    assert await scene.inspect() is meant


async def test_a_run_that_slurm_forgot_is_done_but_not_restored():
    scene = Scene()
    scene.slurm.standing.clear()

    assert await scene.inspect() is Progress.DONE
    assert await scene.inspect(Verb.RESTORE) is Progress.NOT_APPLIED


# ------------------------------------------------------------------ records that cannot be read


@pytest.mark.parametrize("odd", [{"odd": "requeue is 'no'"}, {"nameless": "array_task_id is 'x'"}])
async def test_a_run_whose_record_is_odd_is_neither_the_same_nor_gone(odd):
    scene = Scene()
    scene.slurm.standing["7"] = replace(scene.job, **odd)

    with pytest.raises(ActionError, match="cannot be read") as refused:
        await scene.actor.recheck(scene.effect().run)
    with pytest.raises(ActionError, match="cannot be read"):
        await scene.inspect()

    assert refused.value.recoverable
    assert scene.slurm.done == []


async def test_a_run_is_not_gone_while_a_record_does_not_say_which_it_is():
    scene = Scene(job(12, array=5, task=3))
    scene.slurm.standing = {"12": replace(scene.job, array=0, nameless="array_job_id is 'x'")}

    with pytest.raises(ActionError, match="array_job_id"):
        await scene.actor.recheck(scene.effect().run)


async def test_a_run_that_ended_is_gone_whatever_else_its_record_says():
    scene = Scene()
    scene.slurm.standing["7"] = replace(
        scene.job, states=frozenset({"CANCELLED"}), odd="name is 5, no text"
    )

    assert await scene.actor.recheck(scene.effect().run) is Recheck.GONE
    assert await scene.inspect() is Progress.DONE
