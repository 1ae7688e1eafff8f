"""
Kinds of operators that are not here: on a real API server, with a stand-in for their controllers.

Their schemas are open, and the test itself ends and makes pods as their controllers do.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from reaper.edge.clock import SystemClock
from reaper.platforms.kubernetes.release.actor import resume
from reaper.ports import Progress, Recheck
from tests.real.kubernetes.cluster import KubernetesCluster, gpu_pod
from tests.real.kubernetes.test_acts import HERE, acting

NODE = "acts02"

#: By the word that ids name it by: group, version, kind and the spec that runs.
KINDS: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "notebook": ("kubeflow.org", "v1", "Notebook", {"template": {}}),
    "workspace": ("kubeflow.org", "v1beta1", "Workspace", {"paused": False}),
    "pytorchjob": ("kubeflow.org", "v1", "PyTorchJob", {"runPolicy": {"cleanPodPolicy": "All"}}),
    "jobset": ("jobset.x-k8s.io", "v1alpha2", "JobSet", {"network": {}}),
    "trainjob": ("trainer.kubeflow.org", "v1alpha1", "TrainJob", {"suspend": False}),
    "raycluster": ("ray.io", "v1", "RayCluster", {"rayVersion": "2.9"}),
    "rayjob": ("ray.io", "v1", "RayJob", {"shutdownAfterJobFinishes": True}),
    "leaderworkerset": ("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", {"replicas": 2}),
    "inferenceservice": (
        "serving.kserve.io",
        "v1beta1",
        "InferenceService",
        {"predictor": {"minReplicas": 1}},
    ),
}


def definition(word: str) -> dict[str, Any]:
    """Write a kind whose schema is open."""
    group, version, kind, _ = KINDS[word]
    plural = f"{word}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    served = {
        "name": version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural, "singular": word},
            "versions": [served],
        },
    }


@pytest.fixture(scope="module", autouse=True)
def kinds(kubernetes: KubernetesCluster) -> Iterator[None]:
    definitions = [definition(word) for word in KINDS]
    kubernetes.define(*definitions)
    kubernetes.node(NODE, gpus=8, labels={"rig": "acts"})
    yield
    kubernetes.remove_node(NODE)
    kubernetes.delete(*definitions)


async def discovered(kubernetes: KubernetesCluster, lab: str, group: str, kind: str) -> None:
    """Wait until whoever asks what is served is told of a new kind: that comes a little later."""
    until = SystemClock().elapsed() + 60
    while True:
        async with acting(kubernetes, lab, "pod", "none", uid="none") as at:
            if (await at.connection.served()).path(group, kind):
                return
        assert SystemClock().elapsed() < until, f"nobody is told of {kind}"
        await asyncio.sleep(0.2)


def owned(pod: dict[str, Any], owner: dict[str, Any]) -> dict[str, Any]:
    """Return a pod as its controller makes it."""
    about = owner["metadata"]
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "controller": True}
    references = [{**reference, "name": about["name"], "uid": about["uid"]}]
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": references}}


@pytest.mark.parametrize("word", KINDS)
async def test_a_kind_with_a_stand_in_for_its_controller_is_stopped_and_started_again(
    kubernetes, lab, word
):
    group, version, kind, spec = KINDS[word]
    workload = {
        "apiVersion": f"{group}/{version}",
        "kind": kind,
        "metadata": {"namespace": lab, "name": "serve"},
        "spec": spec,
    }
    made = kubernetes.apply(workload)
    pod = owned(gpu_pod(lab, "serve-0", **HERE), made)
    kubernetes.apply(pod)
    kubernetes.await_pods(lab, 1)
    await discovered(kubernetes, lab, group, kind)

    async with acting(kubernetes, lab, word, "serve") as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        await at.begin()
        assert await at.actor.inspect(at.effect()) is Progress.PENDING
        kubernetes.delete(pod)
        await at.comes_to(Progress.DONE)
        assert kubernetes.find(workload) != made

        await resume([at.connection], at.run.id, clock=at.clock)

        after = kubernetes.find(workload)
        assert after["spec"] == made["spec"]
        assert set(after["metadata"]["annotations"]) == {"gpu-reaper.io/resumed"}
