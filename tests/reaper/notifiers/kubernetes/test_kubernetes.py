"""Notices on Kubernetes' objects: on the right one, once, short, and never a person's own."""

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from reaper.domain.escalation.sequel import Sequel
from reaper.edge.clock import JumpingClock
from reaper.notifiers.kubernetes import CHANNEL
from reaper.notifiers.kubernetes.writing import KubernetesNotices
from reaper.ports import NotifyError
from tests.channels import NOON, letter, notice
from tests.fake_kubernetes import Fault, fake_kubernetes
from tests.fake_kubernetes_kinds import Kind, usual_kinds

OWNER = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "Notebook",
    "metadata": {
        "name": "mira",
        "namespace": "lab",
        "uid": "uid-nb",
        "creationTimestamp": "2020-01-01T00:00:00Z",
    },
}
NEW_EVENTS = Kind(group="events.k8s.io", version="v1", kind="Event", plural="events")
NAME = "kubernetes/lab/notebook/mira"


def pod(number: int = 0) -> dict:
    """Return a pod of the notebook."""
    reference = {"kind": "StatefulSet", "name": "mira", "uid": "uid-sts", "controller": True}
    about = {"name": f"mira-{number}", "namespace": "lab", "uid": f"uid-{number}"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**about, "ownerReferences": [{**reference, "apiVersion": "apps/v1"}]},
    }


def told(kind: str = "warning", **changes):
    """Return a notice about the notebook."""
    return replace(notice(kind, **{"allocation": NAME} | changes), run_key="uid-0")


@asynccontextmanager
async def channel(*objects: dict, newer: bool = True):
    """Give a cluster, and the channel to it."""
    kinds = [*usual_kinds(), NEW_EVENTS] if newer else usual_kinds()
    async with fake_kubernetes(kinds=kinds) as cluster:
        cluster.add(*(objects or (OWNER, pod(0), pod(1))))
        clock = JumpingClock(at=NOON)
        connection = cluster.connection(clock)
        try:
            yield cluster, KubernetesNotices(connection, clock=clock)
        finally:
            await connection.close()


def events(cluster) -> list[dict]:
    """Return the Events that were written."""
    return [body for verb, path, body in cluster.sent if verb == "POST" and "/events" in path]


def annotation(cluster) -> str:
    """Return what the notebook says."""
    return cluster.get("Notebook", "mira", "lab")["metadata"]["annotations"]["gpu-reaper.io/notice"]


def test_it_never_counts_as_telling_a_person():
    assert not CHANNEL.personal
    assert not KubernetesNotices.personal


async def test_it_tells_on_the_workload_and_its_pods():
    async with channel() as (cluster, notices):
        done = await notices.deliver(letter(told("final")))

        assert done.handle == "/apis/kubeflow.org/v1/namespaces/lab/notebooks/mira"
        regarding = [one["regarding"] for one in events(cluster)]
        assert [(one["kind"], one["uid"]) for one in regarding] == [
            ("Notebook", "uid-nb"),
            ("Pod", "uid-0"),
            ("Pod", "uid-1"),
        ]
        assert {one["reason"] for one in events(cluster)} == {"GPUIdleLastNotice"}
        assert "will be released" in annotation(cluster)
        keep = "kubectl annotate -n lab notebooks/mira gpu-reaper.io/keep=4h"
        assert keep in annotation(cluster)


async def test_an_older_server_gets_events_of_the_core():
    async with channel(newer=False) as (cluster, notices):
        await notices.deliver(letter(told()))

        first = events(cluster)[0]
        assert (first["apiVersion"], first["involvedObject"]["kind"]) == ("v1", "Notebook")
        assert first["message"]


