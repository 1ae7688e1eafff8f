"""What `doctor` says of an API server: version, rights, kinds, pods, what cannot be done."""

from collections.abc import Callable

import yaml

from reaper.platforms.kubernetes.checks import Subject, check
from reaper.platforms.kubernetes.mirror import Mirror
from reaper.platforms.kubernetes.rights import MODES, RIGHTS
from reaper.platforms.platform import Finding
from tests.fake_kubernetes import FakeCluster, Fault, fake_kubernetes
from tests.project import ROOT
from tests.reaper.platforms.kubernetes.drawn import node, object_of, owner, pod
from tests.reaper.platforms.kubernetes.mirror.standing import StandingClock


async def findings(prepare: Callable[[FakeCluster], object], **settings) -> dict[str, Finding]:
    clock = StandingClock(at=1_800_000_000.0)
    async with fake_kubernetes(**settings) as cluster:
        prepare(cluster)
        connection = cluster.connection(clock)
        mirror = Mirror(connection, clock)
        found = await check([Subject(connection=connection, mirror=mirror)])
        await mirror.close()
    return {one.subject.removeprefix("kubernetes fake: "): one for one in found}


def gpu_pod(cluster: FakeCluster) -> None:
    cluster.add(
        pod("p", owner("Deployment", "d")),
        object_of("Deployment", "d"),
        {"apiVersion": "v1", "kind": "Node", **node()},
    )


async def test_a_cluster_that_lacks_nothing_is_well():
    found = await findings(gpu_pod)

    assert {name for name, one in found.items() if one.ok is not True} == set()
    assert found["API server"].what == "answers; Kubernetes v1.36.3"
    assert "1 pods with GPUs on 1 nodes; 1 nodes can give GPUs out" in found["pods"].what


async def test_a_server_that_does_not_answer_is_the_only_finding():
    fault = Fault(on="/version", status=401, message="Unauthorized", times=9)

    found = await findings(lambda cluster: cluster.faults.append(fault))

    assert list(found) == ["API server"]
    assert found["API server"].ok is False


async def test_a_version_that_is_not_known_is_said():
    found = await findings(gpu_pod, git="v1.27.16")

    assert found["API server"].ok is None
    assert "1.28 to 1.37 are known" in found["API server"].cure


async def test_a_right_that_is_missing_is_named_with_its_mode():
    def prepare(cluster: FakeCluster) -> None:
        gpu_pod(cluster)
        cluster.allowed = lambda asked: asked.get("subresource") != "eviction"

    found = await findings(prepare)

    assert found["to observe"].ok is True
    assert found["to act"].ok is False
    assert found["to act"].needed == "act"
    assert "may not create pods/eviction" in found["to act"].what


async def test_rights_on_what_is_not_served_are_not_asked():
    asked: list[str] = []

    def prepare(cluster: FakeCluster) -> None:
        cluster.kinds = [one for one in cluster.kinds if one.group != "ray.io"]
        cluster.allowed = lambda right: asked.append(right["group"]) or True

    await findings(prepare)

    assert "ray.io" not in asked
    assert "kubeflow.org" in asked


async def test_a_kind_that_may_not_be_read_is_said():
    def prepare(cluster: FakeCluster) -> None:
        gpu_pod(cluster)
        cluster.faults.append(
            Fault(on="resourceslices", status=403, reason="Forbidden", message="no", times=9)
        )

    found = await findings(prepare)

    assert found["ResourceSlice"].ok is False


async def test_a_cluster_without_gpus_is_doubtful():
    found = await findings(lambda _: None)

    assert found["pods"].ok is None
    assert "device plugin" in found["pods"].cure


async def test_a_workload_that_cannot_be_stopped_is_named_with_the_reason():
    def prepare(cluster: FakeCluster) -> None:
        note = {"argocd.argoproj.io/tracking-id": "x:apps/Deployment:ns/d"}
        cluster.add(
            pod("p", owner("Deployment", "d")), object_of("Deployment", "d", annotations=note)
        )

    found = await findings(prepare)

    assert "Argo CD" in found["a workload"].what
    assert found["a workload"].needed == "act"


def test_manifests_grant_exactly_what_doctor_asks_for():
    granted = yaml.safe_load((ROOT / "deploy/helm/gpu-reaper/files/rights.yaml").read_text())
    parts = {"observe": ["observe"], "notify": ["notify"], "act": ["annotate", "act"]}

    for mode in MODES:
        given = {
            (group, resource, verb)
            for part in parts[mode]
            for rule in granted[part]
            for group in rule["apiGroups"]
            for resource in rule["resources"]
            for verb in rule["verbs"]
        }
        assert {(r.group, r.resource, r.verb) for r in RIGHTS if r.mode == mode} == given
