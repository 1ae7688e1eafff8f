"""How a release goes on: undone by others, managed by Kueue, of a pod by itself, never saved."""

import pytest

from reaper.domain.escalation.decision import Verb
from reaper.platforms.kubernetes.release.actor import resume
from reaper.ports import ActionError, Progress, Recheck
from tests.reaper.platforms.kubernetes.release.drawn_workloads import (
    KEY,
    NAMESPACE,
    held,
    pod,
    pods_go,
    queued,
    scene,
    workload,
)

# ------------------------------------------------------------------ undone by others


async def test_who_holds_the_field_that_stops_it_is_named_before_who_wrote_last():
    async with scene("deployment") as at:
        await at.begin()
        replicas = {"f:spec": {"f:replicas": {}}}
        managers = [
            {"manager": "scaling-bot", "time": "2026-07-06T12:05:00Z", "fieldsV1": replicas},
            {"manager": "kubectl", "time": "2026-07-06T12:06:00Z", "fieldsV1": {"f:metadata": {}}},
        ]
        more = {"spec": {"replicas": 3}, "metadata": {"managedFields": managers}}
        at.cluster.merge("Deployment", "one", more, NAMESPACE)

        assert await at.actor.reverter(at.effect()) == "scaling-bot"


@pytest.mark.parametrize("wiped", [False, True])
async def test_a_workload_that_somebody_starts_again_is_told_with_who(wiped):
    async with scene("deployment") as at:
        await at.begin()
        pods_go(at)
        managers = [
            {"manager": "gpu-reaper", "time": "2026-07-06T12:00:00Z"},
            {"manager": "scaling-bot", "time": "2026-07-06T12:05:00Z"},
        ]
        about = (
            {"managedFields": managers, "annotations": None}
            if wiped
            else {"managedFields": managers}
        )
        at.cluster.merge(
            "Deployment", "one", {"spec": {"replicas": 3}, "metadata": about}, NAMESPACE
        )
        owner = at.cluster.get("Deployment", "one", NAMESPACE)
        at.cluster.add(pod(5, owner))

        assert await at.inspect() is Progress.RECREATED
        assert await at.actor.reverter(at.effect()) == "scaling-bot"


async def test_a_workload_that_is_deleted_after_its_release_stays_done():
    async with scene("notebook") as at:
        await at.begin()
        pods_go(at)
        at.cluster.remove("Notebook", "one", NAMESPACE)
        assert await at.inspect() is Progress.DONE


async def test_pods_whose_controller_has_gone_before_them_are_waited_for():
    """As KubeRay does: a suspended RayJob loses its RayCluster first."""
    top = workload("rayjob")
    middle = workload("raycluster")
    middle["metadata"]["ownerReferences"] = pod(0, top)["metadata"]["ownerReferences"]
    async with scene("rayjob", top, middle, pod(0, middle), pod(1, middle)) as at:
        await at.begin()
        at.cluster.remove("RayCluster", "one", NAMESPACE)
        assert await at.inspect() is Progress.PENDING
        pods_go(at, 0)
        assert await at.inspect() is Progress.PENDING
        at.members = (f"{NAMESPACE}/pod/pod-0",)
        assert await at.inspect() is Progress.DONE


async def test_the_pods_of_a_workload_that_is_deleted_are_waited_for():
    async with scene("job") as at:
        at.members = (f"{NAMESPACE}/pod/pod-0", f"{NAMESPACE}/pod/pod-1")
        await at.begin()
        at.cluster.remove("Job", "one", NAMESPACE)
        pods_go(at, 0)
        assert await at.inspect() is Progress.PENDING
        pods_go(at, 1)
        assert await at.inspect() is Progress.DONE


async def test_a_pod_whose_programs_have_ended_is_there_until_it_is_gone():
    async with scene("job") as at:
        await at.begin()
        pods_go(at, 1)
        gone = {"metadata": {"deletionTimestamp": "2026-07-06T12:00:00Z"}}
        at.cluster.merge("Pod", "pod-0", gone | {"status": {"phase": "Failed"}}, NAMESPACE)
        assert await at.inspect() is Progress.PENDING
        pods_go(at, 0)
        assert await at.inspect() is Progress.DONE


async def test_a_pod_that_ends_on_a_node_that_nobody_reaches_is_pending():
    async with scene("job") as at:
        await at.begin()
        pods_go(at, 1)
        gone = {"metadata": {"deletionTimestamp": "2026-07-06T12:00:00Z"}}
        at.cluster.merge("Pod", "pod-0", gone, NAMESPACE)
        at.cluster.merge("Pod", "pod-0", {"status": {"phase": "Unknown"}}, NAMESPACE)
        assert await at.inspect() is Progress.PENDING


# ------------------------------------------------------------------ Kueue


@pytest.mark.parametrize("word", ["job", "jobset", "rayjob", "statefulset", "notebook"])
async def test_what_kueue_manages_is_stopped_by_its_workload_alone(word):
    owner = workload(word)
    async with scene(word, owner, pod(0, owner), queued(owner)) as at:
        before = held(at, word)
        await at.begin()

        assert at.spec("Workload", "queued-one")["active"] is False
        assert held(at, word) == before
        assert await at.inspect() is Progress.PENDING
        pods_go(at, 0)
        assert await at.inspect() is Progress.DONE
        await resume([at.connection], at.run.id, clock=at.clock)
        assert at.spec("Workload", "queued-one")["active"] is True


