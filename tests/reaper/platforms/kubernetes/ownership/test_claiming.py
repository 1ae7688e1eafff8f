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
    NOON,
    container,
    deployment,
    metadata,
    object_of,
    owner,
    pod,
    seen,
    uid,
    when,
)


def only(found: Seen, configured: Configured | None = None) -> Claim:
    (claim,) = claims(found, configured or Configured()).values()
    return claim


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


def test_a_person_in_any_of_its_pods_makes_a_workload_interactive():
    pods, owners = deployment("web", 2)
    pods[1]["spec"]["containers"] = [container(1, command=["sleep", "infinity"])]

    assert only(seen(*pods, owners=owners)).purpose is Purpose.INTERACTIVE


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
