"""Stopping and putting back on a real API server with its real controllers."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Run
from reaper.edge.clock import SystemClock
from reaper.edge.kubernetes import Connection, door
from reaper.platforms.kubernetes.release.actor import KubernetesActor, resume
from reaper.ports import ActionError, Progress, Recheck
from tests.real.kubernetes.cluster import KubernetesCluster, gpu_pod
from tests.real.kubernetes.kueue import MANAGED, gpu_job, queued

NODE = "acts01"
HERE = {"nodeSelector": {"rig": "acts"}}


@pytest.fixture(scope="module", autouse=True)
def node(kubernetes: KubernetesCluster) -> Iterator[str]:
    yield kubernetes.node(NODE, gpus=8, labels={"rig": "acts"})
    kubernetes.remove_node(NODE)


@dataclass
class Acting:
    """An actor with the cluster's own kubeconfig, and one run of it."""

    kubernetes: KubernetesCluster
    connection: Connection
    clock: SystemClock
    run: Run
    actor: KubernetesActor

    def effect(self, verb: Verb = Verb.RELEASE) -> Effect:
        """Return an effect on the run."""
        ident = "case#0/restore" if verb is Verb.RESTORE else "case#0"
        until = self.clock.now() + 60
        return Effect(id=ident, case_id="case", run=self.run, verb=verb, expires=until)

    async def begin(self, verb: Verb = Verb.RELEASE) -> str:
        """Begin an effect."""
        return (await self.actor.begin(self.effect(verb), now=self.clock.now())).text

    async def comes_to(self, wanted: Progress) -> None:
        """Wait until the release has come so far."""
        until = self.clock.elapsed() + 60
        while (found := await self.actor.inspect(self.effect())) is not wanted:
            assert self.clock.elapsed() < until, f"it is {found}"
            await asyncio.sleep(0.1)


@asynccontextmanager
async def acting(kubernetes: KubernetesCluster, lab: str, word: str, name: str, uid: str = ""):
    """Give an actor on a workload whose pods run."""
    clock = SystemClock()
    way = door(path=kubernetes.kubeconfig(), context="", clock=clock, environment={})
    connection = Connection("c1", way, clock)
    pods = [one for one in kubernetes.pods(lab) if one["status"]["phase"] == "Running"]
    order = sorted(
        pods, key=lambda one: (one["status"].get("startTime", ""), one["metadata"]["uid"])
    )
    key = uid or order[0]["metadata"]["uid"]
    run = Run(cluster="c1", platform="kubernetes", id=f"{lab}/{word}/{name}", key=key, started=0.0)
    try:
        actor = KubernetesActor({"c1": connection}, clock)
        yield Acting(kubernetes, connection, clock, run, actor)
    finally:
        await connection.close()


def controller(kind: str, lab: str, replicas: int = 2, name: str = "serve") -> dict[str, Any]:
    """Write a controller of pods with a GPU each."""
    spec = {**gpu_pod(lab, "")["spec"], **HERE}
    del spec["terminationGracePeriodSeconds"]
    template = {"metadata": {"labels": {"app": name}}, "spec": spec}
    selector = {"matchLabels": {"app": name}}
    more = {"serviceName": name} if kind == "StatefulSet" else {}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"namespace": lab, "name": name},
        "spec": {"replicas": replicas, "selector": selector, "template": template, **more},
    }


def job(lab: str) -> dict[str, Any]:
    """Write a Job on the node of these tests."""
    made = gpu_job(lab, "serve")
    made["spec"]["template"]["spec"] |= HERE
    return made


WORKLOADS = {
    "deployment": lambda lab: (controller("Deployment", lab), 2),
    "replicaset": lambda lab: (controller("ReplicaSet", lab), 2),
    "statefulset": lambda lab: (controller("StatefulSet", lab), 2),
    "job": lambda lab: (job(lab), 1),
}


@pytest.mark.parametrize("word", WORKLOADS)
async def test_a_workload_is_stopped_and_started_again_by_its_owner(kubernetes, lab, word):
    workload, count = WORKLOADS[word](lab)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, count)
    before = kubernetes.find(workload)["spec"]

    async with acting(kubernetes, lab, word, "serve") as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        await at.begin()
        await at.comes_to(Progress.DONE)
        assert kubernetes.pods(lab) == []

        await resume([at.connection], at.run.id, clock=at.clock)
        kubernetes.await_pods(lab, count)

        assert kubernetes.find(workload)["spec"] == before
        assert await at.actor.inspect(at.effect()) is Progress.DONE


async def test_the_command_that_the_notice_tells_starts_it_again_without_a_reaper(kubernetes, lab):
    workload = controller("Deployment", lab, 1)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, 1)
    async with acting(kubernetes, lab, "deployment", "serve") as at:
        await at.begin()
        await at.comes_to(Progress.DONE)

    def asked() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, env=own, capture_output=True, text=True, check=False)

    command = (
        sys.executable,
        "-m",
        "reaper",
        "resume-workload",
        f"kubernetes/{lab}/deployment/serve",
    )
    own = {"KUBECONFIG": str(kubernetes.kubeconfig()), "PATH": os.defpath}
    told, again = await asyncio.to_thread(asked), await asyncio.to_thread(asked)

    assert (told.returncode, "replicas=1 again" in told.stdout) == (0, True), told.stderr
    kubernetes.await_pods(lab, 1)
    assert again.returncode == 1
    assert "nothing there was stopped by gpu-reaper" in again.stderr


