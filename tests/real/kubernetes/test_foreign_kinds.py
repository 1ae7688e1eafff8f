"""Kinds of others on a real API server; small controllers stand in for theirs."""

import pytest

from reaper.ports import Progress, Recheck
from tests.real.kubernetes.stand_ins import RULES, drawn
from tests.real.kubernetes.test_acts import acting, resume

HERE = {"nodeSelector": {"rig": "foreign"}}
COUNTS = {"Notebook": 1, "Workspace": 1}


@pytest.fixture(scope="module", autouse=True)
def gpus(kubernetes, stand_ins):
    """A node for these tests alone."""
    yield kubernetes.node("foreign01", gpus=8, labels={"rig": "foreign"})
    kubernetes.remove_node("foreign01")


@pytest.mark.parametrize("kind", RULES)
async def test_a_workload_of_a_stand_in_controller_is_stopped_and_started_again(
    kubernetes, lab, kind
):
    count = COUNTS.get(kind, 2)
    workload = drawn(kind, lab, "mine", **HERE)
    kubernetes.apply(workload)
    kubernetes.await_pods(lab, count)
    if RULES[kind].status(workload):
        kubernetes.await_true(lambda: "status" in kubernetes.find(workload), "no status")

    async with acting(kubernetes, lab, kind.lower(), "mine") as at:
        assert await at.actor.recheck(at.run) is Recheck.SAME
        await at.begin()
        await at.comes_to(Progress.DONE)
        assert kubernetes.pods(lab) == []

        await resume([at.connection], at.run.id, clock=at.clock)

    kubernetes.await_pods(lab, count)
