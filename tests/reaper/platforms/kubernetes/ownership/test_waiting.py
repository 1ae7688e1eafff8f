"""What waits for GPUs."""

from typing import Any

import pytest

from reaper.domain.facts.demand import Request, could_start
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import GPUS
from reaper.platforms.kubernetes.ownership.claiming import Configured
from reaper.platforms.kubernetes.ownership.waiting import full, requests
from tests.reaper.platforms.kubernetes.drawn import (
    GPU,
    NOON,
    container,
    metadata,
    node,
    object_of,
    owner,
    pod,
    resource_claim,
    seen,
    when,
)

ROOM = "0/2 nodes are available: 1 Insufficient cpu, 2 Insufficient nvidia.com/gpu."


def waiting(name: str = "w", *owners: Any, message: str = ROOM, **more: Any) -> dict[str, Any]:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": message,
    }
    status = {"conditions": [condition]} if message else {}
    return pod(name, *owners, node="", phase="Pending", started=None, status=status, **more)


def told(found: Seen) -> list[Request]:
    return list(requests(found, Configured(), GPUS))


def test_a_pod_that_no_node_has_room_for_could_start_on_what_is_freed():
    (found,) = told(seen(waiting(gpus=2), nodes=[node()]))

    assert (found.id, found.gpus, found.on_each, found.startable, found.why) == (
        "ns/pod/w",
        2,
        2,
        True,
        "",
    )
    assert could_start([found], partitions=("",), model="A100", freed={"gpu01": 2})
    assert not could_start([found], partitions=("",), model="A100", freed={"gpu01": 1, "gpu02": 1})


@pytest.mark.parametrize(
    ("message", "startable"),
    [
        (ROOM, True),
        ("0/1 nodes are available: 1 cannot allocate all claims.", True),
        ("0/1 nodes are available: 1 Insufficient memory.", False),
        ("0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.", False),
        ("0/1 nodes are available: 1 node(s) had untolerated taint {gpu: yes}.", False),
        ("", False),
    ],
)
def test_only_a_pod_that_lacks_gpus_could_start_when_some_are_freed(message: str, startable: bool):
    """What else it lacks is kept; of one that nobody looked at yet nothing is promised."""
    (found,) = told(seen(waiting(message=message)))

    assert found.startable is startable
    assert bool(found.why) is not startable


def test_a_pod_avoids_the_nodes_that_would_not_take_it():
    tainted = node("gpu02", spec={"taints": [{"key": "x", "effect": "NoSchedule"}]})
    tainted["metadata"]["uid"] = "gpu02"
    (found,) = told(seen(waiting(), nodes=[node(), tainted]))

    assert found.avoids == ("gpu02",)


def fleet(product: str, pool: str, count: int) -> list[dict[str, Any]]:
    """Draw nodes of a model in a pool."""
    labels = {"nvidia.com/gpu.product": product, "pool": pool}
    return [
        node(f"{pool}{number}", metadata=metadata(f"{pool}{number}", labels=labels))
        for number in range(count)
    ]


def picky(pool: str) -> dict[str, Any]:
    return waiting(spec={"nodeSelector": {"pool": pool}})


def test_nodes_of_another_model_are_avoided_by_the_models_name():
    nodes = fleet("NVIDIA-A100-SXM4-80GB", "a", 3) + fleet("NVIDIA-H100-80GB-HBM3", "h", 300)
    (found,) = told(seen(picky("a"), nodes=nodes))

    assert (found.model, found.avoids, found.only) == ("NVIDIA-A100-SXM4-80GB", (), ())
    freed = {"a1": 1}
    assert could_start([found], partitions=("",), model="NVIDIA A100-SXM4-80GB", freed=freed)
    assert not could_start([found], partitions=("",), model="NVIDIA H100 80GB HBM3", freed=freed)


def test_few_nodes_among_many_of_the_model_are_named_themselves():
    nodes = fleet("NVIDIA-A100-SXM4-80GB", "a", 300) + fleet("NVIDIA-A100-SXM4-80GB", "b", 2)
    (found,) = told(seen(picky("b"), nodes=nodes))

    assert (found.model, found.avoids, found.only) == ("", (), ("b0", "b1"))
    assert could_start([found], partitions=("",), model="A100", freed={"b1": 1})
    assert not could_start([found], partitions=("",), model="A100", freed={"a1": 1})


def test_nothing_is_promised_of_a_request_whose_nodes_are_too_many_to_name():
    nodes = fleet("NVIDIA-A100-SXM4-80GB", "a", 300) + fleet("NVIDIA-A100-SXM4-80GB", "b", 300)
    (found,) = told(seen(picky("b"), nodes=nodes))

    assert (found.startable, found.only, found.avoids) == (False, (), ())
    assert "too many to name" in found.why


def test_a_request_that_fits_no_node_starts_on_nothing_that_is_freed():
    (found,) = told(seen(picky("c"), nodes=fleet("NVIDIA-A100-SXM4-80GB", "a", 1)))

    assert (found.startable, found.why) == (False, "it fits no node that there is")


def test_a_gang_waits_as_one():
    job = owner("Job", "train", version="batch/v1")
    pods = [waiting(f"t{number}", job, gpus=4) for number in range(2)]
    (found,) = told(seen(*pods, owners=[object_of("Job", "train", version="batch/v1")]))

    assert (found.id, found.gpus, found.on_each) == ("ns/job/train", 8, 4)


