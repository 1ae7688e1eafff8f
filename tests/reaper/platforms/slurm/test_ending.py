"""Jobs that ended are told by how, once for a het job, and only those that wanted GPUs."""

import pytest

from reaper.domain.facts.allocation import Inventory, Purpose
from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.demand import SlurmDemand
from reaper.platforms.slurm.ending import ended
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.purpose import Rule
from reaper.platforms.slurm.record import Wish
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory, job, node

GPUS = Wish(per_node="gres/gpu:2")


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ("COMPLETED", "completed"),
        ("FAILED", "failed"),
        ("OUT_OF_MEMORY", "out of memory"),
        ("TIMEOUT", "time limit"),
        ("CANCELLED", "cancelled"),
        ("NODE_FAIL", "node failed"),
        ("PREEMPTED", "preempted"),
    ],
)
def test_a_state_is_told_in_the_words_of_reports(state: str, outcome: str):
    (found,) = ended([job(7, state=state, wish=GPUS, over=NOON)])

    assert (found.outcome, found.at) == (outcome, NOON)


@pytest.mark.parametrize("state", ["RUNNING", "PENDING", "SUSPENDED", "COMPLETING"])
def test_what_is_not_over_has_not_ended(state: str):
    assert list(ended([job(7, state=state, wish=GPUS)])) == []


def test_a_job_without_gpus_is_not_told():
    assert list(ended([job(7, state="FAILED", wish=Wish())])) == []


def test_of_a_het_job_the_first_component_is_told():
    jobs = [job(7 + offset, state="FAILED", wish=GPUS, het=7, offset=offset) for offset in (0, 1)]

    assert [item.key for item in ended(jobs)] == [jobs[0].key]


def test_its_class_follows_the_rules_of_the_site():
    rules = (Rule(purpose=Purpose.INFERENCE, partition=("serve*",)),)
    (found,) = ended([job(7, state="FAILED", wish=GPUS, partition="serve1")], rules)

    assert (found.partition, found.purpose) == ("serve1", Purpose.INFERENCE)


async def test_the_holder_and_the_demand_tell_them_from_the_same_answer():
    slurm = SlurmInMemory(
        job(6, state="OUT_OF_MEMORY", wish=GPUS),
        job(7, state="PENDING", reason="Resources", wish=GPUS, batch=True),
        nodes=[node()],
    )
    poll = Poll(slurm, JumpingClock(at=NOON))
    claims = await SlurmHolder(poll, cluster="grove").claims(Inventory())
    waiting = await SlurmDemand(poll).waiting()

    assert [item.outcome for item in claims.ended] == ["out of memory"]
    assert [item.purpose for item in waiting.requests] == [Purpose.TRAINING]
    assert slurm.asked == 1
