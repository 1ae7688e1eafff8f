"""Nodes, quotas, DRA's objects, queues and workloads, read from what an API server says."""

import pytest

from reaper.platforms.kubernetes.objects import (
    Given,
    Resources,
    Taint,
    cluster_queue,
    flavor,
    group_of,
    kind_of,
    local_queue,
    meta,
    node,
    queued,
    quota,
    resource_claim,
    resource_slice,
    word,
    workload,
)
from reaper.platforms.kubernetes.objects.queues import PodSet, Share
from tests.reaper.platforms.kubernetes import drawn
from tests.reaper.platforms.kubernetes.drawn import GPU, NOON, metadata, when


def test_a_node_has_what_it_can_give_out() -> None:
    """Not what is built in: a device that is unhealthy is not allocatable."""
    raw = drawn.node(
        gpus=4, spec={"unschedulable": True, "taints": [{"key": "gpu", "effect": "NoSchedule"}]}
    )
    raw["status"]["capacity"] = {GPU: "8"}
    found = node(raw)

    assert (found.name, found.gpus, found.ready, found.cordoned) == ("gpu01", {GPU: 4}, True, True)
    assert found.taints == (Taint(key="gpu", effect="NoSchedule"),)


@pytest.mark.parametrize(("said", "ready"), [("True", True), ("False", False), ("Unknown", None)])
def test_a_node_of_which_nobody_hears_is_not_said_to_be_ready(
    said: str, ready: bool | None
) -> None:
    """Unknown stays unknown."""
    raw = drawn.node()
    raw["status"]["conditions"][0]["status"] = said

    assert node(raw).ready is ready


def test_a_quota_tells_of_gpus_by_their_requests() -> None:
    """CPU and pods are not read."""
    raw = {
        "metadata": metadata("q"),
        "status": {
            "hard": {f"requests.{GPU}": "8", "pods": "10"},
            "used": {f"requests.{GPU}": "7", "pods": "2"},
        },
    }
    found = quota(raw)

    assert (found.hard, found.used) == ({GPU: 8}, {GPU: 7})


def test_a_resource_claim_tells_its_devices_and_who_uses_it() -> None:
    """Access beside the holder is marked."""
    found = resource_claim(drawn.resource_claim("c", "gpu-0", adminAccess=True))

    assert found.given == (
        Given(driver="gpu.nvidia.com", pool="gpu01", device="gpu-0", admin=True),
    )
    assert (found.pods, found.others, found.wanted) == ((drawn.uid("pod-0"),), False, 1)


def test_a_resource_claim_that_was_given_nothing_says_so() -> None:
    """None is not the same as no devices."""
    raw = drawn.resource_claim("c", pods=())
    raw["status"] = {}

    assert resource_claim(raw).given is None


def test_a_resource_claim_of_the_first_version_is_read_too() -> None:
    """Its requests lie less deep."""
    raw = drawn.resource_claim("c", "gpu-0")
    raw["spec"]["devices"]["requests"] = [
        {"name": "gpu", "deviceClassName": "gpu.nvidia.com", "count": 2}
    ]
    found = resource_claim(raw)

    assert (found.classes, found.wanted) == (("gpu.nvidia.com",), 2)


def test_a_slice_tells_the_uuids_of_its_devices() -> None:
    """By the name that a claim uses."""
    found = resource_slice(drawn.resource_slice(gpu_0="GPU-aa"))

    assert (found.driver, found.pool, found.node) == ("gpu.nvidia.com", "gpu01", "gpu01")
    assert found.devices["gpu-0"].uuid == "GPU-aa"


def test_a_slice_of_the_first_version_is_read_too() -> None:
    """Its attributes lie deeper, and may carry their driver's name."""
    raw = drawn.resource_slice()
    raw["spec"]["devices"] = [
        {"name": "gpu-0", "basic": {"attributes": {"gpu.nvidia.com/uuid": {"string": "GPU-aa"}}}}
    ]

    assert resource_slice(raw).devices["gpu-0"].uuid == "GPU-aa"


def test_a_kueue_workload_tells_what_it_waits_for() -> None:
    """With the GPUs of each pod of each set."""
    template = {"spec": {"containers": [drawn.container(2)]}}
    raw = {
        "metadata": metadata("w", drawn.owner("Job", "train", version="batch/v1")),
        "spec": {
            "queueName": "team",
            "priorityClassName": "low",
            "podSets": [{"name": "main", "count": 3, "template": template}],
        },
        "status": {
            "conditions": [
                {
                    "type": "QuotaReserved",
                    "status": "False",
                    "reason": "Pending",
                    "message": "insufficient unused quota",
                    "lastTransitionTime": when(NOON),
                }
            ]
        },
    }
    found = queued(raw)

    assert (found.queue, found.active, found.admitted, found.why, found.waiting_since) == (
        "team",
        True,
        False,
        "insufficient unused quota",
        NOON,
    )
    assert found.sets == (PodSet(name="main", count=3, gpus={GPU: 2}),)