async def test_a_second_delivery_writes_nothing_more():
    async with channel() as (cluster, notices):
        await notices.deliver(letter(told()))
        patches = [verb for verb, _, _ in cluster.sent if verb == "PATCH"]
        names = {one["metadata"]["name"] for one in events(cluster)}

        await notices.deliver(letter(told()))

        assert [verb for verb, _, _ in cluster.sent if verb == "PATCH"] == patches == ["PATCH"]
        assert {one["metadata"]["name"] for one in events(cluster)} == names


async def test_the_annotation_says_which_object_and_version_it_means():
    async with channel() as (cluster, notices):
        await notices.deliver(letter(told()))
        [body] = [body for verb, _, body in cluster.sent if verb == "PATCH"]
        assert body["metadata"]["uid"] == "uid-nb"
        assert body["metadata"]["resourceVersion"]


async def test_a_release_is_told_though_its_pods_are_gone():
    async with channel() as (cluster, notices):
        await notices.deliver(letter(told("final")))
        cluster.remove("Pod", "mira-0", "lab")
        cluster.remove("Pod", "mira-1", "lab")
        back = f"gpu-reaper resume-workload {NAME}"

        await notices.deliver(letter(told("released", release_at=None, back=back)))

        assert f"To start it again: {back}" in annotation(cluster)


@pytest.mark.parametrize(
    ("objects", "name"),
    [
        ((OWNER, pod(1)), NAME),
        ((pod(0),), NAME),
        ((OWNER, pod(0)), "kubernetes/lab/thing/mira"),
        ((OWNER, pod(0)), "kubernetes/lab/mira"),
        ((OWNER, pod(0)), "slurm/4711"),
    ],
)
async def test_what_is_not_proven_to_be_it_is_left_alone(objects, name):
    async with channel(*objects) as (cluster, notices):
        with pytest.raises(NotifyError) as caught:
            await notices.deliver(letter(told(allocation=name)))
        assert not caught.value.recoverable
        assert cluster.sent == []


async def test_a_younger_object_of_that_name_hears_nothing_of_a_release():
    young = {
        **OWNER,
        "metadata": {**OWNER["metadata"], "creationTimestamp": "2100-01-01T00:00:00Z"},
    }
    async with channel(young) as (cluster, notices):
        with pytest.raises(NotifyError):
            await notices.deliver(letter(told("released")))
        assert cluster.sent == []


async def test_operators_are_told_elsewhere():
    async with channel() as (cluster, notices):
        with pytest.raises(NotifyError, match="operators"):
            await notices.deliver(letter(told("operator")))
        assert cluster.sent == []


async def test_what_it_writes_is_short_whatever_names_it_holds():
    async with channel() as (cluster, notices):
        await notices.deliver(letter(told(reason="ü" * 5000, name="ж" * 500)))
        for one in events(cluster):
            assert len(one["note"].encode()) <= 1024


async def test_what_has_become_of_it_is_said():
    async with channel() as (cluster, notices):
        one = told("final")
        await notices.deliver(letter(one))
        before = len(events(cluster))

        await notices.amend(letter(one), {one.id: Sequel(fate="kept", until=NOON + 3600)})

        assert "will be released" not in annotation(cluster)
        assert len(events(cluster)) == before


@pytest.mark.parametrize(
    ("status", "later"), [(422, False), (409, True), (429, True), (500, True), (0, True)]
)
async def test_a_refusal_says_whether_it_may_be_tried_again(status, later):
    async with channel() as (cluster, notices):
        cluster.faults.append(Fault(on="/notebooks/mira", verb="PATCH", status=status))
        with pytest.raises(NotifyError) as caught:
            await notices.deliver(letter(told()))
        assert caught.value.recoverable is later


async def test_where_it_may_not_annotate_its_events_tell():
    async with channel() as (cluster, notices):
        cluster.faults.append(Fault(on="/notebooks/", verb="PATCH", status=403, reason="Forbidden"))
        done = await notices.deliver(letter(told()))

        assert done.handle.endswith("/notebooks/mira")
        assert len(events(cluster)) == 3
