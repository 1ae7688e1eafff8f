"""Verbs, lists and watches against an API server that refuses and fails as real ones do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from reaper.edge.clock import JumpingClock
from reaper.edge.kubernetes import Connection, KubeError
from reaper.edge.kubernetes.connection import PAGE
from tests.fake_kubernetes import FakeCluster, Fault, fake_kubernetes
from tests.fake_kubernetes_kinds import OLD

PODS = "/api/v1/pods"
SECRET = "a-token-that-nobody-may-see"


@pytest.fixture
async def cluster() -> AsyncIterator[FakeCluster]:
    async with fake_kubernetes() as made:
        yield made


@pytest.fixture
async def connection(cluster: FakeCluster) -> AsyncIterator[Connection]:
    made = cluster.connection(JumpingClock(at=1000.0), timeout=30.0)
    yield made
    await made.close()


def pod(name: str, namespace: str = "ml", **about) -> dict:
    metadata = {"name": name, "namespace": namespace, **about}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "status": {"phase": "Running"}}


async def listed(connection: Connection, **query) -> tuple[list[str], list[bool]]:
    names: list[str] = []
    firsts: list[bool] = []
    async for page in connection.pages(PODS, **query):
        firsts.append(page.first)
        names = [] if page.first else names
        names += [item["metadata"]["name"] for item in page.items]
    return names, firsts


async def test_a_long_list_comes_in_pages(cluster, connection):
    cluster.add(*(pod(f"p{number}") for number in range(5)))

    names, firsts = await listed(connection, limit=2)

    assert names == ["p0", "p1", "p2", "p3", "p4"]
    assert firsts == [True, False, False]


async def test_a_list_that_expires_half_way_begins_once_more(cluster, connection):
    cluster.add(*(pod(f"p{number}") for number in range(3)))
    cluster.faults.append(Fault(on="continue=", status=410, reason="Expired"))

    names, firsts = await listed(connection, limit=2)

    assert names == ["p0", "p1", "p2"]
    assert firsts == [True, True, False]


async def test_a_list_that_expires_again_and_again_is_given_up(cluster, connection):
    cluster.add(*(pod(f"p{number}") for number in range(3)))
    cluster.faults.append(Fault(on="continue=", status=410, reason="Expired", times=9))

    with pytest.raises(KubeError) as raised:
        await listed(connection, limit=2)

    assert raised.value.status == 410


async def test_a_whole_list_that_expires_half_way_holds_nothing_twice(cluster, connection):
    cluster.add(*(pod(f"p{number}") for number in range(PAGE + 1)))
    cluster.faults.append(Fault(on="continue=", status=410, reason="Expired"))

    found = await connection.listed(PODS)

    assert len({item["metadata"]["name"] for item in found}) == len(found) == PAGE + 1


async def test_metadata_alone_can_be_asked_for(cluster, connection):
    cluster.add(pod("p", labels={"a": "b"}))

    (page,) = [page async for page in connection.pages(PODS, metadata=True)]

    assert "status" not in page.items[0]
    assert page.items[0]["metadata"]["labels"] == {"a": "b"}


async def test_a_watch_tells_what_changes_and_how_far_it_is(cluster, connection):
    cluster.add(pod("old"))
    told = []
    async with aclosing(connection.watch(PODS, str(cluster.version))) as changes:
        cluster.add(pod("new"))
        cluster.merge("Pod", "new", {"spec": {"nodeName": "n1"}}, "ml")
        cluster.remove("Pod", "old", "ml")
        cluster.bookmark()
        async for change in changes:
            told.append((change.kind, change.object["metadata"].get("name", "")))
            if len(told) == 3:
                cluster.bookmark()
            if change.kind == "BOOKMARK":
                break

    assert told == [("ADDED", "new"), ("MODIFIED", "new"), ("DELETED", "old"), ("BOOKMARK", "")]
    assert change.version == str(cluster.version)


async def test_a_pod_that_leaves_the_selection_is_told_as_deleted(cluster, connection):
    cluster.add(pod("p"))
    selector = "status.phase!=Succeeded"
    version = str(cluster.version)
    async with aclosing(connection.watch(PODS, version, fieldSelector=selector)) as changes:
        cluster.merge("Pod", "p", {"status": {"phase": "Succeeded"}}, "ml")
        change = await anext(changes)

    assert change.kind == "DELETED"


async def test_a_watch_whose_version_expired_says_410(cluster, connection):
    before = str(cluster.version)
    cluster.expire()

    with pytest.raises(KubeError) as raised:
        await anext(connection.watch(PODS, before))

    assert raised.value.status == 410
    assert raised.value.reason == "Expired"


async def test_a_watch_that_says_nothing_at_all_is_dead(cluster, connection):
    with pytest.raises(KubeError, match=r"said nothing for 0\.05 s"):
        await anext(connection.watch(PODS, str(cluster.version), silent=0.05))


async def test_a_watch_that_is_cut_is_an_error(cluster, connection):
    async def cut() -> None:
        await cluster.until(cluster.watches)
        cluster.cut()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(cut())
        with pytest.raises(KubeError, match="fake: "):
            await anext(connection.watch(PODS, str(cluster.version)))


async def test_a_watch_ends_when_the_server_ends_it(cluster, connection):
    changes = connection.watch(PODS, str(cluster.version), lasting=0.0)

    assert [change async for change in changes] == []


async def test_a_merge_patch_says_who_made_it(cluster, connection):
    change = connection.patch
    cluster.add(pod("p"))

    await change("/api/v1/namespaces/ml/pods/p", {"metadata": {"labels": {"a": "b"}}})

    assert cluster.get("Pod", "p", "ml")["metadata"]["labels"] == {"a": "b"}
    assert ("PATCH", "/api/v1/namespaces/ml/pods/p?fieldManager=gpu-reaper") in cluster.asked


async def test_a_patch_of_another_version_is_a_conflict(cluster, connection):
    change = connection.patch
    cluster.add(pod("p"))
    body = {"metadata": {"resourceVersion": "1", "labels": {"a": "b"}}}

    with pytest.raises(KubeError) as raised:
        await change("/api/v1/namespaces/ml/pods/p", body)

    assert (raised.value.status, raised.value.reason) == (409, "Conflict")
    assert "labels" not in cluster.get("Pod", "p", "ml")["metadata"]


async def test_a_dry_run_changes_nothing(cluster, connection):
    change = connection.patch
    cluster.add(pod("p"))

    await change("/api/v1/namespaces/ml/pods/p", {"metadata": {"labels": {"a": "b"}}}, dry_run=True)

    assert "labels" not in cluster.get("Pod", "p", "ml")["metadata"]


async def test_a_refused_eviction_names_its_budget(cluster, connection):
    cluster.add(
        pod("p", labels={"app": "x"}),
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "keep-one", "namespace": "ml"},
            "spec": {"selector": {"matchLabels": {"app": "x"}}},
            "status": {"disruptionsAllowed": 0},
        },
    )

    with pytest.raises(KubeError) as raised:
        await connection.post("/api/v1/namespaces/ml/pods/p/eviction", {})

    assert raised.value.status == 429
    assert raised.value.causes == (
        "DisruptionBudget: The disruption budget keep-one needs 1 healthy pods and has 1",
    )


async def test_when_to_come_back_is_told(cluster, connection):
    cluster.faults.append(Fault(on=PODS, status=429, reason="TooManyRequests", retry_after="7"))

    with pytest.raises(KubeError) as raised:
        await connection.get(PODS)

    assert raised.value.retry_after == 7.0


async def test_a_slow_answer_is_no_answer(cluster):
    connection = cluster.connection(JumpingClock(at=0.0), timeout=0.05)
    cluster.faults.append(Fault(on=PODS, delay=30.0))

    with pytest.raises(KubeError, match=r"no answer within 0\.05 s") as raised:
        await connection.get(PODS)

    await connection.close()
    assert raised.value.status == 0


async def test_a_cut_connection_is_no_answer(cluster, connection):
    # HTTP's own rules let a question be repeated once on a connection that was closed.
    cluster.faults.append(Fault(on=PODS, times=2))

    with pytest.raises(KubeError) as raised:
        await connection.get(PODS)

    assert (raised.value.status, raised.value.reason) == (0, "Unreachable")


async def test_nobody_there_is_said_in_words(connection, cluster):
    cluster.url = "http://127.0.0.1:1"

    with pytest.raises(KubeError, match="connection refused"):
        await connection.get(PODS)


async def test_no_text_holds_the_token(cluster, connection):
    cluster.token = SECRET
    cluster.faults.append(Fault(on=PODS, status=403, message=f"no rights for {SECRET}"))

    with pytest.raises(KubeError) as raised:
        await connection.get(PODS)

    assert SECRET not in f"{raised.value} {raised.value.message} {raised.value!r}"


@pytest.mark.parametrize(("aggregated", "git"), [(True, "v1.36.3"), (False, OLD)])
async def test_what_is_served_is_found_on_old_and_new_servers(aggregated, git):
    async with fake_kubernetes(aggregated=aggregated, git=git) as cluster:
        connection = cluster.connection(JumpingClock(at=0.0))
        served = await connection.served()
        await connection.close()

    assert served.git == git
    assert served.path("", "Pod", "ml", "p", "eviction") == "/api/v1/namespaces/ml/pods/p/eviction"
    assert served.path("apps", "Deployment") == "/apis/apps/v1/deployments"
    assert served.path("", "Node", name="n1") == "/api/v1/nodes/n1"
    assert served.path("apps", "DaemonSet", "ml", "d", "scale") is None
    assert served.path("no.such.group", "Thing") is None
    assert served.taken("", "Pod", "eviction") == "policy/v1"
    assert served.version("kubeflow.org", "MPIJob") == "v2beta1"


async def test_what_is_served_is_remembered_for_ten_minutes(cluster):
    clock = JumpingClock(at=0.0)
    connection = cluster.connection(clock)

    await connection.served()
    await connection.served()
    asked = len(cluster.asked)
    clock.jump(601.0)
    await connection.served()
    await connection.close()

    assert asked == 3
    assert len(cluster.asked) == 6


async def test_a_group_whose_server_is_down_is_unknown_and_hides_no_other():
    async with fake_kubernetes(aggregated=False) as cluster:
        cluster.faults.append(Fault(on="/apis/keda.sh/", status=503, reason="ServiceUnavailable"))
        connection = cluster.connection(JumpingClock(at=0.0))
        served = await connection.served()
        await connection.close()

    assert served.silent == {"keda.sh"}
    assert served.path("apps", "Deployment")
