"""What a mirror holds of an API server that changes, forgets, falls silent, refuses and returns."""

import pytest

from reaper.platforms.kubernetes.mirror import Mirror
from reaper.ports import SourceError
from tests.fake_kubernetes import Fault, fake_kubernetes
from tests.reaper.platforms.kubernetes.drawn import pod, resource_claim
from tests.reaper.platforms.kubernetes.mirror.standing import PODS, START, lists, until, watched


async def test_pods_with_gpus_are_held_and_others_are_not(cluster, mirror):
    cluster.add(pod("p"), pod("plain", gpus=None), pod("done", phase="Succeeded"))

    seen = await mirror.seen()

    assert set(seen.pods) == {"uid-p"}
    assert seen.as_of == START
    assert seen.trouble == {}


async def test_a_pod_with_resource_claims_is_held_with_them(cluster, mirror):
    claims = {"resourceClaims": [{"name": "gpu", "resourceClaimName": "c"}]}
    cluster.add(pod("p", gpus=None, spec=claims), resource_claim("c", "gpu-0", pods=("p",)))

    seen = await mirror.seen()

    assert seen.pods["uid-p"].claims == ("c",)
    assert seen.claims["uid-c"].pods == ("uid-p",)


async def test_autoscalers_are_held_with_what_they_scale(cluster, mirror):
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "serve"}
    cluster.add(
        {
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"namespace": "lab", "name": "elastic"},
            "spec": {"scaleTargetRef": target},
        }
    )

    [found] = (await mirror.seen()).scalers

    assert (str(found), found.namespace) == ("HorizontalPodAutoscaler elastic", "lab")
    assert found.of == ("Deployment", "serve")


async def test_what_comes_changes_and_goes_is_heard(cluster, mirror):
    await mirror.seen()
    await watched(cluster)

    cluster.add(pod("late", node=""))
    await until(mirror, lambda seen: "uid-late" in seen.pods)
    cluster.merge("Pod", "late", {"spec": {"nodeName": "gpu02"}}, "ns")
    await until(mirror, lambda seen: seen.pods["uid-late"].node == "gpu02")
    cluster.remove("Pod", "late", "ns")
    await until(mirror, lambda seen: not seen.pods)


async def test_a_pod_that_has_ended_is_told_for_five_minutes(cluster, mirror, clock):
    cluster.add(pod("p"))
    await mirror.seen()
    await watched(cluster)
    cluster.merge("Pod", "p", {"status": {"phase": "Failed"}}, "ns")

    await until(mirror, lambda seen: seen.pods["uid-p"].phase == "Failed")
    for later in (100.0, 200.0, 301.0):
        clock.jump(START + later)
        cluster.bookmark()
        seen = await until(mirror, lambda seen, at=clock.at: seen.as_of == at)

    assert not seen.pods


async def test_an_answer_is_as_old_as_the_last_word_of_the_pods(cluster, mirror, clock):
    await mirror.seen()
    await watched(cluster)

    clock.jump(START + 100.0)
    before = (await mirror.seen()).as_of
    cluster.bookmark()
    after = await until(mirror, lambda seen: seen.as_of > before)

    assert before == START
    assert after.as_of == START + 100.0


async def test_a_word_that_is_too_old_is_none(cluster, mirror, clock):
    await mirror.seen()
    clock.jump(START + 181.0)

    with pytest.raises(SourceError, match="cluster fake: heard last 181 s ago"):
        await mirror.seen()


async def test_a_version_that_expired_is_listed_anew(cluster, mirror, clock):
    cluster.add(pod("old"))
    await mirror.seen()
    await watched(cluster)
    cluster.remove("Pod", "old", "ns")
    cluster.add(pod("new"))
    cluster.expire()
    await until(mirror, lambda _: clock.waits >= 10)
    clock.jump(START + 2.0)

    seen = await until(mirror, lambda seen: "uid-new" in seen.pods)

    assert set(seen.pods) == {"uid-new"}


async def test_a_watch_that_breaks_off_goes_on_where_it_was(cluster, mirror, clock):
    await mirror.seen()
    await watched(cluster)
    cluster.cut()
    await until(mirror, lambda seen: "Pod" in seen.trouble)
    cluster.add(pod("meanwhile"))
    clock.jump(START + 2.0)

    seen = await until(mirror, lambda seen: seen.pods)

    assert "Pod" not in seen.trouble
    assert lists(cluster) == 1


async def test_a_server_that_was_away_for_long_is_listed_anew(cluster, mirror, clock):
    cluster.add(pod("p"))
    await mirror.seen()
    await watched(cluster)
    cluster.cut()
    # An answer is as old as the older of the two: both must have seen it before the clock moves.
    await until(mirror, lambda seen: {"Pod", "ResourceClaim"} <= seen.trouble.keys())
    clock.jump(START + 40.0)

    await until(mirror, lambda seen: seen.as_of > START)

    assert lists(cluster) == 2


async def test_a_server_that_does_not_answer_at_first_is_no_cluster(cluster, clock):
    cluster.faults.append(Fault(on="/", status=503, message="not ready", times=99))
    mirror = Mirror(cluster.connection(clock), clock)

    with pytest.raises(SourceError, match=r"cluster fake: .*not ready"):
        await mirror.seen()

    await mirror.close()


async def test_a_server_that_is_slow_is_waited_for_only_so_long(cluster, clock):
    cluster.faults.append(Fault(on=PODS, delay=60.0))
    mirror = Mirror(cluster.connection(clock, timeout=90.0), clock, patience=0.05)

    with pytest.raises(SourceError, match="still being listed"):
        await mirror.seen()

    await mirror.close()


async def test_a_kind_that_may_not_be_read_is_a_trouble_of_its_own(cluster, mirror):
    cluster.add(pod("p"))
    text = 'nodes is forbidden: User "reaper" cannot list resource'
    cluster.faults.append(Fault(on="/api/v1/nodes", status=403, reason="Forbidden", message=text))

    seen = await mirror.seen()

    assert set(seen.pods) == {"uid-p"}
    assert list(seen.trouble) == ["Node"]
    assert text in seen.trouble["Node"]


async def test_a_kind_that_is_not_served_is_no_trouble(clock):
    async with fake_kubernetes() as cluster:
        cluster.kinds = [kind for kind in cluster.kinds if "kueue" not in kind.group]
        mirror = Mirror(cluster.connection(clock), clock)
        seen = await mirror.seen()
        await mirror.close()

    assert seen.trouble == {}
