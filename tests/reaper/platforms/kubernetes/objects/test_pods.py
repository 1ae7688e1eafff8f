"""A pod, read from what an API server says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.platforms.kubernetes.objects import Reference, Resources, Wish, Written, pod
from tests.reaper.platforms.kubernetes import drawn
from tests.reaper.platforms.kubernetes.drawn import GPU, NOON, container, when


def init(gpus: int | None, **more: Any) -> dict[str, Any]:
    """Draw an init container."""
    return container(gpus, name=f"init-{gpus}", **more)


def test_a_pod_that_runs_holds_what_its_containers_ask_for() -> None:
    """Two containers' GPUs add."""
    found = pod(drawn.pod(spec={"containers": [container(1), container(2, name="two")]}))

    assert (found.live, found.node, found.gpus, found.since) == (
        True,
        "gpu01",
        {GPU: 3},
        NOON - 3600,
    )


@pytest.mark.parametrize(
    ("inits", "expected"),
    [
        ([init(4)], 4),
        ([init(1)], 2),
        ([init(3), init(4)], 4),
        ([init(1, restartPolicy="Always")], 3),
        ([init(1, restartPolicy="Always"), init(2)], 3),
        ([init(3), init(1, restartPolicy="Always")], 3),
        ([init(1, restartPolicy="Always"), init(4), init(1, restartPolicy="Always")], 5),
    ],
)
def test_init_containers_count_by_the_largest_and_sidecars_are_added(
    inits: list[dict[str, Any]], expected: int
) -> None:
    """A sidecar is added to what starts after it (KEP-753)."""
    found = pod(drawn.pod(spec={"initContainers": inits, "containers": [container(2)]}))

    assert found.count == expected


def test_a_limit_stands_for_the_request_of_an_extended_resource() -> None:
    """Kubernetes writes the request itself; a dry manifest does not have it yet."""
    limits = {"name": "main", "resources": {"limits": {GPU: 2}}}

    assert pod(drawn.pod(spec={"containers": [limits]})).gpus == {GPU: 2}


def test_which_resources_are_gpus_is_told_by_globs() -> None:
    """MIG slices are among the usual ones; a renamed resource is not."""
    asks = {"nvidia.com/mig-1g.10gb": "2", "site.org/gpu-small": "1", "memory": "1Gi"}
    raw = drawn.pod(spec={"containers": [{"name": "main", "resources": {"limits": asks}}]})

    assert pod(raw).gpus == {"nvidia.com/mig-1g.10gb": 2}
    assert pod(raw, Resources(("site.org/*",))).gpus == {"site.org/gpu-small": 1}


@pytest.mark.parametrize(
    ("phase", "node", "live", "waiting"),
    [
        ("Running", "gpu01", True, False),
        ("Unknown", "gpu01", True, False),
        ("Pending", "gpu01", False, False),
        ("Pending", "", False, True),
        ("Succeeded", "gpu01", False, False),
        ("Failed", "gpu01", False, False),
    ],
)
def test_only_a_pod_that_may_run_on_a_node_is_live(
    phase: str, node: str, live: bool, waiting: bool
) -> None:
    """One whose node is silent may run still."""
    found = pod(drawn.pod(phase=phase, node=node))

    assert (found.live, found.waiting, bool(found.doubt)) == (live, waiting, phase == "Unknown")


def test_a_pod_that_is_being_deleted_holds_its_gpus_until_it_is_gone() -> None:
    """Its containers have their grace still."""
    found = pod(drawn.pod(deletionTimestamp=when(NOON)))

    assert (found.live, found.meta.deleted, found.meta.ending) == (True, True, NOON)


def test_a_pods_owner_is_the_one_that_controls_it() -> None:
    """Others may own it without controlling it."""
    other = drawn.owner("Thing", "other", version="site.org/v1", controller=False)
    found = pod(drawn.pod("a", other, drawn.owner("ReplicaSet", "web-7")))

    assert found.meta.controller == Reference(
        group="apps",
        kind="ReplicaSet",
        namespace="ns",
        name="web-7",
        uid=drawn.uid("replicaset-web-7"),
    )
    assert len(found.meta.owners) == 2


def test_a_static_pod_is_told_as_such() -> None:
    """The kubelet runs it from a file under a UID of its own, and its node controls it."""
    node = drawn.owner("Node", "gpu01", version="v1")
    found = pod(drawn.pod("a", node, annotations={"kubernetes.io/config.mirror": "hash"}))

    assert (found.seen_as, found.uid) == ("hash", drawn.uid("a"))
    assert found.meta.controller is not None
    assert found.meta.controller.namespace == ""


def test_resource_claims_are_found_by_their_own_names() -> None:
    """One is named, one was made of a template, of one the template made none, one is awaited."""
    asks = [
        {"name": "a", "resourceClaimName": "shared"},
        {"name": "b", "resourceClaimTemplateName": "t"},
        {"name": "c", "resourceClaimTemplateName": "t"},
        {"name": "d", "resourceClaimTemplateName": "t"},
    ]
    made = [{"name": "b", "resourceClaimName": "pod-0-b-x7"}, {"name": "c"}]
    found = pod(
        drawn.pod(gpus=None, spec={"resourceClaims": asks}, status={"resourceClaimStatuses": made})
    )

    assert (found.claims, found.awaited, found.count) == (("shared", "pod-0-b-x7"), ("d",), 0)


