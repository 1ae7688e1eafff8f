"""Saves: the flag first, the signal to whom it was meant, the proof read beside the job."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.judgement.policy import Save
from reaper.platforms.slurm.release.proof import LOOK, MARK
from reaper.platforms.slurm.release.refusals import refused
from reaper.ports import ActionError, Progress
from tests.reaper.platforms.slurm.drawn import NOON, job
from tests.reaper.platforms.slurm.release.test_actor import Scene

PROOF = Save(signal="USR2", path="{workdir}/ckpt/{job}-{user}", within=600.0)
WHERE = "/home/mira/run/ckpt/7-mira"
MARKED = "mark 1700000000.1250000000\n"
ONE = "file 1700000003.5000000000 4096\nend\n"


def save(scene: Scene, target: str = "batch", **more: object) -> Effect:
    return scene.effect(Verb.SAVE, save=PROOF, signal="USR2", target=target, **more)


async def prepared(scene: Scene) -> str:
    scene.slurm.said_beside = [MARKED]
    return (await scene.actor.prepare(save(scene))).text


async def looked(scene: Scene, *said: str, every: float = 15.0) -> list[Progress]:
    """Look so many times and return what each look means."""
    receipt = await prepared(scene)
    scene.slurm.said_beside = list(said)
    found = []
    for _ in said:
        found.append(await scene.actor.inspect(save(scene, former=receipt)))
        scene.clock.at += every
    return found


# ------------------------------------------------------------------ before


async def test_before_it_is_asked_the_file_servers_time_is_read_and_nothing_is_changed():
    scene = Scene()

    receipt = await prepared(scene)

    assert scene.slurm.looked == [(MARK, WHERE)]
    assert "proof after 1700000000.1250000000" in receipt
    assert "former TimeLimit=180 Requeue=1" in receipt
    assert scene.slurm.done == []


@pytest.mark.parametrize(
    ("said", "why", "later"),
    [
        ("refused its user cannot read /ckpt\n", "cannot read /ckpt", False),
        ("refused its user cannot write in /ckpt\n", "cannot write in /ckpt", False),
        ("slurmstepd: something\n", "cannot be read", True),
        ("mark soon\n", "cannot be read", True),
    ],
)
async def test_what_cannot_be_read_is_never_asked_for(said, why, later):
    scene = Scene()
    scene.slurm.said_beside = [said]

    with pytest.raises(ActionError, match=why) as error:
        await scene.actor.prepare(save(scene))
    assert error.value.recoverable is later
    assert scene.slurm.done == []


async def test_an_interactive_job_is_never_prepared_nor_signalled():
    scene = Scene(job(7, batch=False))

    with pytest.raises(ActionError, match="interactive"):
        await scene.actor.prepare(save(scene))
    with pytest.raises(ActionError, match="interactive"):
        await scene.actor.begin(save(scene), now=NOON)
    assert (scene.slurm.done, scene.slurm.looked) == ([], [])


async def test_a_job_whose_folder_slurm_does_not_say_is_not_asked():
    scene = Scene(job(7, workdir=""))

    with pytest.raises(ActionError, match="where it works"):
        await scene.actor.prepare(save(scene))


# ------------------------------------------------------------------ asking


async def test_self_requeue_is_off_before_the_script_is_signalled():
    scene = Scene()
    receipt = await prepared(scene)

    began = await scene.actor.begin(save(scene, former=receipt), now=NOON)

    assert scene.slurm.done == ["update 7 Requeue=0", "signal 7 USR2 batch"]
    assert "former TimeLimit=180 Requeue=1" in began.text
    assert "proof after 1700000000.1250000000" in began.text


async def test_steps_are_signalled_one_by_one():
    scene = Scene()
    scene.slurm.listed_steps = ("7.0", "7.1")

    await scene.actor.begin(save(scene, "step"), now=NOON)

    assert scene.slurm.done == ["update 7 Requeue=0", "signal 7.0 USR2", "signal 7.1 USR2"]


async def test_without_a_step_there_is_nobody_to_signal():
    scene = Scene()

    with pytest.raises(ActionError, match="no step"):
        await scene.actor.begin(save(scene, "step"), now=NOON)


async def test_a_flag_that_cannot_be_switched_off_keeps_the_signal_back():
    scene = Scene()
    scene.slurm.refusals["update"] = refused("job 7", "Access/permission denied")

    with pytest.raises(ActionError, match="denied"):
        await scene.actor.begin(save(scene), now=NOON)
    assert scene.slurm.done == []


# ------------------------------------------------------------------ the proof


async def test_a_file_that_two_looks_find_alike_is_the_proof():
    scene = Scene()

    assert await looked(scene, ONE, ONE) == [Progress.PENDING, Progress.DONE]
    assert scene.slurm.looked[-1] == (LOOK, WHERE, "1700000000.1250000000")


@pytest.mark.parametrize(
    "second",
    [
        "file 1700000004.5000000000 8192\nend\n",
        "file 1700000003.5000000000 4097\nend\n",
        ONE.replace("end", "file 1700000004.0 1\nend"),
    ],
    ids=["grown", "longer", "one more"],
)
async def test_what_is_still_written_is_no_proof_yet(second):
    meant = await looked(Scene(), ONE, second, second)

    assert meant == [Progress.PENDING, Progress.PENDING, Progress.DONE]


async def test_nothing_new_is_no_proof_however_often_it_is_looked_for():
    assert set(await looked(Scene(), "end\n", "end\n", "end\n")) == {Progress.PENDING}


async def test_two_looks_lie_apart():
    scene = Scene()
    receipt = await prepared(scene)
    scene.slurm.said_beside = [ONE]

    for _ in range(3):
        assert await scene.actor.inspect(save(scene, former=receipt)) is Progress.PENDING
        scene.clock.at += 4
    assert len(scene.slurm.looked) == 2


async def test_after_a_crash_it_takes_two_looks_again():
    scene = Scene()
    receipt = await prepared(scene)
    scene.slurm.said_beside = [ONE, ONE]
    await scene.actor.inspect(save(scene, former=receipt))
    scene.restart()

    assert await scene.actor.inspect(save(scene, former=receipt)) is Progress.PENDING


async def test_a_look_that_breaks_off_is_an_error_and_no_proof():
    scene = Scene()

    with pytest.raises(ActionError, match="broke off"):
        await looked(scene, ONE.replace("end\n", ""))


async def test_a_receipt_without_a_mark_proves_nothing():
    scene = Scene()

    assert await scene.actor.inspect(save(scene, former="")) is Progress.NOT_APPLIED


@pytest.mark.parametrize(
    ("state", "more", "meant"),
    [
        ("COMPLETED", {}, Progress.GONE),
        ("FAILED+COMPLETING", {}, Progress.GONE),
        ("RUNNING", {"restarts": 1}, Progress.RECREATED),
        ("RUNNING", {"submitted": NOON}, Progress.GONE),
    ],
)
async def test_a_run_that_is_gone_proves_nothing(state, more, meant):
    scene = Scene()
    receipt = await prepared(scene)
    scene.slurm.move("7", state, **more)

    assert await scene.actor.inspect(save(scene, former=receipt)) is meant


# ------------------------------------------------------------------ after


async def test_giving_up_puts_the_flag_back_and_touches_no_limit():
    scene = Scene()
    await scene.actor.begin(save(scene), now=NOON)
    scene.slurm.standing["7"] = replace(scene.now, limit=999)
    restore = scene.effect(Verb.RESTORE, flag_only=True)
    assert await scene.actor.inspect(restore) is Progress.NOT_APPLIED

    await scene.actor.begin(restore, now=NOON)

    assert (scene.now.requeue, scene.now.limit) == (True, 999)
    assert await scene.actor.inspect(restore) is Progress.DONE


async def test_the_requeue_after_a_save_sets_the_flag_back_first():
    scene = Scene()
    await scene.actor.begin(save(scene), now=NOON)
    scene.restart()

    await scene.begin(requeue=True)

    assert scene.slurm.done[2:] == ["update 7 Requeue=1", "requeue 7"]


async def test_a_release_after_a_save_still_knows_what_stood_before():
    scene = Scene()
    await scene.actor.begin(save(scene), now=NOON)
    scene.restart()

    assert "former TimeLimit=180 Requeue=1" in await scene.begin()
