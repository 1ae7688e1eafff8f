"""The exporter on a real kubelet: it says that pods hold the GPUs that they were given."""

import os
import signal
import sys
from contextlib import suppress

import pytest

from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.fixtures import fake_library, fake_node
from tests.real.kubernetes.cluster import gpu_pod
from tests.real.kubernetes.node import CLAIMED
from tests.real.kubernetes.test_node import claiming

__all__ = ["fake_library", "fake_node"]

SHARE = "gpunode_allocation_share"


@pytest.fixture
def exporter(node, fake_library, fake_node, tmp_path):
    """An exporter on the real node, whose four cards have no process."""
    for _ in range(4):
        fake_node.change({f"{fake_node.add_hopper()}.processes": ""})
    running = ExporterProcess(
        tmp_path / "exporter",
        f"--kubelet-socket={node.pod_resources}",
        f"--node={node.name}",
        environment=fake_node.environment(fake_library),
        python=(*node.inside(), sys.executable),
    )
    running.await_address()
    yield running
    running.close()


def held(page, uid: str) -> set[str]:
    """Return the GPUs that a page says a pod holds."""
    return {
        labels["gpu"]
        for labels in page.labels(SHARE)
        if labels["platform"] == "kubernetes" and labels["allocation"].startswith(uid)
    }


def test_a_pod_at_rest_holds_the_gpus_that_the_plugin_gave_it(lab, node, exporter):
    pod = gpu_pod(lab, "resting", gpus=1)

    uid = node.run(pod)["metadata"]["uid"]

    page = exporter.page_when(lambda page: held(page, uid))
    assert held(page, uid) == set(node.devices.given[-1])
    node.end(pod)


def test_a_pod_at_rest_holds_the_gpu_that_its_claim_was_given(kubernetes, lab, node, exporter):
    claim, pod = claiming(lab, "claiming")
    kubernetes.apply(claim)

    uid = node.run(pod)["metadata"]["uid"]

    page = exporter.page_when(lambda page: held(page, uid))
    (given,) = kubernetes.find(claim)["status"]["allocation"]["devices"]["results"]
    assert held(page, uid) == {CLAIMED[given["device"]]}
    node.end(pod)


def test_a_pod_whose_containers_have_ended_holds_nothing(kubernetes, lab, node, exporter):
    pod = gpu_pod(lab, "ending", gpus=1, restartPolicy="Never")
    uid = node.run(pod)["metadata"]["uid"]
    exporter.page_when(lambda page: held(page, uid))

    for pid in node.pids(uid):
        # A shell that ends takes what it waited for along.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)

    kubernetes.await_phase(lab, "ending", "Succeeded")
    exporter.page_when(lambda page: not held(page, uid))
    node.end(pod)


def test_what_pods_hold_is_known_again_after_the_kubelet_was_killed(lab, node, exporter):
    first, second = gpu_pod(lab, "before", gpus=1), gpu_pod(lab, "after", gpus=1)
    before = node.run(first)["metadata"]["uid"]
    exporter.page_when(lambda page: held(page, before))

    node.restart_kubelet()

    after = node.run(second)["metadata"]["uid"]
    page = exporter.page_when(lambda page: held(page, after))
    assert held(page, after) == set(node.devices.given[-1])
    assert held(page, before) == set(node.devices.given[-2])
    node.end(first, second)
