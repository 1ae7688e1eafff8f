"""The rig's real node: what tests of kubelets may rely on."""

from pathlib import Path

from tests.real.kubernetes.cluster import gpu_pod
from tests.real.kubernetes.node import CLAIMED, PLUGGED
from tests.real.kubernetes.plugins import DRIVER


def claiming(namespace: str, name: str) -> tuple[dict, dict]:
    """Write a resource claim of one GPU and a pod that uses it."""
    request = {"name": "gpu", "exactly": {"deviceClassName": DRIVER}}
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"namespace": namespace, "name": name},
        "spec": {"devices": {"requests": [request]}},
    }
    pod = gpu_pod(
        namespace, name, gpus=0, resourceClaims=[{"name": "gpu", "resourceClaimName": name}]
    )
    pod["spec"]["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
    return claim, pod


def test_a_container_sees_the_gpus_that_the_plugin_gave(kubernetes, lab, node):
    pod = gpu_pod(lab, "train", gpus=2)

    uid = node.run(pod)["metadata"]["uid"]

    (pid, *_) = node.pids(uid)
    environment = Path(f"/proc/{pid}/environ").read_text()
    assert set(node.devices.given[-1]) == set(PLUGGED)
    assert f"NVIDIA_VISIBLE_DEVICES={','.join(node.devices.given[-1])}" in environment.split("\0")
    node.end(pod)


def test_a_resource_claim_is_prepared_while_its_pod_runs(kubernetes, lab, node):
    claim, pod = claiming(lab, "claimed")
    kubernetes.apply(claim)

    node.run(pod)

    found = kubernetes.find(claim)
    (result,) = found["status"]["allocation"]["devices"]["results"]
    assert result["device"] in CLAIMED
    assert node.dra.prepared == {found["metadata"]["uid"]}
    node.end(pod)
    kubernetes.await_true(lambda: not node.dra.prepared, "the claim stays prepared")
