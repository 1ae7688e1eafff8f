"""What the board's answers say together of who holds what, and who waits."""

import pytest

from reaper.board import Board
from reaper.cycle.evidence.records import Records
from reaper.cycle.ownership import uniting
from reaper.domain.facts.demand import Request, Waiting
from reaper.domain.facts.grid import NORMAL
from tests.builders import MINUTE, START

JOB = Request(id="7", gpus=1, since=START)


@pytest.mark.parametrize(("minutes", "waits"), [(1, True), (60, False)])
def test_what_a_silent_source_said_of_waiting_jobs_is_not_known_to_be_so(minutes, waits):
    board = Board()
    board.put(source="slurm", role="demand", answer=Waiting(as_of=START, requests=(JOB,)), took=0.1)

    found = uniting.read(board, Records(), frozenset(), now=START + minutes * MINUTE, pace=NORMAL)

    assert bool(found.waiting) is waits