def test_an_extended_resource_that_dra_serves_is_counted_by_its_claim() -> None:
    """KEP-5004: the scheduler made a claim for it."""
    status = {
        "extendedResourceClaimStatus": {
            "resourceClaimName": "made",
            "requestMappings": [
                {"containerName": "main", "resourceName": GPU, "requestName": "c-0-r-0"}
            ],
        }
    }
    found = pod(drawn.pod(status=status))

    assert (found.claims, found.gpus) == (("made",), {})


def test_where_a_pod_may_run_is_read() -> None:
    """Selector, required affinity and tolerations."""
    term = {
        "matchExpressions": [{"key": "gpu", "operator": "In", "values": ["a100"]}],
        "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["gpu01"]}],
    }
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    spec = {
        "nodeSelector": {"pool": "big"},
        "affinity": {"nodeAffinity": required},
        "tolerations": [{"key": "gpu", "operator": "Exists"}],
    }
    found = pod(drawn.pod(spec=spec)).wants

    assert found.selector == {"pool": "big"}
    assert found.terms == (
        (
            Wish(key="gpu", operator="In", values=("a100",)),
            Wish(key="metadata.name", operator="In", values=("gpu01",), of_field=True),
        ),
    )
    assert found.tolerations[0].operator == "Exists"


def test_why_a_pod_has_no_node_is_the_schedulers_word() -> None:
    """With its message, and since when."""
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
        "lastTransitionTime": when(NOON - 60),
    }
    found = pod(drawn.pod(phase="Pending", node="", status={"conditions": [condition]}))

    assert found.unschedulable.startswith("Unschedulable: 0/3 nodes")
    assert found.unschedulable_since == NOON - 60


def test_what_a_stop_needs_to_know_is_read() -> None:
    """Grace, hooks and the end that Kubernetes sets."""
    hook = container(1, lifecycle={"preStop": {"exec": {"command": ["/save"]}}})
    spec = {
        "containers": [hook],
        "terminationGracePeriodSeconds": 120,
        "activeDeadlineSeconds": 7200,
        "priorityClassName": "low",
    }
    found = pod(drawn.pod(spec=spec))

    assert (found.grace, found.pre_stop, found.deadline, found.priority_class) == (
        120.0,
        ("main",),
        NOON + 3600,
        "low",
    )


def test_who_wrote_an_annotation_of_ours_last_is_told_by_managed_fields() -> None:
    """The latest of two managers; those of others' annotations are not kept."""
    fields = {"f:metadata": {"f:annotations": {"f:gpu-reaper.io/keep": {}, "f:other": {}}}}
    managed = [
        {"manager": "kubectl-annotate", "time": when(NOON), "fieldsV1": fields},
        {"manager": "helm", "time": when(NOON - 60), "fieldsV1": fields},
    ]
    found = pod(drawn.pod(annotations={"gpu-reaper.io/keep": "4h"}, managedFields=managed)).meta

    assert found.written == {"gpu-reaper.io/keep": Written(manager="kubectl-annotate", at=NOON)}


@pytest.mark.parametrize(
    "spec",
    [
        {"containers": [container("many")]},
        {"containers": [container("0.5")]},
        {"containers": [container("-1")]},
        {"containers": ["x"]},
        {"containers": {}},
        {"nodeName": 7},
    ],
)
def test_what_cannot_be_read_is_the_pods_own_doubt(spec: dict[str, Any]) -> None:
    """The list that it came in is read all the same."""
    assert pod(drawn.pod(spec=spec)).doubt


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
PATHS = [
    ("metadata",),
    ("metadata", "labels"),
    ("metadata", "annotations"),
    ("metadata", "ownerReferences"),
    ("metadata", "managedFields"),
    ("metadata", "creationTimestamp"),
    ("spec",),
    ("spec", "containers"),
    ("spec", "initContainers"),
    ("spec", "resourceClaims"),
    ("spec", "affinity"),
    ("spec", "tolerations"),
    ("spec", "nodeSelector"),
    ("spec", "activeDeadlineSeconds"),
    ("status",),
    ("status", "phase"),
    ("status", "startTime"),
    ("status", "conditions"),
    ("status", "resourceClaimStatuses"),
    ("status", "extendedResourceClaimStatus"),
]


@given(path=st.sampled_from(PATHS), odd=ANYTHING)
def test_no_shape_of_any_field_is_an_error(path: tuple[str, ...], odd: object) -> None:
    """Whatever stands there, a pod comes out; it never claims more than it can say."""
    raw: dict[str, Any] = drawn.pod("a", drawn.owner("ReplicaSet", "web-7"))
    inner = raw
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = odd

    found = pod(raw)

    assert found.count >= 0
    assert found.doubt or found.uid
