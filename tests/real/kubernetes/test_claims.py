"""Claims, demand and keeps, read from a real API server with its real controllers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from reaper.domain.facts.allocation import Claim, Inventory
from reaper.domain.facts.demand import Request
from reaper.edge.clock import SystemClock
from reaper.edge.kubernetes import Connection, door
from reaper.platforms.kubernetes.demand import KubernetesDemand
from reaper.platforms.kubernetes.holder import KubernetesHolder
from reaper.platforms.kubernetes.mirror import Mirror
from reaper.platforms.kubernetes.wishes import KEEP
from reaper.ports import Claims
from tests.real.kubernetes.cluster import KubernetesCluster, gpu_pod
from tests.real.kubernetes.kueue import MANAGED, gpu_job, queued

NODE = "claims01"
HERE = {"nodeSelector": {"rig": "claims"}}


@pytest.fixture(scope="module", autouse=True)
def node(kubernetes: KubernetesCluster) -> Iterator[str]:
    yield kubernetes.node(NODE, gpus=4, labels={"rig": "claims"})
    kubernetes.remove_node(NODE)


@asynccontextmanager
async def mirrored(kubernetes: KubernetesCluster) -> AsyncIterator[Mirror]:
    """Give a mirror with the cluster's own kubeconfig."""
    clock = SystemClock()
    way = door(path=kubernetes.kubeconfig(), context="", clock=clock, environment={})
    mirror = Mirror(Connection("c1", way, clock), clock, step=5.0)
    try:
        yield mirror
    finally:
        await mirror.close()


async def answered(holder: KubernetesHolder, ready: Callable[[Claims], bool]) -> Claims:
    """Wait until a holder says what is waited for."""
    async with asyncio.timeout(60):
        while True:
            answer = await holder.claims(Inventory())
            if ready(answer):
                return answer
            await asyncio.sleep(0.1)


def deployment(lab: str) -> dict[str, Any]:
    """Write a Deployment of two pods with a GPU each."""
    spec = {**gpu_pod(lab, "")["spec"], **HERE}
    labels = {"app": "serve"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"namespace": lab, "name": "serve"},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }


def of(answer: Claims, lab: str) -> list[Claim]:
    return [claim for claim in answer.claims if claim.namespace == lab]


async def asked(demand: KubernetesDemand, lab: str, ready: Callable[[Request], bool]) -> Request:
    """Wait until the one request of a namespace is as it is waited for."""
    async with asyncio.timeout(60):
        while True:
            waiting = (await demand.waiting()).requests
            found = [one for one in waiting if one.id.startswith(f"{lab}/")]
            if len(found) == 1 and ready(found[0]):
                return found[0]
            await asyncio.sleep(0.1)


async def test_the_replicas_of_a_deployment_are_one_claim_under_its_name(kubernetes, lab):
    kubernetes.apply(deployment(lab))
    pods = kubernetes.await_pods(lab, 2)
    async with mirrored(kubernetes) as mirror:
        holder = KubernetesHolder([mirror])
        answer = await answered(
            holder, lambda said: [len(one.places) for one in of(said, lab)] == [2]
        )

    (claim,) = of(answer, lab)
    assert (claim.run.id, claim.doubt) == (f"{lab}/deployment/serve", "")
    assert sorted(claim.node_ids) == sorted(pod["metadata"]["uid"] for pod in pods)
    assert claim.run.key == claim.node_ids[0]
    (here,) = [one for one in answer.capacities if one.node == NODE]
    assert here.allocated is not None
    assert here.allocated >= 2
    assert (here.gpus, here.state) == (4, "up")


async def test_a_pod_that_no_node_has_room_for_waits_for_gpus(kubernetes, lab):
    """By the words of a real scheduler."""
    kubernetes.apply(gpu_pod(lab, "big", gpus=4, **HERE), gpu_pod(lab, "late", gpus=4, **HERE))
    async with mirrored(kubernetes) as mirror:
        found = await asked(KubernetesDemand([mirror]), lab, lambda one: one.startable)

    assert (found.gpus, found.on_each, found.why) == (4, 4, "")
    assert NODE not in found.avoids


async def test_a_keep_is_heard_with_the_program_that_wrote_it(kubernetes, lab):
    written = gpu_pod(lab, "kept", **HERE)
    kubernetes.apply(written)
    kubernetes.await_phase(lab, "kept", "Running")
    kubernetes.api.merge(kubernetes.path(written), {"metadata": {"annotations": {KEEP: "2h"}}})
    async with mirrored(kubernetes) as mirror:
        holder = KubernetesHolder([mirror], keeps=[lab])
        answer = await answered(holder, lambda said: bool(said.wishes))

    (wished,) = answer.wishes
    assert wished.by == f"namespace/{lab}"
    assert wished.reason.startswith(f"{KEEP}: 2h (")
    assert 0 < wished.seconds <= 7200


async def test_what_kueue_holds_back_starts_on_what_its_queue_is_given_back(kubernetes, kueue):
    """By the words of a real Kueue."""
    with kubernetes.namespace(MANAGED) as lab:
        queue = kueue.queue(lab, gpus=1, labels={"rig": "claims"})
        for name in ("first", "second"):
            kubernetes.apply(queued(gpu_job(lab, name, suspend=True), queue))
        async with mirrored(kubernetes) as mirror:
            found = await asked(KubernetesDemand([mirror]), lab, lambda one: one.startable)
            (claim,) = of(
                await answered(KubernetesHolder([mirror]), lambda said: bool(of(said, lab))), lab
            )

    assert found.id in {f"{lab}/job/first", f"{lab}/job/second"} - {claim.run.id}
    assert claim.partition in found.partitions
    assert claim.account == queue
