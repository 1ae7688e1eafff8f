"""Workloads as claims."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.facts.allocation import Claim, Place, Purpose
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.ownership.claiming import Configured, claims, workloads
from reaper.platforms.kubernetes.ownership.purpose import Rule
from reaper.platforms.kubernetes.ownership.whose import Landlord, Words
from tests.reaper.platforms.kubernetes.drawn import (
    GPU,
    NOON,
    container,
    deployment,
    metadata,
    node,
    object_of,
    owner,
    pod,
    resource_claim,
    resource_slice,
    seen,
    uid,
    when,
)


def only(found: Seen, configured: Configured | None = None) -> Claim:
    (claim,) = claims(found, configured or Configured()).values()
    return claim


def asks(*names: str) -> dict[str, Any]:
    return {"resourceClaims": [{"name": name, "resourceClaimName": name} for name in names]}


def test_all_replicas_of_a_deployment_are_one_claim():
    pods, owners = deployment("web", 3)
    found = only(seen(*pods, owners=owners))

    assert found.run.id == "ns/deployment/web"
    assert (found.run.key, found.run.started) == (uid("web-7-0"), NOON - 3600)
    assert found.node_ids == tuple(uid(f"web-7-{number}") for number in range(3))
    assert found.members == tuple(f"ns/pod/web-7-{number}" for number in range(3))
    assert len(found.places) == 3
    assert (found.doubt, found.resumed, found.exclusive) == ("", None, True)


def test_a_pod_that_joined_late_begins_the_idleness_of_all():
    """What its device did before was another's."""
    pods, owners = deployment("web", 1)
    late = pod("web-7-9", owner("ReplicaSet", "web-7"), started=NOON - 60)
    found = only(seen(late, *pods, owners=owners))

    assert (found.run.key, found.run.started) == (uid("web-7-0"), NOON - 3600)
    assert found.resumed == NOON - 60
    assert [place.since for place in found.places] == [None, NOON - 60]


def test_pods_of_different_workloads_are_different_claims():
    first, owners = deployment("web", 1)
    second, more = deployment("api", 1)

    assert len(claims(seen(*first, *second, owners=owners + more), Configured())) == 2


@pytest.mark.parametrize("phase", ["Pending", "Succeeded", "Failed"])
def test_a_pod_that_does_not_run_holds_nothing(phase: str):
    assert not claims(seen(pod(phase=phase)), Configured())


def test_a_pod_without_gpus_holds_nothing():
    assert not claims(seen(pod(gpus=None)), Configured())


def test_a_pod_of_which_its_node_says_nothing_is_a_doubt():
    assert "phase Unknown" in only(seen(pod(phase="Unknown"))).doubt


def test_a_workload_all_of_whose_pods_are_going_is_a_doubt():
    """Whatever is done to it now would be done to what is ending anyway."""
    assert only(seen(pod(deletionTimestamp=when(NOON)))).doubt


def test_gpus_are_counted_by_node_where_nobody_says_which():
    found = only(seen(pod(gpus=2)))

    assert found.places == (Place(node="gpu01", node_id=uid("pod-0")),) * 2


def test_dra_says_which_devices_a_pod_has():
    claim = resource_claim("c", "gpu-0", "gpu-1")
    slices = [resource_slice(gpu_0="GPU-aa", gpu_1="GPU-bb")]
    found = only(seen(pod(gpus=None, spec=asks("c")), claims=[claim], slices=slices))

    assert [place.gpu for place in found.places] == ["GPU-aa", "GPU-bb"]
    assert (found.doubt, found.exclusive) == ("", True)


def test_a_device_of_which_no_slice_tells_the_uuid_is_left_to_its_node():
    found = only(seen(pod(gpus=None, spec=asks("c")), claims=[resource_claim("c", "gpu-0")]))

    assert found.places == (Place(node="gpu01", node_id=uid("pod-0")),)


