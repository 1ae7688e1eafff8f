"""The rig's Kueue: what tests of queues may rely on."""

import pytest

from tests.real.kubernetes.kueue import MANAGED, gpu_job, queued


@pytest.fixture(scope="module")
def gpus(kubernetes):
    yield kubernetes.node("queued01", gpus=4, labels={"rig": "queued"})
    kubernetes.remove_node("queued01")


@pytest.fixture
def managed(kubernetes, kueue):
    with kubernetes.namespace(MANAGED) as name:
        yield name


@pytest.fixture
def queue(kueue, managed, gpus) -> str:
    return kueue.queue(managed, gpus=2, labels={"rig": "queued"})


def test_a_workload_that_is_deactivated_lets_the_waiting_one_run(kubernetes, kueue, managed, queue):
    for name in ("first", "second"):
        kubernetes.apply(queued(gpu_job(managed, name, suspend=True), queue))
    kubernetes.await_pods(managed, 2)
    kubernetes.apply(queued(gpu_job(managed, "waiting", suspend=True), queue))
    first = next(
        one
        for one in kueue.workloads(managed)
        if one["metadata"]["ownerReferences"][0]["name"] == "first"
    )

    path = f"/apis/kueue.x-k8s.io/v1beta2/namespaces/{managed}/workloads"
    kubernetes.api.merge(f"{path}/{first['metadata']['name']}", {"spec": {"active": False}})

    def at_work() -> set[str]:
        return {
            pod["metadata"]["labels"]["job-name"]
            for pod in kubernetes.pods(managed)
            if pod["status"]["phase"] == "Running"
        }

    kubernetes.await_true(lambda: at_work() == {"second", "waiting"}, lambda: f"{at_work()} run")
