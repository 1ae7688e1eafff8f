"""The holder and the demand: one answer, read for both."""

import pytest

from reaper.domain.facts.allocation import Capacity, Inventory
from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.demand import SlurmDemand
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import FRESH, Poll
from reaper.platforms.slurm.records.record import Wish
from reaper.ports import SourceError
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory, job, node

TWO = "gpu:a100:2(IDX:0-1)"


def holder(slurm: SlurmInMemory, clock: JumpingClock | None = None) -> SlurmHolder:
    return SlurmHolder(Poll(slurm, clock or JumpingClock(at=NOON)), cluster="grove")


async def test_it_says_who_holds_what_and_what_there_is():
    slurm = SlurmInMemory(
        job(7, TWO), nodes=[node(used=2, partitions=("batch",)), node("cn1", gres="")]
    )

    answer = await holder(slurm).claims(Inventory())

    assert answer.as_of == NOON
    assert [(claim.run.cluster, claim.run.id) for claim in answer.claims] == [("grove", "7")]
    assert answer.capacities == (
        Capacity(node="gpu01", gpus=4, model="a100", allocated=2, partitions=("batch",)),
    )


@pytest.mark.parametrize(
    ("state", "meant"),
    [
        ("IDLE", "up"),
        ("MIXED+PLANNED", "up"),
        ("MIXED+COMPLETING", "up"),
        ("ALLOCATED+DRAIN", "drained"),
        ("IDLE+DRAIN", "drained"),
        ("DOWN+DRAIN", "down"),
        ("IDLE+NOT_RESPONDING", "down"),
        ("IDLE+CLOUD+POWERED_DOWN", "down"),
        ("IDLE+RESERVED", "reserved"),
        ("IDLE+MAINTENANCE", "reserved"),
    ],
)
async def test_a_node_is_up_down_drained_or_reserved(state, meant):
    answer = await holder(SlurmInMemory(nodes=[node(state=state)])).claims(Inventory())

    assert answer.capacities[0].state == meant


async def test_a_node_in_a_reservation_is_reserved():
    slurm = SlurmInMemory(nodes=[node(state="IDLE", reservation="workshop")])

    assert (await holder(slurm).claims(Inventory())).capacities[0].state == "reserved"


async def test_a_hidden_job_makes_the_claims_beside_it_doubtful():
    slurm = SlurmInMemory(job(7, TWO), nodes=[node(used=4)])

    answer = await holder(slurm).claims(Inventory())

    assert "given out 4" in answer.claims[0].doubt


async def test_a_job_that_completes_holds_until_it_is_gone():
    clock = JumpingClock(at=NOON)
    slurm = SlurmInMemory(job(7, TWO), nodes=[node(used=2)])
    asked = holder(slurm, clock)
    before = await asked.claims(Inventory())
    slurm.move("7", "CANCELLED+COMPLETING", gpus=())
    slurm.known_nodes = (node(used=0),)
    clock.jump(NOON + FRESH)

    during = await asked.claims(Inventory())
    slurm.move("7", "CANCELLED")
    clock.jump(NOON + 2 * FRESH)
    after = await asked.claims(Inventory())

    assert during.claims[0].places == before.claims[0].places
    assert during.claims[0].doubt == ""
    assert after.claims == ()


async def test_no_answer_is_no_empty_cluster():
    slurm = SlurmInMemory()
    slurm.refusals["jobs"] = SourceError("slurm: squeue: status 1")

    with pytest.raises(SourceError):
        await holder(slurm).claims(Inventory())


async def test_demand_reads_the_same_answer():
    slurm = SlurmInMemory(
        job(7, state="PENDING", reason="Resources", wish=Wish(per_job="gres/gpu:4")),
        nodes=[node()],
    )
    poll = Poll(slurm, JumpingClock(at=NOON))
    await SlurmHolder(poll, cluster="grove").claims(Inventory())

    waiting = await SlurmDemand(poll).waiting()

    assert [(request.gpus, request.startable) for request in waiting.requests] == [(4, True)]
    assert slurm.asked == 1
