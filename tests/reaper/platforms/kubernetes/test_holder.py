"""Kubernetes as a holder and as a source of demand."""

import pytest

from reaper.domain.facts.allocation import Inventory
from reaper.platforms.kubernetes.demand import KubernetesDemand
from reaper.platforms.kubernetes.holder import KubernetesHolder
from reaper.ports import SourceError
from tests.reaper.platforms.kubernetes.drawn import Mirrored, node, pod, seen, uid


async def test_every_workload_and_every_node_is_told():
    holder = KubernetesHolder([Mirrored(seen(pod(), nodes=[node()]))])
    answer = await holder.claims(Inventory())

    assert [claim.run.id for claim in answer.claims] == ["ns/pod/pod-0"]
    assert [capacity.gpus for capacity in answer.capacities] == [4]


async def test_a_cluster_that_is_silent_makes_its_own_workloads_unknown():
    first, second = Mirrored(seen(pod("a"))), Mirrored(seen(pod("b")))
    holder = KubernetesHolder([first, second])
    await holder.claims(Inventory())
    second.said = "connection refused"
    answer = await holder.claims(Inventory())

    doubts = {claim.run.key: claim.doubt for claim in answer.claims}
    assert doubts == {
        uid("a"): "",
        uid("b"): "its API server does not answer: connection refused",
    }


async def test_when_no_cluster_answers_there_is_no_answer():
    with pytest.raises(SourceError, match="connection refused"):
        await KubernetesHolder([Mirrored("connection refused")]).claims(Inventory())


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ([pod(phase="Succeeded")], "completed"),
        ([pod(phase="Failed")], "failed"),
        ([], "cancelled"),
    ],
)
async def test_how_a_run_ended_is_told_for_a_while(after: list, outcome: str):
    mirror = Mirrored(seen(pod()))
    holder = KubernetesHolder([mirror])
    await holder.claims(Inventory())
    mirror.said = seen(*after)
    (ended,) = (await holder.claims(Inventory())).ended

    assert (ended.key, ended.outcome) == (uid("pod-0"), outcome)
    assert (await holder.claims(Inventory())).ended == (ended,)


async def test_what_waits_is_told_of_the_clusters_that_answer():
    waiting = seen(pod(node="", phase="Pending"))
    demand = KubernetesDemand([Mirrored(waiting), Mirrored("silent")])

    assert [one.id for one in (await demand.waiting()).requests] == ["ns/pod/pod-0"]


async def test_when_no_cluster_answers_nothing_is_known_to_wait():
    with pytest.raises(SourceError, match="silent"):
        await KubernetesDemand([Mirrored("silent")]).waiting()
