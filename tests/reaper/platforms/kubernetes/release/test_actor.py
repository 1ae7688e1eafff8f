"""Stopping workloads of every kind, reading how far it came, and putting them back."""

import copy
import json

import pytest

from reaper.domain.escalation.decision import Verb
from reaper.platforms.kubernetes.release.actor import resume
from reaper.platforms.kubernetes.release.marks import RESUMED, STOPPED
from reaper.ports import ActionError, Progress, Recheck
from tests.fake_kubernetes import Fault
from tests.reaper.platforms.kubernetes.release.drawn_workloads import (
    NAMESPACE,
    WORKLOADS,
    held,
    pod,
    pods_go,
    scene,
    workload,
)

EVERY = pytest.mark.parametrize("word", sorted(WORKLOADS))


# ------------------------------------------------------------------ every kind


@EVERY
async def test_a_release_stops_the_workload_and_ends_when_its_pods_are_gone(word):
    async with scene(word) as at:
        before = held(at, word)
        assert await at.actor.recheck(at.run) is Recheck.SAME
        assert await at.inspect() is Progress.NOT_APPLIED

        await at.begin()

        assert held(at, word) != before
        assert STOPPED in at.notes(WORKLOADS[word][1])
        assert await at.inspect() is Progress.PENDING
        pods_go(at, 1)
        assert await at.inspect() is Progress.PENDING
        pods_go(at, 0)
        assert await at.inspect() is Progress.DONE


@EVERY
async def test_a_restore_leaves_no_trace(word):
    async with scene(word) as at:
        before = held(at, word)
        receipt = await at.begin()
        at.restart()

        assert await at.inspect(Verb.RESTORE) is Progress.NOT_APPLIED
        await at.begin(Verb.RESTORE, former=receipt)

        assert held(at, word) == before
        assert await at.inspect(Verb.RESTORE) is Progress.DONE
        assert await at.inspect() is Progress.NOT_APPLIED


@EVERY
async def test_its_owner_starts_it_again_by_one_command(word):
    async with scene(word) as at:
        before = held(at, word)
        await at.begin()
        pods_go(at)

        await resume([at.connection], at.run.id, clock=at.clock)

        after = copy.deepcopy(held(at, word))
        assert RESUMED in after["metadata"].pop("annotations")
        assert after == before
        assert await at.inspect() is Progress.DONE


@EVERY
async def test_no_write_is_without_the_object_and_version_that_it_means(word):
    async with scene(word) as at:
        receipt = await at.begin()
        await at.begin(Verb.RESTORE, former=receipt)
        await at.begin()
        await resume([at.connection], at.run.id, clock=at.clock)

        assert at.writes
        for verb, path, body in at.writes:
            assert verb == "PATCH"
            assert body["metadata"]["uid"] == f"uid-{word}"
            assert body["metadata"]["resourceVersion"]
            assert "fieldManager=gpu-reaper" in path
        assert not [verb for verb, _ in at.cluster.asked if verb == "DELETE"]


@EVERY
@pytest.mark.parametrize("write", [0, 1])
@pytest.mark.parametrize("verb", [Verb.RELEASE, Verb.RESTORE])
async def test_a_crash_at_any_write_can_be_read_and_gone_on_from(word, write, verb):
    async with scene(word) as at:
        before = held(at, word)
        if verb is Verb.RESTORE:
            await at.begin()
        at.cluster.faults.append(_after(at, write))
        try:
            await at.begin(verb)
        except ActionError as error:
            assert error.recoverable  # noqa: PT017 - a kind of one write may have none to fail
        at.cluster.faults.clear()
        at.restart()

        assert await at.inspect(verb) in (Progress.NOT_APPLIED, Progress.PENDING, Progress.DONE)
        await at.begin(verb)

        if verb is Verb.RESTORE:
            assert held(at, word) == before
            return
        pods_go(at)
        assert await at.inspect() is Progress.DONE
        await at.begin(Verb.RESTORE)
        assert held(at, word) == before


def _after(at, write: int) -> Fault:
    """Return a fault of the first or of the second write."""
    scaled = at.word in ("deployment", "replicaset", "statefulset")
    return Fault(on="/scale?" if scaled and write else "fieldManager", verb="PATCH")


