"""An answer about many nodes is put up whole, and others have their turn meanwhile."""

from reaper.board import Board
from reaper.edge.clock import JumpingClock
from reaper.observers import Source, observe_once
from reaper.ports import NodeReport, Readings
from tests.builders import START


def answer(nodes: int) -> Readings:
    reports = (NodeReport(node=f"n{n}", target=f"n{n}:1", as_of=START) for n in range(nodes))
    return Readings(as_of=START, nodes=tuple(reports))


class Counting(JumpingClock):
    """Counts how often others were let run."""

    slept = 0

    async def sleep(self, seconds: float) -> None:
        Counting.slept += 1
        await super().sleep(seconds)


async def test_a_large_answer_is_taken_up_in_portions():
    board, clock = Board(), Counting(at=START)

    async def ask() -> Readings:
        return answer(1001)

    source = Source(name="engine", role="activity", ask=ask, interval=15.0, patience=5.0)
    await observe_once(source, board=board, clock=clock)

    assert len(board.good) == 1001
    assert Counting.slept == 4
    assert board.of("activity")[0].as_of == START
    assert clock.at == START
