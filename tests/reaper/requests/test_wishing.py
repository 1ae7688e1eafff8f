"""Keeps that were asked for on the platform itself."""

from dataclasses import replace

from reaper.app.wishing import Wisher
from reaper.board import Board
from reaper.domain.judgement.policy import KeepRule
from reaper.ports import Claims, Wished
from reaper.requests import Requests
from tests.builders import HOUR, policy
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
WARNED = "AAAA" + "H" * 35
WISH = Wished(
    id="w1", run_key="101", seconds=2 * HOUR, by="namespace/ns", reason="gpu-reaper.io/keep: 2h"
)


async def asking(bench: Lab) -> Requests:
    """Play until the owner is warned, and return the room of requests."""
    await bench.play({GPU: WARNED})
    return await bench.requests()


async def test_a_wish_keeps_a_run_once() -> None:
    """The second time nothing is taken from the budget, be it after another start."""
    bench = lab()
    room = await asking(bench)

    said = await room.wish(WISH, channel="kubernetes")
    again = await (await bench.requests()).wish(WISH, channel="kubernetes")

    (left,) = await bench.events("keep")
    assert (left.by, left.channel, again) == ("namespace/ns", "kubernetes", "")
    assert said is not None
    assert "for 2 h" in said


async def test_a_wish_beyond_the_budget_is_refused_once_and_for_all() -> None:
    """It is not granted by itself when the budget has grown again; the event says why."""
    bench = lab(policy(keep=KeepRule(per_request=HOUR)))
    room = await asking(bench)

    said = await room.wish(WISH, channel="kubernetes")
    again = await room.wish(WISH, channel="kubernetes")

    (left,) = await bench.events("keep refused")
    assert said is not None
    assert "at most 1 h" in said
    assert said in left.text
    assert again == ""
    assert await bench.events("keep") == []


async def test_a_wish_for_a_run_that_is_not_known_yet_is_left_open() -> None:
    """It may be brought again when the run is."""
    bench = lab()
    room = await asking(bench)

    assert await room.wish(replace(WISH, run_key="unknown"), channel="kubernetes") is None


async def test_what_stands_on_the_board_is_brought_to_the_room() -> None:
    """As long as it stands, and once."""
    bench = lab()
    room = await asking(bench)
    board = Board()
    now = bench.clock.now()
    board.post(
        source="kubernetes", role="holder", answer=Claims(as_of=now, wishes=(WISH,)), took=0.0
    )
    wisher = Wisher(board, room)

    await wisher.turn()
    await wisher.turn()

    assert len(await bench.events("keep")) == 1