# ------------------------------------------------------------------ what was meant


async def test_a_younger_oldest_pod_is_another_run():
    owner = workload("deployment")
    async with scene("deployment", owner, pod(1, owner)) as at:
        assert await at.actor.recheck(at.run) is Recheck.CHANGED
        with pytest.raises(ActionError, match="not the run that was judged") as caught:
            await at.begin()
        assert not caught.value.recoverable
        assert not at.writes


async def test_a_name_that_means_another_object_by_now_is_left_alone():
    async with scene("deployment") as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        owner = workload("deployment", uid="uid-new")
        at.cluster.add(owner, pod(0, owner), pod(1, owner))

        with pytest.raises(ActionError, match="another object has its name"):
            await at.begin()
        assert not at.writes


async def test_a_pod_that_joined_since_stops_the_act():
    async with scene("deployment") as at:
        at.members = (f"{NAMESPACE}/pod/pod-0",)

        with pytest.raises(ActionError, match="pod pod-1 has joined") as caught:
            await at.begin()
        assert caught.value.recoverable


async def test_an_expired_intent_is_refused():
    async with scene("deployment") as at:
        with pytest.raises(ActionError, match="expired"):
            await at.begin(expires=at.clock.now())
        assert not at.writes


async def test_an_object_that_changes_between_look_and_write_is_looked_at_again():
    async with scene("job") as at:
        conflict = Fault(on="/jobs/one", verb="PATCH", status=409, reason="Conflict", times=2)
        at.cluster.faults.append(conflict)

        await at.begin()

        assert at.spec("Job")["suspend"] is True


async def test_an_object_that_never_stands_still_is_tried_later():
    async with scene("job") as at:
        conflict = Fault(on="/jobs/one", verb="PATCH", status=409, reason="Conflict", times=99)
        at.cluster.faults.append(conflict)

        with pytest.raises(ActionError) as caught:
            await at.begin()
        assert caught.value.recoverable
        assert at.spec("Job")["suspend"] is False


async def test_pods_below_several_owners_are_its_own():
    top = workload("deployment")
    middle = workload("replicaset", name="one-7d", uid="uid-middle")
    middle["metadata"]["ownerReferences"] = pod(0, top)["metadata"]["ownerReferences"]
    async with scene("deployment", top, middle, pod(0, middle), pod(1)) as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        await at.begin()
        assert at.spec("Deployment")["replicas"] == 0
        assert at.spec("ReplicaSet", "one-7d")["replicas"] == 3


async def test_a_workload_whose_pods_have_gone_is_gone():
    async with scene("job", workload("job")) as at:
        assert await at.actor.recheck(at.run) is Recheck.GONE
        assert await at.inspect() is Progress.NOT_APPLIED


async def test_a_cluster_that_is_not_configured_is_refused():
    async with scene("job") as at:
        at.actor._connections = {}
        with pytest.raises(ActionError, match="no cluster c1"):
            await at.actor.recheck(at.run)


async def test_a_server_that_gives_no_answer_is_asked_again_later():
    async with scene("job") as at:
        at.cluster.faults.append(Fault(on="/jobs/one", status=503, reason="ServiceUnavailable"))
        with pytest.raises(ActionError) as caught:
            await at.begin()
        assert caught.value.recoverable


async def test_a_right_that_lacks_is_named():
    async with scene("job") as at:
        at.cluster.faults.append(
            Fault(on="/jobs/one", verb="PATCH", status=403, reason="Forbidden")
        )
        with pytest.raises(ActionError, match="right") as caught:
            await at.begin()
        assert not caught.value.recoverable


async def test_a_mark_that_somebody_forged_puts_nothing_where_no_stop_writes():
    async with scene("job") as at:
        await at.begin()
        forged = json.loads(at.notes("Job")[STOPPED])
        forged["former"]["/spec/template/spec/hostPID"] = True
        note = {"metadata": {"annotations": {STOPPED: json.dumps(forged)}}}
        at.cluster.merge("Job", "one", note, NAMESPACE)

        await resume([at.connection], at.run.id, clock=at.clock)

        assert at.spec("Job") == {"suspend": False, "parallelism": 3}