async def test_a_pod_that_kueue_counts_by_itself_does_not_hide_its_deployment():
    owner = workload("deployment")
    first = pod(0, owner)
    async with scene("deployment", owner, first, queued(first)) as at:
        await at.begin()
        assert at.spec("Deployment")["replicas"] == 0
        assert at.spec("Workload", "queued-one")["active"] is True


# ------------------------------------------------------------------ bare pods


async def test_a_bare_pod_is_evicted_and_never_deleted():
    async with scene("pod", pod(), name="pod-0", graceful=True) as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        await at.begin()

        [(verb, path, body)] = at.writes
        assert (verb, path) == ("POST", f"/api/v1/namespaces/{NAMESPACE}/pods/pod-0/eviction")
        assert body["apiVersion"] == "policy/v1"
        assert body["deleteOptions"]["preconditions"] == {"uid": KEY}
        assert await at.inspect() is Progress.PENDING
        at.cluster.remove("Pod", "pod-0", NAMESPACE)
        assert await at.inspect() is Progress.DONE


def budget(name: str = "pdb", allowed: int = 0) -> dict:
    """Return a disruption budget over every pod with the label."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"selector": {"matchLabels": {"app": "x"}}},
        "status": {"disruptionsAllowed": allowed},
    }


async def test_a_disruption_budget_is_waited_for():
    bare = pod(labels={"app": "x"})
    async with scene("pod", bare, budget(), name="pod-0") as at:
        with pytest.raises(ActionError, match="disruption budget") as caught:
            await at.begin()
        assert caught.value.recoverable

        at.cluster.merge(
            "PodDisruptionBudget", "pdb", {"status": {"disruptionsAllowed": 1}}, NAMESPACE
        )
        with pytest.raises(ActionError, match="allows none yet"):
            await at.begin()
        assert len(at.writes) == 1
        at.clock.jump(at.clock.now() + 11)
        await at.begin()
        assert await at.inspect() is Progress.DONE


async def test_several_budgets_are_a_refusal():
    bare = pod(labels={"app": "x"})
    async with scene("pod", bare, budget("a"), budget("b"), name="pod-0") as at:
        with pytest.raises(ActionError, match="more than one") as caught:
            await at.begin()
        assert not caught.value.recoverable


async def test_another_pod_of_that_name_is_left_alone_and_told():
    async with scene("pod", pod(uid="uid-new"), name="pod-0") as at:
        with pytest.raises(ActionError, match="not the run"):
            await at.begin()
        assert await at.inspect() is Progress.RECREATED
        assert not at.writes


async def test_a_pod_that_is_being_evicted_cannot_be_kept():
    async with scene("pod", pod(), name="pod-0", graceful=True) as at:
        await at.begin()
        with pytest.raises(ActionError, match="cannot be kept"):
            await at.begin(Verb.RESTORE)


async def test_pods_that_kueue_groups_are_not_stopped_for_one_of_them():
    first, second = pod(0), pod(1)
    async with scene("pod", first, second, queued(first, second), name="pod-0") as at:
        with pytest.raises(ActionError, match="pod-1"):
            await at.begin()
        assert not at.writes


# ------------------------------------------------------------------ a save


async def test_a_save_is_refused_by_name():
    async with scene("job") as at:
        with pytest.raises(ActionError, match="save"):
            await at.actor.prepare(at.effect(Verb.SAVE))
        with pytest.raises(ActionError, match="save"):
            await at.begin(Verb.SAVE)


async def test_nothing_to_resume_is_said():
    async with scene("job") as at:
        with pytest.raises(ActionError, match="nothing there was stopped"):
            await resume([at.connection], at.run.id, clock=at.clock)
        assert not at.writes


# ------------------------------------------------------------------ pods without GPUs


def beside(at, word: str = "raycluster", **about) -> None:
    """Add a pod without a GPU to a workload."""
    at.cluster.add(pod(7, workload(word), gpus=0, **about))


async def test_a_pod_that_nobody_measures_is_not_stopped_with_the_others():
    async with scene("raycluster") as at:
        beside(at)

        with pytest.raises(ActionError, match="pod-7 has no GPU, and nobody measures") as refused:
            await at.begin()

        assert not refused.value.recoverable
        assert await at.inspect() is Progress.NOT_APPLIED


async def test_its_owner_may_stop_a_pod_that_nobody_measures():
    async with scene("raycluster") as at:
        beside(at)

        await at.begin(asked_by="mira")

        assert await at.inspect() is Progress.PENDING


async def test_a_launcher_only_waits_for_the_others():
    async with scene("mpijob") as at:
        beside(at, "mpijob", labels={"training.kubeflow.org/job-role": "launcher"})

        await at.begin()

        assert await at.inspect() is Progress.PENDING


async def test_a_pod_of_another_workload_is_not_its_own():
    async with scene("raycluster") as at:
        other = workload("raycluster", name="two", uid="uid-two")
        at.cluster.add(other, pod(7, other, gpus=0))

        await at.begin()

        assert await at.inspect() is Progress.PENDING
