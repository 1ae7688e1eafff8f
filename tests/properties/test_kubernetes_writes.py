"""Whatever happens between two acts: no write without saying which object is meant."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from reaper.domain.escalation.decision import Verb
from reaper.platforms.kubernetes.release.actor import resume
from reaper.ports import ActionError
from tests.fake_kubernetes import Fault
from tests.reaper.platforms.kubernetes.release.drawn_workloads import (
    NAMESPACE,
    WORKLOADS,
    Scene,
    pod,
    scene,
    workload,
)

PODS = ("pod-0", "pod-1", "pod-2")
STEPS = (
    *("begin", "restore", "resume", "inspect", "restart"),
    *("fail", "conflict", "pods go", "another", "scaled up", "marks gone", "joins"),
)


async def of_ours(at: Scene, step: str) -> None:
    """Do one thing of ours."""
    match step:
        case "begin":
            await at.begin()
        case "restore":
            await at.begin(Verb.RESTORE)
        case "resume":
            await resume([at.connection], at.run.id, clock=at.clock)
        case "inspect":
            await at.inspect()
        case "restart":
            at.restart()


def of_others(at: Scene, step: str) -> None:
    """Let one thing happen."""
    kind = WORKLOADS[at.word][1]
    there = at.cluster.get(kind, "one", NAMESPACE)
    match step:
        case "fail":
            at.cluster.faults.append(Fault(on="fieldManager", verb="PATCH"))
        case "conflict":
            fault = Fault(on="fieldManager", verb="PATCH", status=409, reason="Conflict")
            at.cluster.faults.append(fault)
        case "pods go":
            names = [name for name in PODS if at.cluster.get("Pod", name, NAMESPACE)]
            for name in names:
                at.cluster.remove("Pod", name, NAMESPACE)
        case "another":
            owner = workload(at.word, uid="uid-another")
            at.cluster.add(owner, pod(2, owner))
        case "scaled up":
            at.cluster.merge(kind, "one", {"spec": {"replicas": 1}}, NAMESPACE)
        case "marks gone":
            at.cluster.merge(kind, "one", {"metadata": {"annotations": None}}, NAMESPACE)
        case "joins":
            at.cluster.add(pod(2, there))


async def played(word: str, steps: Sequence[str]) -> list[tuple[str, str, dict]]:
    """Play steps and return every write."""
    async with scene(word) as at:
        for step in steps:
            of_others(at, step)
            try:
                await of_ours(at, step)
            except ActionError:
                continue
        assert all(verb != "DELETE" for verb, _ in at.cluster.asked)
        return at.writes


@settings(max_examples=60, deadline=None)
@given(word=st.sampled_from(sorted(WORKLOADS)), steps=st.lists(st.sampled_from(STEPS), max_size=9))
def test_every_write_names_the_object_and_the_version_that_it_means(word, steps):
    for verb, path, body in asyncio.run(played(word, steps)):
        assert verb == "PATCH"
        assert body["metadata"]["uid"]
        assert body["metadata"]["resourceVersion"]
        assert "fieldManager=gpu-reaper" in path
        written = set(body) - {"metadata"}
        assert written <= {"spec"}
        values = [value for value in (body.get("spec") or {}).values() if value is not None]
        assert len(values) <= 2
