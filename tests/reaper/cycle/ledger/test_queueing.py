"""Waits and endings are counted once for each run, and only what was watched."""

from dataclasses import replace

from reaper.board import Board
from reaper.cycle.evidence.records import Records
from reaper.cycle.ledger import queueing
from reaper.cycle.memory import Memory
from reaper.cycle.ownership import uniting
from reaper.domain.facts.allocation import Claim, Purpose
from reaper.domain.facts.ending import Ended
from reaper.domain.facts.grid import NORMAL
from reaper.ports import Claims
from tests.builders import START, run


def claim(number: str, *, waited: float) -> Claim:
    begun = replace(run(number), started=START)
    return Claim(
        run=begun,
        places=(),
        user="mira",
        as_of=START,
        partition="gpu",
        submitted=START - waited,
        purpose=Purpose.TRAINING,
    )


def ended(number: str, outcome: str) -> Ended:
    return Ended(key=number, outcome=outcome, partition="gpu", purpose=Purpose.TRAINING)


def turn(memory: Memory, *claims: Claim, over: tuple[Ended, ...] = (), silent: bool = False):
    """Count a turn's answers; the totals that it leaves."""
    board = Board()
    board.expect(source="slurm", role="holder")
    if not silent:
        answer = Claims(as_of=START, claims=claims, ended=over)
        board.put(source="slurm", role="holder", answer=answer, took=0.0)
    owned = uniting.read(board, Records(), frozenset(), now=START + 60, pace=NORMAL)
    queueing.count(memory, owned)
    return memory.totals


def test_a_run_that_begins_is_counted_in_every_bound_that_its_wait_fits():
    memory = Memory()
    turn(memory)
    totals = turn(memory, claim("1", waited=301))

    assert totals["waited:gpu:training:sum"] == 301
    assert "waited:gpu:training:300" not in totals
    assert [totals[f"waited:gpu:training:{le}"] for le in ("900", "259200", "+Inf")] == [1, 1, 1]


def test_a_bound_is_part_of_its_bucket():
    memory = Memory()
    turn(memory)

    assert turn(memory, claim("1", waited=300))["waited:gpu:training:300"] == 1


def test_a_run_is_counted_once():
    memory = Memory()
    turn(memory)
    for _ in range(3):
        totals = turn(memory, claim("1", waited=5), over=(ended("0", "out of memory"),))

    assert totals["waited:gpu:training:+Inf"] == 1
    assert totals["ended:gpu:training:out of memory"] == 1


def test_what_is_there_at_the_start_is_not_counted():
    assert turn(Memory(), claim("1", waited=5), over=(ended("0", "failed"),)) == {}


def test_a_start_before_the_first_answer_counts_nothing_later():
    memory = Memory()
    turn(memory, silent=True)

    assert turn(memory, claim("1", waited=5), over=(ended("0", "failed"),)) == {}


def test_a_wait_that_nobody_knows_is_not_counted():
    memory = Memory()
    turn(memory)

    assert turn(memory, replace(claim("1", waited=5), submitted=None)) == {}


def test_a_namespace_stands_where_there_is_no_partition():
    memory = Memory()
    turn(memory)
    begun = replace(claim("1", waited=5), partition="", namespace="vision")

    assert turn(memory, begun)["waited:vision:training:10"] == 1


def test_after_a_restart_what_began_and_ended_meanwhile_is_counted():
    memory = Memory(since=START - 120)
    over = (
        replace(ended("0", "failed"), at=START - 300),
        replace(ended("2", "failed"), at=START - 60),
        ended("3", "failed"),
    )
    begun = claim("1", waited=5)
    before = replace(claim("4", waited=5), run=replace(run("4"), started=START - 121))
    totals = turn(memory, begun, before, over=over)

    assert totals["ended:gpu:training:failed"] == 1
    assert totals["waited:gpu:training:+Inf"] == 1
    assert turn(memory, begun, before, over=over)["ended:gpu:training:failed"] == 1
