"""What nodes can give out, and whom they would take."""

from typing import Any

import pytest

from reaper.platforms.kubernetes.objects import node as read
from reaper.platforms.kubernetes.objects import pod as read_pod
from reaper.platforms.kubernetes.ownership.held import Devices
from reaper.platforms.kubernetes.ownership.nodes import avoided, capacities
from tests.reaper.platforms.kubernetes.drawn import (
    GPU,
    metadata,
    node,
    pod,
    resource_claim,
    resource_slice,
    seen,
)

MIG = "nvidia.com/mig-1g.10gb"


def counted(*pods: Any, **more: Any) -> list[tuple[int, int | None, int, int | None]]:
    found = seen(*pods, **more)
    return [
        (one.gpus, one.allocated, one.slices, one.slices_allocated)
        for one in capacities(found, Devices(found))
    ]


def offering(**amounts: str) -> dict[str, Any]:
    raw = node()
    raw["status"]["allocatable"] = {name.replace("__", "/"): n for name, n in amounts.items()}
    return raw


def test_a_node_keeps_room_for_pods_that_are_bound_to_it():
    """One that has not begun yet has its GPUs as well; one that is over has not."""
    pods = [pod("a"), pod("b", phase="Pending"), pod("c", phase="Succeeded")]

    assert counted(*pods, nodes=[node(gpus=4)]) == [(4, 2, 0, None)]


def test_a_node_without_gpus_is_not_counted():
    assert counted(nodes=[offering(cpu="8")]) == []


def test_slices_are_counted_among_the_gpus_and_by_themselves():
    raw = offering(**{GPU: "2", MIG: "7"})
    asks = pod(spec={"containers": [{"name": "m", "resources": {"limits": {MIG: 3}}}]})

    assert counted(asks, nodes=[raw]) == [(9, 3, 7, 3)]


@pytest.mark.parametrize(("held", "allocated"), [(0, 0), (3, None), (8, 2)])
def test_of_cards_shared_by_time_it_is_known_when_none_or_all_are_taken(
    held: int, allocated: int | None
):
    raw = node(gpus=8, metadata=metadata("gpu01", labels={"nvidia.com/gpu.replicas": "4"}))
    pods = [pod(f"p{number}") for number in range(held)]

    assert counted(*pods, nodes=[raw]) == [(2, allocated, 0, None)]


def test_devices_of_dra_are_counted_by_slices_and_claims():
    found = counted(
        nodes=[offering(cpu="8")],
        slices=[resource_slice(gpu_0="GPU-aa", gpu_1="GPU-bb")],
        claims=[resource_claim("c", "gpu-1")],
    )

    assert found == [(2, 1, 0, None)]


def test_a_part_that_a_driver_would_cut_when_asked_is_no_device_yet():
    slices = resource_slice(gpu_0="GPU-aa", gpu_0_mig_1="MIG-aa")
    slices["spec"]["devices"][1]["consumesCounters"] = [{"counterSet": "gpu-0"}]

    assert counted(nodes=[offering(cpu="8")], slices=[slices]) == [(1, 0, 0, None)]


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, "up"),
        ({"spec": {"unschedulable": True}}, "drained"),
        ({"ready": "False"}, "down"),
        ({"ready": "Unknown"}, "down"),
    ],
)
def test_the_state_of_a_node_is_its_own_word(change: dict[str, Any], state: str):
    raw = node()
    raw["status"]["conditions"][0]["status"] = change.pop("ready", "True")
    found = seen(nodes=[raw | change])

    assert [one.state for one in capacities(found, Devices(found))] == [state]


@pytest.mark.parametrize(
    ("product", "model"),
    [
        ("NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB"),
        ("NVIDIA-A100-SXM4-80GB-SHARED", "NVIDIA-A100-SXM4-80GB"),
        ("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb", "NVIDIA-A100-SXM4-80GB"),
    ],
)
def test_the_model_is_the_cards_however_it_is_shared(product: str, model: str):
    found = seen(
        nodes=[node(metadata=metadata("gpu01", labels={"nvidia.com/gpu.product": product}))]
    )

    assert [one.model for one in capacities(found, Devices(found))] == [model]


def required(*expressions: dict[str, Any], fields: Any = ()) -> dict[str, Any]:
    term = {"matchExpressions": list(expressions), "matchFields": list(fields)}
    must = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    return {"affinity": {"nodeAffinity": must}}


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        ({}, True),
        ({"nodeSelector": {"pool": "a"}}, True),
        ({"nodeSelector": {"pool": "b"}}, False),
        (required(expression("pool", "In", "a", "b")), True),
        (required(expression("pool", "NotIn", "a")), False),
        (required(expression("other", "NotIn", "a")), True),
        (required(expression("pool", "Exists")), True),
        (required(expression("pool", "DoesNotExist")), False),
        (required(expression("gen", "Gt", "7")), True),
        (required(expression("gen", "Lt", "7")), False),
        (required(expression("pool", "Gt", "7")), False),
        (required(expression("pool", "Odd")), False),
        (required(), False),
        (required(fields=[expression("metadata.name", "In", "gpu01")]), True),
        (required(fields=[expression("metadata.name", "In", "gpu02")]), False),
    ],
)
def test_a_node_is_avoided_by_pods_that_its_labels_do_not_fit(spec: dict[str, Any], fits: bool):
    place = read(node(metadata=metadata("gpu01", labels={"pool": "a", "gen": "8"})))
    found = avoided([place], read_pod(pod(spec=spec)).wants, {})

    assert (found == ()) is fits


@pytest.mark.parametrize(
    ("tolerations", "fits"),
    [
        ([], False),
        ([{"key": "gpu", "operator": "Exists"}], True),
        ([{"operator": "Exists"}], True),
        ([{"key": "gpu", "value": "yes"}], True),
        ([{"key": "gpu", "value": "no"}], False),
        ([{"key": "gpu", "operator": "Exists", "effect": "NoExecute"}], False),
    ],
)
def test_a_tainted_node_is_avoided_by_pods_that_do_not_bear_it(
    tolerations: list[dict[str, Any]], fits: bool
):
    taints = [
        {"key": "gpu", "value": "yes", "effect": "NoSchedule"},
        {"key": "soft", "effect": "PreferNoSchedule"},
    ]
    place = read(node(spec={"taints": taints}))
    found = avoided([place], read_pod(pod(spec={"tolerations": tolerations})).wants, {})

    assert (found == ()) is fits


def test_a_node_that_never_has_so_many_is_avoided():
    places = [read(node("small", gpus=2)), read(node("big", gpus=8))]

    assert avoided(places, read_pod(pod()).wants, {GPU: 4}) == ("small",)
