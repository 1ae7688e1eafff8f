"""Jobs that ended are told by how, once for a het job, and only those that wanted GPUs."""

import logging

import pytest

from reaper.domain.audit.jobs import Outcome, Records
from reaper.domain.facts.allocation import Inventory, Purpose
from reaper.edge.clock import JumpingClock
from reaper.platforms.slurm.demand import SlurmDemand
from reaper.platforms.slurm.ending import ended
from reaper.platforms.slurm.holder import SlurmHolder
from reaper.platforms.slurm.poll import Poll
from reaper.platforms.slurm.records.purpose import Rule
from reaper.platforms.slurm.records.record import Wish
from reaper.ports import SourceError
from tests.reaper.platforms.slurm.drawn import NOON, SlurmInMemory, job, node
from tests.recorded_jobs import recorded

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


# ------------------------------------------------------------------ what the controller forgot


class Books:
    """Accounting that holds some jobs; it notes for what span it was asked, and fails on demand."""

    def __init__(self, *jobs, error=None):
        self.jobs, self.error, self.asked = jobs, error, []

    async def __call__(self, begin, end):
        self.asked.append((begin, end))
        if self.error is not None:
            raise self.error
        return Records(source="sacct", form="sacct text", jobs=self.jobs)


def over(ident="9", at=NOON - 900, **fields):
    known = {"id": ident, "raw": ident, "ended": at, "outcome": Outcome.FAILED}
    return recorded()._replace(**{**known, **fields})


@pytest.fixture
def holding():
    """Give `holding(books, *jobs)`: a holder on its own clock, and that clock."""

    def build(books, *jobs, rules=()):
        clock = JumpingClock(at=NOON)
        poll = Poll(SlurmInMemory(*jobs, nodes=[node()]), clock)
        return SlurmHolder(poll, cluster="grove", rules=rules, accounting=books), clock

    return build


async def told(holder):
    return [(one.outcome, one.at) for one in (await holder.claims(Inventory())).ended]


async def test_what_ended_in_a_long_outage_of_ours_is_told_from_accounting(holding):
    books = Books(over())
    holder, _ = holding(books, job(7, state="COMPLETED", wish=GPUS, over=NOON - 60))
    holder.resume(NOON - 3600)

    assert await told(holder) == [("completed", NOON - 60), ("failed", NOON - 900)]
    assert books.asked == [(NOON - 3600, NOON)]


async def test_what_ended_while_slurm_was_silent_is_told_once_it_answers(holding):
    books = Books(over(at=NOON + 100))
    holder, clock = holding(books)
    await told(holder)
    clock.jump(NOON + 600)

    assert await told(holder) == [("failed", NOON + 100)]


async def test_it_is_told_for_some_minutes_and_asked_once(holding):
    books = Books(over())
    holder, clock = holding(books)
    holder.resume(NOON - 3600)
    found = []
    for after in (0, 30, 120, 230, 300):
        clock.jump(NOON + after)
        found.append(len(await told(holder)))

    assert found == [1, 1, 1, 1, 0]
    assert len(books.asked) == 1


@pytest.mark.parametrize("since", [None, NOON - 60, NOON - 240, NOON + 50])
async def test_accounting_is_not_asked_where_the_controller_remembers(holding, since):
    books = Books(over())
    holder, _ = holding(books)
    holder.resume(since)

    assert (await told(holder), books.asked) == ([], [])


@pytest.mark.parametrize(
    "odd",
    [
        over(at=NOON - 7200),
        over(outcome=Outcome.RUNNING, ended=None),
        over(devices=0),
        over("7", at=NOON - 60),
        over(id="8+1"),
    ],
    ids=["before", "running", "no GPU", "still known", "component"],
)
async def test_what_did_not_end_there_is_not_told(holding, odd):
    holder, _ = holding(Books(odd), job(7, state="COMPLETED", wish=GPUS, over=NOON - 60))
    holder.resume(NOON - 3600)

    assert await told(holder) == [("completed", NOON - 60)]


@pytest.mark.parametrize("error", [SourceError("sacct: no"), TimeoutError()])
async def test_accounting_that_does_not_answer_costs_no_claims(holding, error, caplog):
    books = Books(error=error)
    holder, clock = holding(books)
    holder.resume(NOON - 3600)
    with caplog.at_level(logging.WARNING):
        assert await told(holder) == []
    clock.jump(NOON + 30)
    await told(holder)

    assert len(books.asked) == 1
    assert "what ended in the last 3600 s is not counted" in caplog.text


async def test_a_week_at_most_is_asked_for(holding):
    books = Books()
    holder, _ = holding(books)
    holder.resume(NOON - 90 * 86400)
    await told(holder)

    assert books.asked == [(NOON - 7 * 86400, NOON)]


async def test_its_class_is_that_of_the_claim_or_of_the_sites_rules_or_other(holding):
    rules = (Rule(purpose=Purpose.INFERENCE, partition=("serve*",)),)
    running = job(9, "gpu:1(IDX:0)", wish=GPUS, batch=True)
    late = [over("9"), over("10", partition="serve1"), over("11")]
    late = [one._replace(ended=NOON + 100) for one in late]
    holder, clock = holding(Books(*late), running, rules=rules)
    holder.resume(NOON - 3600)
    await holder.claims(Inventory())
    clock.jump(NOON + 600)
    found = {one.key.split()[0]: one.purpose for one in (await holder.claims(Inventory())).ended}

    assert found == {
        "9": Purpose.TRAINING,
        "10": Purpose.INFERENCE,
        "11": Purpose.OTHER,
    }
