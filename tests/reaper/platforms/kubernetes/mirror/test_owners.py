"""What stands above pods: found up to the top, kept in step, and forgotten with them."""

from tests.fake_kubernetes import Fault
from tests.reaper.platforms.kubernetes.drawn import node, object_of, owner, pod
from tests.reaper.platforms.kubernetes.mirror.standing import lists, until, watched


async def test_owners_are_found_up_to_the_top(cluster, mirror):
    deployment = owner("Deployment", "d")
    cluster.add(
        pod("p", owner("ReplicaSet", "r")),
        object_of("ReplicaSet", "r", deployment),
        object_of("Deployment", "d"),
        object_of("Deployment", "nobody-asked"),
    )

    seen = await mirror.seen()

    assert set(seen.owners) == {"uid-replicaset-r", "uid-deployment-d"}


async def test_an_owner_that_comes_later_is_asked_for_once(cluster, mirror):
    cluster.add(pod("p", owner("ReplicaSet", "r")), object_of("ReplicaSet", "r"))
    await mirror.seen()
    await watched(cluster)
    cluster.add(object_of("ReplicaSet", "s"))
    cluster.add(pod("q", owner("ReplicaSet", "s")))

    await until(mirror, lambda seen: "uid-replicaset-s" in seen.owners)
    await mirror.seen()

    assert lists(cluster, "/apis/apps/v1/namespaces/ns/replicasets/s") <= 1


async def test_a_keep_that_is_written_on_an_owner_is_heard(cluster, mirror):
    cluster.add(pod("p", owner("ReplicaSet", "r")), object_of("ReplicaSet", "r"))
    await mirror.seen()
    await cluster.until(lambda: cluster.watches("replicasets"))

    note = {"metadata": {"annotations": {"gpu-reaper.io/keep": "4h"}}}
    cluster.merge("ReplicaSet", "r", note, "ns")

    await until(mirror, lambda seen: seen.owners["uid-replicaset-r"].annotations)


async def test_owners_of_pods_that_are_gone_are_forgotten(cluster, mirror):
    cluster.add(pod("p", owner("ReplicaSet", "r")), object_of("ReplicaSet", "r"))
    await mirror.seen()
    await watched(cluster)

    cluster.remove("Pod", "p", "ns")
    await until(mirror, lambda seen: not seen.pods)

    assert [shelf.records for shelf in mirror._owners.shelves] == [{}]


async def test_an_owner_of_another_uid_is_not_the_owner(cluster, mirror):
    cluster.add(
        pod("p", owner("ReplicaSet", "r", uid="uid-of-one-before")), object_of("ReplicaSet", "r")
    )

    seen = await mirror.seen()
    await mirror.seen()

    assert not seen.owners
    assert lists(cluster, "/apis/apps/v1/namespaces/ns/replicasets/r") == 1


async def test_owners_of_a_kind_that_may_not_be_read_are_its_trouble(cluster, mirror):
    cluster.add(pod("p", owner("RayCluster", "r", version="ray.io/v1")))
    cluster.faults.append(
        Fault(on="rayclusters", status=403, reason="Forbidden", message="no rights", times=99)
    )

    seen = await mirror.seen()

    assert "no rights" in seen.trouble["RayCluster"]


async def test_owners_of_a_kind_that_nobody_serves_are_its_trouble(cluster, mirror):
    cluster.add(pod("p", owner("Thing", "t", version="example.org/v1")))

    seen = await mirror.seen()

    assert seen.trouble == {"Thing": "its kind is not served"}


async def test_a_static_pods_node_is_its_owner(cluster, mirror):
    there = owner("Node", "gpu01", version="v1", uid="uid-gpu01")
    cluster.add(pod("p", there), {"apiVersion": "v1", "kind": "Node", **node()})

    assert set((await mirror.seen()).owners) == {"uid-gpu01"}
