"""The client and the mirror on a real API server that forgets, refuses, dies and comes back."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from reaper.edge.clock import SystemClock
from reaper.edge.kubernetes import Connection, KubeError, door
from reaper.platforms.kubernetes.mirror import Mirror, Seen
from reaper.ports import SourceError
from tests.real.kubernetes.cluster import KubernetesCluster, cluster, gpu_pod
from tests.real.kubernetes.programs import Programs

STEP = 2.0
NOWHERE = {"nodeSelector": {"rig": "nowhere"}}
READING = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}


@pytest.fixture(scope="module")
def kubernetes(programs: Programs) -> Iterator[KubernetesCluster]:
    """Give a cluster of its own: controllers take long to forgive a server that was away."""
    with cluster(programs) as running:
        yield running


@asynccontextmanager
async def mirrored(path: Path) -> AsyncIterator[Mirror]:
    """Give a mirror at a quick pace."""
    clock = SystemClock()
    way = door(path=path, context="", clock=clock, environment={})
    mirror = Mirror(Connection("lab", way, clock, timeout=20.0), clock, step=STEP)
    try:
        yield mirror
    finally:
        await mirror.close()


@asynccontextmanager
async def connected(path: Path) -> AsyncIterator[Connection]:
    clock = SystemClock()
    way = door(path=path, context="", clock=clock, environment={})
    connection = Connection("lab", way, clock, timeout=20.0)
    try:
        yield connection
    finally:
        await connection.close()


async def comes(mirror: Mirror, holds: Callable[[Seen], object]) -> Seen:
    """Wait until something holds of what is seen; a server that is away is asked again."""
    async with asyncio.timeout(60):
        while True:
            try:
                if holds(seen := await mirror.seen()):
                    return seen
            except SourceError:
                pass
            await asyncio.sleep(0.05)


async def silence(mirror: Mirror) -> str:
    """Wait until a mirror has no word any more, and return what it says of that."""
    async with asyncio.timeout(60):
        while True:
            try:
                await mirror.seen()
            except SourceError as error:
                return str(error)
            await asyncio.sleep(0.05)


def waiting(lab: str, name: str) -> dict:
    """Write a pod with a GPU that no node takes."""
    pod = gpu_pod(lab, name)
    return {**pod, "spec": {**pod["spec"], **NOWHERE}}


def names(seen: Seen, lab: str) -> set[str]:
    return {pod.meta.name for pod in seen.pods.values() if pod.meta.namespace == lab}


async def test_a_killed_server_makes_its_answers_old_and_is_followed_again(
    kubernetes: KubernetesCluster, lab: str
):
    kubernetes.apply(waiting(lab, "before"))
    async with mirrored(kubernetes.kubeconfig()) as mirror:
        await comes(mirror, lambda seen: names(seen, lab) == {"before"})
        kubernetes.plane.kill_server()
        try:
            said = await silence(mirror)
        finally:
            kubernetes.plane.start_server()
        kubernetes.apply(waiting(lab, "after"))

        assert "cluster lab: heard last" in said
        await comes(mirror, lambda seen: names(seen, lab) == {"before", "after"})


async def test_a_mirror_stays_in_step_though_nothing_happens(kubernetes: KubernetesCluster):
    async with mirrored(kubernetes.kubeconfig()) as mirror:
        first = (await comes(mirror, lambda seen: seen.as_of)).as_of

        await comes(mirror, lambda seen: seen.as_of > first + 2 * STEP)


async def test_a_version_from_before_a_restart_has_expired(kubernetes: KubernetesCluster):
    kubernetes.plane.kill_server()
    kubernetes.plane.start_server()

    async with (
        connected(kubernetes.kubeconfig()) as connection,
        aclosing(connection.watch("/api/v1/pods", "1")) as changes,
    ):
        with pytest.raises(KubeError) as raised:
            await anext(changes)

    assert (raised.value.status, raised.value.reason) == (410, "Expired")


async def test_a_token_that_is_rotated_is_read_again(
    kubernetes: KubernetesCluster, lab: str, tmp_path: Path
):
    token = tmp_path / "token"
    token.write_text("one-that-was-revoked")
    config = json.loads(kubernetes.kubeconfig().read_text())
    config["users"][0]["user"] = {"tokenFile": str(token)}
    path = tmp_path / "config"
    path.write_text(json.dumps(config))
    review = "/apis/authentication.k8s.io/v1/selfsubjectreviews"

    async with connected(path) as connection:
        with pytest.raises(KubeError) as raised:
            await connection.post(review, {})
        fresh = tmp_path / "fresh"
        fresh.write_text(kubernetes.service_account(lab, "reaper").token)
        fresh.rename(token)
        told = await connection.post(review, {})

    assert raised.value.status == 401
    assert "revoked" not in str(raised.value)
    assert told["status"]["userInfo"]["username"] == f"system:serviceaccount:{lab}:reaper"


async def test_who_may_read_nothing_knows_nothing(kubernetes: KubernetesCluster, lab: str):
    account = kubernetes.service_account(lab, "nobody")

    async with mirrored(kubernetes.kubeconfig(account)) as mirror:
        with pytest.raises(SourceError, match="answers 403: pods is forbidden"):
            await mirror.seen()


async def test_who_may_read_pods_alone_sees_them_and_knows_what_is_hidden(
    kubernetes: KubernetesCluster, lab: str
):
    account = kubernetes.service_account(lab, "narrow")
    subject = {"kind": "ServiceAccount", "name": "narrow", "namespace": lab}
    group = "rbac.authorization.k8s.io"
    about = {"name": f"narrow-{lab}"}
    role = {"apiVersion": f"{group}/v1", "kind": "ClusterRole", "metadata": about}
    binding = {"apiVersion": f"{group}/v1", "kind": "ClusterRoleBinding", "metadata": about}
    of = {"apiGroup": group, "kind": "ClusterRole", "name": about["name"]}
    kubernetes.apply(
        {**role, "rules": [READING]},
        {**binding, "subjects": [subject], "roleRef": of},
        waiting(lab, "p"),
    )

    async with mirrored(kubernetes.kubeconfig(account)) as mirror:
        seen = await comes(mirror, lambda seen: names(seen, lab) == {"p"})

    hidden = {kind: why for kind, why in seen.trouble.items() if "answers 403" in why}
    assert {"Node", "Namespace", "ResourceQuota"} <= hidden.keys(), seen.trouble
    kubernetes.delete(role, binding)
