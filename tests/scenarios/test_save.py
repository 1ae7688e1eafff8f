"""One training job that sits idle: asked to save itself, proven, put back into the queue."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import State
from reaper.domain.escalation.decision import Verb
from reaper.domain.facts.allocation import Place, Purpose
from reaper.domain.judgement.policy import Match, Mode, Policy, Rung, Save
from reaper.languages.catalogue import refused, said
from reaper.requests import Identity, Requests
from tests.builders import HOUR, MINUTE, claim, device, policy, run
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
OWNER = Identity(user="mira", channel="test")
PROOF = Save(signal="USR1", path="{workdir}/checkpoints", within=10 * MINUTE)


def saving(proof: Save = PROOF, **given: object) -> Policy:
    """Return a policy: warned finally at 60 min, asked to save half an hour later, requeued."""
    usual = {"match": Match(purpose=(Purpose.TRAINING,), requeueable=True), "idle_for": HOUR}
    return policy(
        Rung(step="warn", after=30 * MINUTE),
        Rung(step="warn", after=HOUR, final=True),
        Rung(step="save", grace=30 * MINUTE, save=proof),
        Rung(step="release", requeue=True),
        **(usual | given),
    )


def training(*policies: Policy, catches: str = "USR1", target: str = "batch") -> Lab:
    """Return a lab with one training job that may be requeued and catches a signal."""
    bench = lab(*(policies or (saving(),)))
    bench.cluster.inputs.clear()
    bench.cluster.add(claim(purpose=Purpose.TRAINING, requeueable=True, batch=True), device())
    bench.cluster.catches["101"] = {target: frozenset((catches,))}
    return bench


def did(bench: Lab) -> list[Verb]:
    """Return what the platform was asked to do, in order."""
    return [effect.verb for effect in bench.actor.begun]


async def asked(bench: Lab) -> None:
    """Play work, then idleness until the job has just been asked to save itself."""
    await bench.play({GPU: "AAAA"})
    for _ in range(120):
        await bench.minute({GPU: "H"})
        if bench.actor.begun:
            return
    pytest.fail("it was never asked")


async def test_a_job_saves_itself_is_requeued_and_its_next_run_is_the_success() -> None:
    """The whole way: warned, asked, proven, requeued, verified."""
    bench = training()

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert did(bench) == [Verb.SAVE, Verb.RELEASE]
    save, release = bench.actor.begun
    assert (save.signal, save.target, save.save) == ("USR1", "batch", PROOF)
    assert (release.requeue, release.requeueable) == (True, True)
    assert (await bench.case(run().key)).outcome == "released"
    assert len(await bench.events("saved")) == 1
    assert [notice.kind for notice in bench.notifier.sent] == ["warning", "final", "released"]


async def test_the_request_comes_not_before_the_grace_after_the_final_notice() -> None:
    """A save is an act."""
    bench = training()
    await asked(bench)

    final = bench.notifier.sent[1]

    assert bench.actor.begun[0].expires - MINUTE - final.created >= 30 * MINUTE


async def test_what_the_save_itself_does_is_no_work() -> None:
    """Copying a model out of a GPU is activity of the save: the release still follows."""
    bench = training()
    bench.cluster.saves = False
    await asked(bench)

    await bench.play({GPU: "AAAA"})
    bench.actor.proofs.add(run().key)
    await bench.play({GPU: "AHHH"})

    assert did(bench) == [Verb.SAVE, Verb.RELEASE]


async def test_work_after_the_save_closes_the_case_and_gives_the_flag_back() -> None:
    """It waited, and now it goes on."""
    bench = training()
    await asked(bench)
    await bench.minute({GPU: "H"}, acts=True)

    await bench.play({GPU: "AAAAAA"})

    assert did(bench) == [Verb.SAVE, Verb.RESTORE]
    assert [said(event.text) for event in await bench.events("case closed")] == [
        "activity returned"
    ]
    assert bench.cluster.claims["101"].requeueable


async def test_a_save_without_proof_releases_nothing_and_gives_the_flag_back() -> None:
    """It said yes and wrote nothing: an operator looks, its owner is told."""
    bench = training()
    bench.cluster.saves = False

    await bench.play({GPU: "AAAA" + "H" * 240})

    assert did(bench) == [Verb.SAVE, Verb.RESTORE]
    assert bench.cluster.claims["101"].requeueable
    assert [said(event.text) for event in await bench.events("not saved")] == [
        "slurm/101: no save is proven: no newer file is complete in {workdir}/checkpoints"
    ]
    assert bench.notifier.sent[2].kind == "failed"
    async with bench.store.reading() as books:
        assert [hold.kind for hold in await books.holds()] == ["not saved"]


async def test_a_policy_may_release_without_proof() -> None:
    """Where it says so."""
    bench = training(saving(replace(PROOF, unproven="release")))
    bench.cluster.saves = False

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert did(bench) == [Verb.SAVE, Verb.RESTORE, Verb.RELEASE]


@pytest.mark.parametrize(
    ("catches", "target"), [("USR2", "batch"), ("USR1", "pod")], ids=["another", "elsewhere"]
)
async def test_a_job_that_does_not_catch_the_signal_is_neither_signalled_nor_released(
    catches: str, target: str
) -> None:
    """What cannot be saved stays."""
    bench = training(catches=catches, target=target)

    await bench.play({GPU: "AAAA" + "H" * 200})

    assert did(bench) == []
    assert any("not caught" in refused(one) for one in (await bench.case()).held_by)


async def test_a_job_of_which_a_node_says_nothing_is_not_signalled() -> None:
    """All nodes must say yes: silence may hide a process that would die."""
    bench = training()
    two = claim(purpose=Purpose.TRAINING, requeueable=True, batch=True)
    places = (*two.places, Place(node="gpu02", index=0))
    bench.cluster.add(replace(two, places=places), device(), device(node="gpu02"))
    await bench.play({GPU: "AAAA" + "H" * 80, "GPU-gpu02-0": "AAAA" + "H" * 80})
    bench.cluster.silent.add("gpu02")

    await bench.play({GPU: "H" * 40, "GPU-gpu02-0": "H" * 40})

    assert did(bench) == []


async def test_a_receiver_that_only_the_last_look_sees_drops_the_request() -> None:
    """A helper that was started just now would die of the signal."""
    bench = training()
    await bench.play({GPU: "AAAA" + "H" * 60})
    for _ in range(60):
        await bench.minute({GPU: "H"}, acts=False)
        await bench.parts.deliverer.turn()  # type: ignore[union-attr]
        if (await bench.case()).state is State.ACTING:
            break
    bench.cluster.catches["101"] = {"batch": frozenset()}

    await bench.perform()

    assert did(bench) == []
    await bench.minute({GPU: "H"})
    assert "is not caught" in said((await bench.events("dropped"))[0].text)


@pytest.mark.parametrize(("catches", "said"), [("USR1", True), ("HUP", False)])
async def test_a_warning_says_whether_the_job_can_be_saved(catches: str, *, said: bool) -> None:
    """So that its owner knows what to do."""
    bench = training(catches=catches)

    await bench.play({GPU: "AAAA" + "H" * 62})

    assert {notice.story.can_save for notice in bench.notifier.sent} == {said}


async def test_an_interactive_session_is_never_signalled() -> None:
    """Whatever it catches: a signal would end its shell."""
    bench = lab(saving(match=Match()))
    bench.cluster.catches["101"] = {"batch": frozenset(("USR1",)), "step": frozenset(("USR1",))}

    await bench.play({GPU: "AAAA" + "H" * 200})

    assert did(bench) == []
    assert not bench.notifier.sent[0].story.can_save


async def test_any_usual_signal_will_do_where_the_policy_names_none() -> None:
    """Lightning waits for one, submitit for another."""
    bench = training(saving(replace(PROOF, signal="")), catches="USR2", target="step")

    await asked(bench)

    assert (bench.actor.begun[0].signal, bench.actor.begun[0].target) == ("USR2", "step")


async def test_a_keep_while_the_proof_is_awaited_gives_the_flag_back() -> None:
    """Its owner needs it: everything is as it was."""
    bench = training()
    bench.cluster.saves = False
    await asked(bench)
    assert bench.parts is not None
    requests = Requests(
        store=bench.store, clock=bench.clock, policies=bench.rules.policies, epoch=bench.parts.epoch
    )
    await requests.keep(name="101", seconds=HOUR, reason="needed", by=OWNER)

    await bench.play({GPU: "HHHH"})

    assert did(bench) == [Verb.SAVE, Verb.RESTORE]
    assert bench.cluster.claims["101"].requeueable
    assert (await bench.case()).state is State.OPEN


async def test_a_save_that_is_not_followed_by_its_release_lapses() -> None:
    """A pause came between: the flag goes back, the final notice and its grace come again."""
    bench = training()
    operator = Identity(user="otto", operator=True)
    await asked(bench)
    assert bench.parts is not None
    requests = Requests(
        store=bench.store, clock=bench.clock, policies=bench.rules.policies, epoch=bench.parts.epoch
    )
    await bench.parts.enforcer.turn()
    await requests.pause(reason="upgrade", by=operator)

    await bench.play({GPU: "H" * 20})

    assert did(bench) == [Verb.SAVE, Verb.RESTORE]
    await requests.resume(reason="done", by=operator)
    await bench.play({GPU: "H" * 50})
    assert did(bench) == [Verb.SAVE, Verb.RESTORE, Verb.SAVE, Verb.RELEASE]
    finals = [notice for notice in bench.notifier.sent if notice.kind == "final"]
    assert bench.actor.begun[2].expires - MINUTE - finals[1].created >= 30 * MINUTE


async def test_a_job_that_ends_while_it_saves_has_ended_by_itself() -> None:
    """A handler may leave: nothing is held against it."""
    bench = training()
    bench.cluster.saves = False
    await asked(bench)
    bench.cluster.claims.clear()

    await bench.play({GPU: "EEE"})

    assert did(bench) == [Verb.SAVE]
    assert (await bench.case(run().key)).outcome == "ended by itself"
    async with bench.store.reading() as books:
        assert list(await books.holds()) == []


async def test_observe_plans_the_request_and_signals_nobody() -> None:
    """The same moment, nothing done."""
    bench = training(saving(mode=Mode.OBSERVE))

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert (did(bench), bench.notifier.sent) == ([], [])
    assert len(await bench.events("would save")) == 1
    assert (await bench.case()).outcome == "would have been asked to save itself"