def test_an_older_generation_of_a_pool_says_nothing():
    old, new = resource_slice(gpu_0="GPU-old"), resource_slice(gpu_0="GPU-new")
    old["metadata"]["uid"] = "old"
    new["spec"]["pool"]["generation"] = 2
    found = only(
        seen(
            pod(gpus=None, spec=asks("c")),
            claims=[resource_claim("c", "gpu-0")],
            slices=[old, new],
        )
    )

    assert [place.gpu for place in found.places] == ["GPU-new"]


def test_access_beside_a_holder_is_no_claim():
    claim = resource_claim("c", "gpu-0", adminAccess=True)

    assert not claims(seen(pod(gpus=None, spec=asks("c")), claims=[claim]), Configured())


def test_a_claim_on_something_else_than_gpus_is_no_claim():
    claim = resource_claim("c", "nic-0", driver="nic.site.org")

    assert not claims(seen(pod(gpus=None, spec=asks("c")), claims=[claim]), Configured())


def test_workloads_that_use_one_resource_claim_share_its_device():
    claim = resource_claim("c", "gpu-0", pods=("a", "b"))
    pods = [pod(name, gpus=None, spec=asks("c")) for name in ("a", "b")]
    found = claims(
        seen(*pods, claims=[claim], slices=[resource_slice(gpu_0="GPU-aa")]), Configured()
    )

    assert [(one.exclusive, one.share) for one in found.values()] == [(False, 0.5)] * 2


def test_pods_of_one_workload_that_use_one_resource_claim_hold_its_device_once():
    pods, owners = deployment("web", 2, gpus=None, spec=asks("c"))
    claim = resource_claim("c", "gpu-0", pods=("web-7-0", "web-7-1"))
    found = only(
        seen(*pods, owners=owners, claims=[claim], slices=[resource_slice(gpu_0="GPU-aa")])
    )

    assert [place.gpu for place in found.places] == ["GPU-aa"]
    assert (found.exclusive, found.share) == (True, 1.0)


def test_a_resource_claim_that_may_not_be_read_is_a_doubt_with_the_reason():
    found = only(seen(pod(gpus=None, spec=asks("c")), trouble={"ResourceClaim": "forbidden"}))

    assert "forbidden" in found.doubt


def test_a_resource_claim_that_was_not_given_to_a_pod_is_a_doubt():
    claim = resource_claim("c", "gpu-0", pods=("other",))

    assert only(seen(pod(gpus=None, spec=asks("c")), claims=[claim])).doubt


@pytest.mark.parametrize(
    ("resource", "labels", "share", "doubt"),
    [
        (GPU, {"nvidia.com/gpu.replicas": "4"}, 0.25, False),
        (GPU, {"nvidia.com/gpu.replicas": "1"}, 1.0, False),
        ("nvidia.com/gpu.shared", {"nvidia.com/gpu.replicas": "2"}, 0.5, False),
        ("nvidia.com/gpu.shared", {}, 1.0, True),
        (GPU, {"cloud.google.com/gke-max-shared-clients-per-gpu": "8"}, 0.125, False),
        ("nvidia.com/mig-1g.10gb", {"nvidia.com/mig-1g.10gb.replicas": "2"}, 0.5, False),
    ],
)
def test_a_part_of_a_card_by_time_is_a_share_of_it(
    resource: str, labels: dict[str, str], share: float, doubt: bool
):
    raw = pod(spec={"containers": [{"name": "m", "resources": {"limits": {resource: 1}}}]})
    place = node(metadata=metadata("gpu01", labels=labels))
    found = only(seen(raw, nodes=[place]))

    assert (found.share, found.exclusive) == (share, share == 1.0 and not doubt)
    assert bool(found.doubt) is doubt


def test_an_operator_says_by_how_many_a_card_is_shared_where_no_label_does():
    raw = pod(spec={"containers": [container(1)]})

    assert only(seen(raw), Configured(replicas={GPU: 4})).share == 0.25


