"""The rig itself: what tests of the platform may rely on."""

import pytest

from tests.real.kubernetes.api import Refused
from tests.real.kubernetes.cluster import GPU, KubernetesCluster, gpu_pod

ONE_NODE = "rig01"


@pytest.fixture(scope="module")
def gpus(kubernetes: KubernetesCluster):
    yield kubernetes.node(ONE_NODE, gpus=2, labels={"rig": "one"})
    kubernetes.remove_node(ONE_NODE)


@pytest.fixture
def here(gpus: str) -> dict[str, object]:
    return {"nodeSelector": {"rig": "one"}}


def test_a_pod_runs_where_its_gpus_are(kubernetes, lab, here):
    kubernetes.apply(gpu_pod(lab, "train", gpus=2, **here))

    running = kubernetes.await_phase(lab, "train", "Running")

    assert running["spec"]["nodeName"] == ONE_NODE


def test_a_pod_for_which_no_gpu_is_free_waits_and_says_so(kubernetes, lab, here):
    kubernetes.apply(gpu_pod(lab, "large", gpus=3, **here))

    def told() -> str:
        pod = kubernetes.pod(lab, "large")
        found = [one.get("message", "") for one in pod["status"].get("conditions", ())]
        return next((message for message in found if GPU in message), "")

    kubernetes.await_true(told, "the scheduler says nothing")
    assert f"Insufficient {GPU}" in told()


def test_a_controller_makes_the_pods_that_its_owner_asks_for(kubernetes, lab, here):
    template = {
        "metadata": {"labels": {"app": "serve"}},
        "spec": {**gpu_pod(lab, "")["spec"], **here},
    }
    del template["spec"]["terminationGracePeriodSeconds"]
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"namespace": lab, "name": "serve"},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": "serve"}},
            "template": template,
        },
    }
    kubernetes.apply(deployment)
    kubernetes.await_pods(lab, 2)

    kubernetes.api.merge(f"{kubernetes.path(deployment)}/scale", {"spec": {"replicas": 0}})

    kubernetes.await_true(lambda: kubernetes.pods(lab) == [], "pods are left")


def test_an_eviction_that_a_budget_forbids_is_refused_with_429(kubernetes, lab, here):
    pod = gpu_pod(lab, "guarded", **here)
    pod["metadata"]["labels"] = {"app": "guarded"}
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"namespace": lab, "name": "guard"},
        "spec": {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "guarded"}}},
    }
    kubernetes.apply(budget, pod)
    kubernetes.await_phase(lab, "guarded", "Running")
    eviction = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"namespace": lab, "name": "guarded"},
    }

    with pytest.raises(Refused) as refusal:
        kubernetes.api.post(f"{kubernetes.path(pod)}/eviction", eviction)

    assert refusal.value.status == 429


def test_a_service_account_has_no_rights_of_its_own(kubernetes, lab):
    nobody = kubernetes.service_account(lab, "nobody")

    with pytest.raises(Refused) as refusal:
        nobody.items("/api/v1/pods")

    assert refusal.value.status == 403


def test_a_killed_server_comes_back_with_all_that_it_knew(kubernetes, lab, here):
    kubernetes.apply(gpu_pod(lab, "before", **here))

    kubernetes.plane.kill_server()
    with pytest.raises(OSError, match="refused"):
        kubernetes.pods(lab)
    kubernetes.plane.start_server()

    kubernetes.await_phase(lab, "before", "Running")