async def test_a_release_that_is_taken_back_leaves_it_as_it_was(kubernetes, lab):
    workload = controller("StatefulSet", lab)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, 2)
    before = kubernetes.find(workload)

    async with acting(kubernetes, lab, "statefulset", "serve") as at:
        await at.begin()
        await at.begin(Verb.RESTORE)

    after = kubernetes.find(workload)
    assert after["spec"] == before["spec"]
    ours = [name for name in after["metadata"].get("annotations", {}) if "gpu-reaper" in name]
    assert ours == []


async def test_a_bare_pod_goes_once_its_disruption_budget_allows_it(kubernetes, lab):
    pod = gpu_pod(lab, "guarded", **HERE)
    pod["metadata"]["labels"] = {"app": "guarded"}
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"namespace": lab, "name": "guard"},
        "spec": {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "guarded"}}},
    }
    kubernetes.apply(budget, pod)
    kubernetes.await_phase(lab, "guarded", "Running")
    kubernetes.await_true(
        lambda: (kubernetes.find(budget).get("status") or {}).get("observedGeneration"), "no status"
    )

    async with acting(kubernetes, lab, "pod", "guarded") as at:
        with pytest.raises(ActionError, match="guard") as caught:
            await at.begin()
        assert caught.value.recoverable
        kubernetes.delete(budget)
        kubernetes.await_true(lambda: kubernetes.find(budget) is None, "the budget is there")
        at.actor = KubernetesActor({"c1": at.connection}, at.clock)
        await at.begin()
        await at.comes_to(Progress.DONE)


async def test_an_autoscaler_of_it_is_a_refusal(kubernetes, lab):
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"namespace": lab, "name": "elastic"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "serve"},
            "minReplicas": 1,
            "maxReplicas": 3,
        },
    }
    kubernetes.apply(controller("Deployment", lab, 1), scaler)
    kubernetes.await_pods(lab, 1)

    async with acting(kubernetes, lab, "deployment", "serve") as at:
        with pytest.raises(ActionError, match="HorizontalPodAutoscaler elastic"):
            await at.begin()
    assert len(kubernetes.pods(lab)) == 1


async def test_a_name_that_is_used_anew_between_look_and_act_is_left_alone(kubernetes, lab):
    workload = controller("Deployment", lab, 1)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, 1)

    async with acting(kubernetes, lab, "deployment", "serve") as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        kubernetes.delete(workload)
        kubernetes.await_true(lambda: kubernetes.pods(lab) == [], "its pods are there")
        kubernetes.apply(workload)
        kubernetes.await_pods(lab, 1)

        with pytest.raises(ActionError, match="not the run that was judged"):
            await at.begin()
    assert kubernetes.find(workload)["spec"]["replicas"] == 1


async def test_whoever_starts_it_again_is_named(kubernetes, lab):
    workload = controller("Deployment", lab, 1)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, 1)

    async with acting(kubernetes, lab, "deployment", "serve") as at:
        await at.begin()
        await at.comes_to(Progress.DONE)
        again = {**workload, "spec": {"replicas": 1}}
        kubernetes.api.apply(kubernetes.path(workload), again, manager="scaling-bot")
        kubernetes.await_pods(lab, 1)

        assert await at.actor.inspect(at.effect()) is Progress.RECREATED
        assert await at.actor.reverter(at.effect()) == "scaling-bot"


async def test_an_api_server_that_is_killed_after_it_took_an_act_is_read_once_it_is_back(
    kubernetes, lab
):
    workload = controller("Deployment", lab, 1)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, 1)

    async with acting(kubernetes, lab, "deployment", "serve") as at:
        await at.begin()
        kubernetes.plane.kill_server()
        try:
            with pytest.raises(ActionError) as caught:
                await at.actor.inspect(at.effect())
            assert caught.value.recoverable
        finally:
            kubernetes.plane.start_server()
        # As after a crash of ours: nobody remembers whether it was done.
        at.actor = KubernetesActor({"c1": at.connection}, at.clock)
        await at.comes_to(Progress.DONE)
        await resume([at.connection], at.run.id, clock=at.clock)
    kubernetes.await_pods(lab, 1)


async def test_a_job_that_kueue_manages_is_deactivated_and_may_come_back(kubernetes, kueue):
    with kubernetes.namespace(MANAGED) as lab:
        queue = kueue.queue(lab, gpus=1, labels={"rig": "acts"})
        kubernetes.apply(queued(gpu_job(lab, "serve", suspend=True), queue))
        kubernetes.await_pods(lab, 1)
        async with acting(kubernetes, lab, "job", "serve") as at:
            await at.begin()
            await at.comes_to(Progress.DONE)
            [workload] = kueue.workloads(lab)
            assert workload["spec"]["active"] is False
            assert kubernetes.find(job(lab))["spec"]["suspend"] is True

            await resume([at.connection], at.run.id, clock=at.clock)

        kubernetes.await_pods(lab, 1)