def kueue(name: str, *owners: Mapping[str, Any], **status: Any) -> dict[str, Any]:
    return {
        "metadata": metadata(name, *owners),
        "spec": {"queueName": "team"},
        "status": {"admission": {"clusterQueue": "gpus"}} | status,
    }


def test_what_kueue_admitted_names_its_queues():
    job = object_of("Job", "train", version="batch/v1")
    owned = owner("Job", "train", version="batch/v1")
    found = only(seen(pod("p", owned), owners=[job], queued=[kueue("w", owned)]))

    assert (found.account, found.partition, found.batch) == ("team", "gpus", True)


def test_pods_of_a_group_of_kueues_are_one_claim():
    labels = {"kueue.x-k8s.io/pod-group-name": "g"}
    pods = [pod(name, labels=labels) for name in ("a", "b")]
    found = only(seen(*pods, queued=[kueue("g")]))

    assert (found.run.id, len(found.places), found.doubt) == ("ns/workload/g", 2, "")


def test_a_group_whose_workload_is_not_seen_is_a_doubt():
    labels = {"kueue.x-k8s.io/pod-group-name": "g"}

    assert "pod group g" in only(seen(pod(labels=labels))).doubt


def test_labels_that_users_write_name_nobody():
    found = only(seen(pod(labels={"owner": "mira", "created-by": "mira"})))

    assert (found.user, found.labels) == ("", ("created-by=mira", "owner=mira"))


def test_the_administrators_map_names_an_owner_and_a_team():
    words = Words(owners=(Landlord(namespace=("n*",), owner="leo", team="vision"),))
    found = only(seen(pod()), Configured(words=words))

    assert (found.user, found.team) == ("leo", "vision")


def test_an_operators_rule_says_what_it_is_for():
    rules = (Rule(purpose=Purpose.DEFERRED, namespace=("ns",), kind=("pod",)),)
    found = only(seen(pod()), Configured(rules=rules))

    assert (found.purpose, found.purpose_ruled) == (Purpose.DEFERRED, True)


def test_what_is_said_again_is_the_same_claim():
    pods, owners = deployment("web", 2)
    before = claims(seen(*pods, owners=owners), Configured())
    again = claims(seen(*pods, owners=owners), Configured(), before)

    assert all(again[key] is before[key] for key in before)


UPS = st.dictionaries(st.integers(0, 8), st.integers(0, 8), max_size=9)


def drawn_cluster(ups: Mapping[int, int], holds: list[int]) -> tuple[list[Any], list[Any]]:
    owners = [
        object_of("ReplicaSet", str(number), owner("ReplicaSet", str(up)))
        for number, up in ups.items()
    ]
    pods = [
        pod(f"p{place}", owner("ReplicaSet", str(up)), started=NOON - up)
        for place, up in enumerate(holds)
    ]
    return pods, owners


@given(ups=UPS, holds=st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_every_live_pod_is_in_exactly_one_claim(ups: Mapping[int, int], holds: list[int]):
    pods, owners = drawn_cluster(ups, holds)
    found = claims(seen(*pods, owners=owners), Configured())

    ids = [ident for one in found.values() for ident in one.node_ids]
    assert sorted(ids) == sorted(raw["metadata"]["uid"] for raw in pods)


@given(
    ups=UPS,
    holds=st.lists(st.integers(0, 8), min_size=1, max_size=8),
    order=st.randoms(use_true_random=False),
)
def test_the_order_in_which_objects_came_never_matters(
    ups: Mapping[int, int], holds: list[int], order: Any
):
    pods, owners = drawn_cluster(ups, holds)
    before = claims(seen(*pods, owners=owners), Configured())
    order.shuffle(pods)
    order.shuffle(owners)
    after = claims(seen(*pods, owners=owners), Configured())

    assert list(after.items()) == list(before.items())
    assert [one.pods for one in workloads(seen(*pods, owners=owners))]
