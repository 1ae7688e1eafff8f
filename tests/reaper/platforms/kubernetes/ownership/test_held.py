"""Which devices a workload holds, as far as the API server says."""

from typing import Any

import pytest

from reaper.domain.facts.allocation import Claim, Place
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.ownership.claiming import Configured, claims
from tests.reaper.platforms.kubernetes.drawn import (
    GPU,
    container,
    deployment,
    metadata,
    node,
    pod,
    resource_claim,
    resource_slice,
    seen,
    uid,
)


def only(found: Seen, configured: Configured | None = None) -> Claim:
    (claim,) = claims(found, configured or Configured()).values()
    return claim


def asks(*names: str) -> dict[str, Any]:
    return {"resourceClaims": [{"name": name, "resourceClaimName": name} for name in names]}


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
