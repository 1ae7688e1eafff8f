"""What a claim says of its end: how long it has, its own hook, and who would start it again."""

from dataclasses import replace

import pytest

from reaper.domain.facts.allocation import Claim
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.ownership.claiming import Configured, claims
from reaper.platforms.kubernetes.release.reverters import Scaler
from tests.reaper.platforms.kubernetes.drawn import container, deployment, object_of, pod, seen


def only(found: Seen) -> Claim:
    (claim,) = claims(found, Configured()).values()
    return claim


def test_the_longest_grace_of_its_pods_is_what_its_programs_have():
    first = pod("a", spec={"terminationGracePeriodSeconds": 600})

    assert (only(seen(first)).parting, only(seen(pod("b"))).parting) == (600.0, 30.0)


def test_a_hook_of_its_own_is_told():
    hook = {"lifecycle": {"preStop": {"exec": {"command": ["save"]}}}}
    hooked = pod("a", spec={"containers": [container(1, **hook)]})

    assert only(seen(hooked)).hooked
    assert not only(seen(pod("b"))).hooked


@pytest.mark.parametrize(("namespace", "told"), [("ns", "elastic"), ("other", "")])
def test_an_autoscaler_in_its_namespace_would_start_it_again(namespace, told):
    pods, owners = deployment("web")
    one = Scaler(
        kind="HorizontalPodAutoscaler",
        namespace=namespace,
        name="elastic",
        of=("Deployment", "web"),
    )

    found = only(replace(seen(*pods, owners=owners), scalers=(one,)))

    assert told in found.reverter
    assert bool(found.reverter) is bool(told)


def test_a_kind_that_nobody_knows_is_only_told_of():
    thing = object_of("Thing", "mine", version="example.org/v1")
    reference = {"apiVersion": "example.org/v1", "kind": "Thing", "name": "mine", "uid": "u"}
    made = pod("a")
    made["metadata"]["ownerReferences"] = [{**reference, "controller": True}]

    assert "Thing" in only(seen(made, owners=[thing])).reverter


def test_a_pod_by_itself_may_be_evicted():
    assert only(seen(pod("a"))).reverter == ""