def test_replicas_of_a_deployment_wait_each_for_itself():
    above = owner("ReplicaSet", "web-7")
    pods = [waiting(f"t{number}", above) for number in range(2)]

    assert len(told(seen(*pods, owners=[object_of("ReplicaSet", "web-7")]))) == 2


@pytest.mark.parametrize("gone", [{"deletionTimestamp": when(NOON)}, {"gpus": None}])
def test_a_pod_that_goes_or_asks_for_none_does_not_wait(gone: dict[str, Any]):
    assert told(seen(waiting(**gone))) == []


def test_a_pod_that_somebody_holds_back_says_who():
    (found,) = told(seen(waiting(spec={"schedulingGates": [{"name": "site.org/budget"}]})))

    assert (found.startable, found.why) == (False, "it is held back by site.org/budget")


def test_a_pod_that_kueue_holds_back_is_counted_by_its_workload_alone():
    gates = {"schedulingGates": [{"name": "kueue.x-k8s.io/admission"}]}

    assert told(seen(waiting(spec=gates))) == []


def test_a_pod_that_waits_for_devices_of_dra_asks_for_what_its_claim_does():
    claim = resource_claim("c", pods=())
    claim["status"] = {}
    claim["spec"]["devices"]["requests"][0]["exactly"]["count"] = 2
    asks = {"resourceClaims": [{"name": "c", "resourceClaimName": "c"}]}
    (found,) = told(seen(waiting(gpus=None, spec=asks), claims=[claim]))

    assert found.gpus == 2


QUOTA = (
    "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in "
    "flavor a100, 2 more needed"
)


def kueue(message: str = QUOTA, *, status: str = "False", **spec: Any) -> dict[str, Any]:
    template = {"spec": {"containers": [container(4)]}}
    condition = {"type": "QuotaReserved", "status": status, "message": message}
    return {
        "metadata": metadata("w", owner("Job", "train", version="batch/v1")),
        "spec": {
            "queueName": "team",
            "podSets": [{"name": "main", "count": 2, "template": template}],
        }
        | spec,
        "status": {"conditions": [condition]},
    }


def queues(**spec: Any) -> dict[str, Any]:
    amounts = [{"name": "a100", "resources": [{"name": GPU, "nominalQuota": 8}]}]
    about = {"resourceGroups": [{"flavors": amounts}]} | spec
    other = {"metadata": metadata("spare", namespace=None), "spec": about}
    return {
        "local_queues": [{"metadata": metadata("team"), "spec": {"clusterQueue": "gpus"}}],
        "cluster_queues": [{"metadata": metadata("gpus", namespace=None), "spec": about}, other],
    }


def test_what_kueue_holds_back_starts_on_what_its_queue_is_given_back():
    (found,) = told(seen(queued=[kueue()], **queues()))

    assert (found.id, found.gpus, found.on_each, found.startable) == ("ns/job/train", 8, 4, True)
    assert found.partitions == ("gpus",)
    freed = {"gpu01": 4, "gpu02": 4}
    assert could_start([found], partitions=("gpus",), model="", freed=freed)
    assert not could_start([found], partitions=("spare",), model="", freed=freed)


def test_queues_of_one_cohort_lend_each_other():
    (found,) = told(seen(queued=[kueue()], **queues(cohort="all")))

    assert found.partitions == ("gpus", "spare")


@pytest.mark.parametrize(
    ("workload", "spec"),
    [
        (kueue(QUOTA.replace("nvidia.com/gpu", "cpu")), {}),
        (kueue("insufficient quota for nvidia.com/gpu, request > maximum capacity (16 > 8)"), {}),
        (kueue(""), {}),
        (kueue("", status="True"), {}),
        (kueue(), {"stopPolicy": "Hold"}),
        (kueue(queueName="nowhere"), {}),
    ],
)
def test_what_kueue_holds_back_for_another_reason_says_which(
    workload: dict[str, Any], spec: dict[str, Any]
):
    (found,) = told(seen(queued=[workload], **queues(**spec)))

    assert not found.startable
    assert found.why


def test_a_workload_that_was_put_aside_does_not_wait():
    assert told(seen(queued=[kueue(active=False)], **queues())) == []


def test_nodes_of_other_flavours_are_avoided():
    flavors = [
        {"metadata": metadata("a100", namespace=None), "spec": {"nodeLabels": {"pool": "a100"}}}
    ]
    right = node("gpu01", metadata=metadata("gpu01", labels={"pool": "a100"}))
    (found,) = told(
        seen(queued=[kueue()], flavors=flavors, nodes=[right, node("gpu02")], **queues())
    )

    assert found.avoids == ("gpu02",)


def test_a_quota_that_is_used_up_is_named():
    """Pods that would need more of it are never made: nobody sees them wait."""
    raw = {
        "metadata": metadata("q"),
        "status": {
            "hard": {f"requests.{GPU}": "8", "requests.nvidia.com/mig-1g.10gb": "0"},
            "used": {f"requests.{GPU}": "8"},
        },
    }

    assert full(seen(quotas=[raw])) == (
        "namespace ns has used up its quota of nvidia.com/gpu: 8 of 8 (q)",
    )
