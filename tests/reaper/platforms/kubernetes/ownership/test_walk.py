"""From a pod to its workload."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.kubernetes.objects import Meta, Reference, meta
from reaper.platforms.kubernetes.ownership.walk import Top, top
from tests.reaper.platforms.kubernetes.drawn import object_of, owner, pod

JOB, RAY = "batch/v1", "ray.io/v1"
KUBEFLOW = "kubeflow.org/v1"


def walked(raw: dict[str, Any], *owners: dict[str, Any], **trouble: str) -> Top:
    known = {one["metadata"]["uid"]: meta(one) for one in owners}
    return top(meta(raw, "", "Pod"), known.get, trouble)


def of(kind: str, name: str, version: str = "apps/v1") -> dict[str, Any]:
    return owner(kind, name, version=version)


@pytest.mark.parametrize(
    ("expected", "owners"),
    [
        (
            "ns/deployment/web",
            [
                object_of("ReplicaSet", "a", of("Deployment", "web")),
                object_of("Deployment", "web"),
            ],
        ),
        ("ns/job/train", [object_of("Job", "train", version=JOB)]),
        ("ns/job/train", [object_of("Job", "train", of("CronJob", "nightly", JOB), version=JOB)]),
        (
            "ns/jobset/big",
            [
                object_of("Job", "big-0", of("JobSet", "big", "jobset.x-k8s.io/v1"), version=JOB),
                object_of("JobSet", "big", version="jobset.x-k8s.io/v1"),
            ],
        ),
        (
            "ns/rayjob/tune",
            [
                object_of("RayCluster", "tune-x", of("RayJob", "tune", RAY), version=RAY),
                object_of("RayJob", "tune", version=RAY),
            ],
        ),
        (
            "ns/notebook/mira",
            [
                object_of("StatefulSet", "mira", of("Notebook", "mira", KUBEFLOW)),
                object_of("Notebook", "mira", version=KUBEFLOW),
            ],
        ),
        (
            "ns/leaderworkerset/llm",
            [
                object_of(
                    "StatefulSet",
                    "llm-0",
                    of("LeaderWorkerSet", "llm", "leaderworkerset.x-k8s.io/v1"),
                ),
                object_of("LeaderWorkerSet", "llm", version="leaderworkerset.x-k8s.io/v1"),
            ],
        ),
        (
            "ns/inferenceservice/chat",
            [
                object_of("ReplicaSet", "chat-7", of("Deployment", "chat")),
                object_of(
                    "Deployment",
                    "chat",
                    of("InferenceService", "chat", "serving.kserve.io/v1beta1"),
                ),
                object_of("InferenceService", "chat", version="serving.kserve.io/v1beta1"),
            ],
        ),
    ],
)
def test_a_walk_ends_at_what_would_be_stopped(expected: str, owners: list[dict[str, Any]]) -> None:
    """What only starts others from time to time is not walked to."""
    lowest = owners[0]
    version, name = lowest["apiVersion"], lowest["metadata"]["name"]
    found = walked(pod("p", of(lowest["kind"], name, version)), *owners)

    assert (str(found.reference), found.doubt, found.known) == (expected, "", True)


def test_a_pod_that_nobody_controls_is_its_own_workload() -> None:
    """Whoever owns it without controlling it does not stop it."""
    found = walked(pod("p", owner("Thing", "t", controller=False)))

    assert (str(found.reference), found.doubt) == ("ns/pod/p", "")


def test_a_pod_of_its_nodes_kubelet_is_its_own_workload() -> None:
    """A node is no workload."""
    assert str(walked(pod("p", of("Node", "gpu01", "v1"))).reference) == "ns/pod/p"


def test_somebodys_own_controller_is_the_workload() -> None:
    """Known or not: nothing is ever done to it, and its pods are one claim."""
    found = walked(pod("p", of("Thing", "t", "site.org/v1")))

    assert (str(found.reference), found.doubt, found.known) == ("ns/thing/t", "", False)


def test_an_owner_that_is_gone_is_a_doubt() -> None:
    """It may be about to be made anew, or its pods to be deleted."""
    found = walked(pod("p", of("ReplicaSet", "web-7")))

    assert found.doubt == "its owner ns/replicaset/web-7 is gone, or is not seen"


def test_an_owner_that_may_not_be_read_is_a_doubt_with_the_reason() -> None:
    """The reason is that of its kind."""
    raw = pod("p", of("RayCluster", "r", RAY))

    assert "forbidden" in walked(raw, RayCluster="forbidden: list rayclusters").doubt


def test_owners_that_go_round_in_a_circle_are_a_doubt() -> None:
    """Whatever stands in it."""
    found = walked(
        pod("p", of("ReplicaSet", "a")),
        object_of("ReplicaSet", "a", of("Deployment", "b")),
        object_of("Deployment", "b", of("ReplicaSet", "a")),
    )

    assert "in a circle" in found.doubt


@given(st.dictionaries(st.integers(0, 30), st.integers(0, 30)), st.integers(0, 30))
def test_every_walk_ends(above: dict[int, int], first: int) -> None:
    """Random owners, circles and holes among them: it ends at one that it met, or with a doubt."""

    def reference(number: int) -> Reference:
        return Reference(
            group="apps", kind="ReplicaSet", namespace="ns", name=str(number), uid=f"u{number}"
        )

    known = {
        f"u{number}": Meta(reference=reference(number), controller=reference(up))
        for number, up in above.items()
    }
    raw = Meta(
        reference=Reference(group="", kind="Pod", namespace="ns", name="p", uid="p"),
        controller=reference(first),
    )

    found = top(raw, known.get, {})

    assert found.doubt
    assert len(set(found.chain)) == len(found.chain)
