"""What the chart installs, in a real API server: pods start under the security that is promised."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from reaper.activity.endpoints import ServiceSettings, of
from tests.real.kubernetes.api import Refused
from tests.real.kubernetes.charted import KUSTOMIZE, kustomized
from tests.real.kubernetes.cluster import KubernetesCluster
from tests.real.kubernetes.tools import tools

NODE = "charted01"
PRESENT = {"nvidia.com/gpu.present": "true"}
RUNTIME = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "nvidia"},
    "handler": "nvidia",
}
FIRST = ("Namespace", "RuntimeClass")


@pytest.fixture(scope="module")
def installed(kubernetes: KubernetesCluster) -> Iterator[KubernetesCluster]:
    """Give a cluster with the observing overlay, and a node that its exporter fits."""
    objects = [RUNTIME, *kustomized(KUSTOMIZE / "overlays/observe")]
    kubernetes.node(NODE, labels=PRESENT)
    kubernetes.apply(*sorted(objects, key=lambda item: item["kind"] not in FIRST))
    yield kubernetes
    kubernetes.remove_node(NODE)
    kubernetes.delete(*(item for item in objects if item["kind"] in (*FIRST, "ClusterRole")))
    kubernetes.delete(*(item for item in objects if item["kind"] == "ClusterRoleBinding"))


def pods_of(cluster: KubernetesCluster, namespace: str) -> list[Any]:
    """Return the pods of a namespace as soon as there are any."""

    def why() -> str:
        path = f"/api/v1/namespaces/{namespace}/events"
        return "; ".join(event["message"] for event in cluster.api.items(path))

    cluster.await_true(lambda: cluster.pods(namespace), why)
    return cluster.pods(namespace)


def test_the_reaper_starts_where_pods_are_held_to_what_is_restricted(installed):
    (pod,) = pods_of(installed, "gpu-reaper")

    assert pod["metadata"]["labels"]["app.kubernetes.io/name"] == "gpu-reaper"


def test_a_pod_with_host_paths_would_not_start_there(installed):
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "gpu-reaper", "name": "intruder"},
        "spec": {
            "containers": [{"name": "a", "image": "a"}],
            "volumes": [{"name": "host", "hostPath": {"path": "/"}}],
        },
    }
    with pytest.raises(Refused, match="restricted"):
        installed.apply(pod)


def test_an_exporter_starts_on_a_node_with_gpus_and_on_no_other(installed):
    pods = pods_of(installed, "gpu-exporter")

    assert [pod["spec"].get("nodeName", NODE) for pod in pods] == [NODE]


def test_the_reaper_may_list_where_the_exporters_answer_and_the_exporter_nothing(installed):
    path = "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices"
    reaper = installed.service_account("gpu-reaper", "gpu-reaper")
    exporter = installed.service_account("gpu-exporter", "gpu-exporter")

    assert reaper.items(path.format("gpu-exporter")) is not None
    for one, place in ((reaper, "default"), (exporter, "gpu-exporter")):
        with pytest.raises(Refused) as refused:
            one.items(path.format(place))
        assert refused.value.status == 403


def test_the_reaper_finds_each_exporter_and_its_node_with_the_rights_it_has(installed):
    account = installed.service_account("gpu-reaper", "gpu-reaper")
    settings = ServiceSettings(namespace="gpu-exporter", kubeconfig=installed.kubeconfig(account))
    endpoints = [
        {"addresses": ["10.1.0.7"], "nodeName": NODE, "conditions": {"ready": False}},
        {"addresses": ["10.1.0.8"], "nodeName": "charted02", "conditions": {"terminating": True}},
    ]
    slices = {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "namespace": "gpu-exporter",
            "name": "gpu-exporter-drawn",
            "labels": {"kubernetes.io/service-name": "gpu-exporter"},
        },
        "addressType": "IPv4",
        "endpoints": endpoints,
        "ports": [{"name": "metrics", "port": 19440}],
    }
    installed.apply(slices)

    found = of(settings, "https").targets()

    assert ("https://10.1.0.7:19440/metrics", NODE) in {
        (str(item.metrics), item.node) for item in found
    }
    assert "charted02" not in {item.node for item in found}


@pytest.mark.parametrize("mode", ["observe", "notify", "act"])
def test_every_object_of_a_mode_is_taken(installed, mode):
    words = ("apply", "--server-side", "--force-conflicts", "--dry-run=server")
    done = subprocess.run(
        [
            *(str(tools().kubectl), "--kubeconfig", str(installed.kubeconfig()), *words),
            *("-k", str(KUSTOMIZE / "overlays" / mode)),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
    assert "clusterrole.rbac.authorization.k8s.io/gpu-reaper" in done.stdout