def test_a_kueue_workload_that_was_admitted_tells_by_which_queue() -> None:
    """And on which flavours of GPUs."""
    raw = {
        "metadata": metadata("w"),
        "spec": {"queueName": "team", "active": False},
        "status": {
            "admission": {
                "clusterQueue": "gpus",
                "podSetAssignments": [{"name": "main", "flavors": {GPU: "a100", "cpu": "default"}}],
            },
            "conditions": [
                {"type": "QuotaReserved", "status": "True"},
                {"type": "Admitted", "status": "True"},
            ],
        },
    }
    found = queued(raw)

    assert (found.cluster_queue, found.flavors, found.admitted, found.active, found.why) == (
        "gpus",
        ("a100",),
        True,
        False,
        "",
    )


def test_a_cluster_queue_tells_its_quota_and_what_of_it_is_reserved() -> None:
    """By flavor, GPUs alone."""
    amounts = [{"name": GPU, "nominalQuota": 8}, {"name": "cpu", "nominalQuota": 64}]
    raw = {
        "metadata": metadata("gpus", namespace=None),
        "spec": {
            "cohort": "all",
            "resourceGroups": [{"flavors": [{"name": "a100", "resources": amounts}]}],
        },
        "status": {
            "flavorsReservation": [{"name": "a100", "resources": [{"name": GPU, "total": "6"}]}]
        },
    }
    found = cluster_queue(raw)

    assert (found.cohort, found.stopped) == ("all", False)
    assert found.shares == (Share(flavor="a100", resource=GPU, nominal=8, used=6),)


def test_local_queues_and_flavors_are_read() -> None:
    """A way in, and a kind of node."""
    local = local_queue({"metadata": metadata("team"), "spec": {"clusterQueue": "gpus"}})
    kind = flavor(
        {"metadata": metadata("a100", namespace=None), "spec": {"nodeLabels": {"pool": "a100"}}}
    )

    assert (local.cluster_queue, kind.labels) == ("gpus", {"pool": "a100"})


@pytest.mark.parametrize(
    ("spec", "replicas", "suspended"),
    [
        ({"replicas": 3}, 3, None),
        ({"suspend": True}, None, True),
        ({"runPolicy": {"suspend": True}}, None, True),
        ({"paused": False}, None, False),
        ({}, None, None),
    ],
)
def test_a_workload_tells_whether_it_is_to_run(
    spec: dict[str, object], replicas: int | None, suspended: bool | None
) -> None:
    """In each kind's own word."""
    found = workload(
        {"apiVersion": "x/v1", "kind": "Thing", "metadata": metadata("t"), "spec": spec}
    )

    assert (found.replicas, found.suspended, found.meta.reference.group) == (
        replicas,
        suspended,
        "x",
    )


def test_metadata_alone_is_enough_for_an_owner() -> None:
    """Long annotations are left out: nobody reads them."""
    raw = drawn.object_of("Deployment", "web", annotations={"long": "x" * 5000, "short": "y"})
    found = meta(raw)

    assert (str(found.reference), found.annotations) == ("ns/deployment/web", {"short": "y"})


def test_ids_name_the_group_only_where_the_kind_says_too_little() -> None:
    """A kind of two groups, or one that nobody knows."""
    assert [
        word("batch", "Job"),
        word("batch.volcano.sh", "Job"),
        word("kubeflow.org", "Notebook"),
        word("site.org", "Thing"),
        word("", "Pod"),
    ] == ["job", "job.batch.volcano.sh", "notebook", "thing.site.org", "pod"]


def test_a_kind_belongs_to_its_group() -> None:
    """Somebody else's Deployment is somebody's own kind."""
    assert kind_of("apps", "Deployment") is not None
    assert kind_of("site.org", "Deployment") is None
    assert (group_of("v1"), group_of("apps/v1")) == ("", "apps")


def test_a_glob_covers_no_resource_of_the_core() -> None:
    """A site's ``*`` does not make memory a GPU."""
    every = Resources(("*",))

    assert (every.cover("memory"), every.cover("site.org/gpu"), every.cover(7)) == (
        False,
        True,
        False,
    )
