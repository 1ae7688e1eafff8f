"""The board gives what is there, each old reading once, and forgets nothing by silence."""

from dataclasses import replace

from reaper.board import Board
from reaper.ports import NodeReport, Readings
from tests.builders import START, device, reading

GPU = device().gpu


def report(*times: float, **given: object) -> NodeReport:
    base = NodeReport(
        node="gpu01",
        target="gpu01:19440",
        as_of=START,
        devices=(device(),),
        readings=tuple(reading(START + at) for at in times),
    )
    return replace(base, **given)


def put(board: Board, *reports: NodeReport) -> None:
    board.put(
        source="engine", role="activity", answer=Readings(as_of=START, nodes=reports), took=0.0
    )


def times(board: Board, end: float) -> list[float]:
    return [item.at - START for item in board.readings(START + end).get(GPU, ())]


def test_readings_come_in_order_and_the_older_ones_once():
    board = Board()
    put(board, report(60, 120, 180))

    assert times(board, 180) == [60, 120, 180]
    assert times(board, 180) == [180]


def test_readings_after_the_end_wait():
    board = Board()
    put(board, report(60, 75, 120))

    assert times(board, 60) == [60]
    assert times(board, 120) == [60, 75, 120]


def test_a_reading_that_is_not_newer_is_not_taken_again():
    board = Board()
    put(board, report(60, 120), report(60, 120, 180))

    assert times(board, 300) == [60, 120, 180]


def test_what_was_said_before_a_silence_is_taken():
    board = Board()
    put(board, report(60), report(error="no sample"))

    assert times(board, 60) == [60]
    assert board.reports["gpu01:19440"].error == "no sample"


def test_devices_that_several_report_are_known_until_a_report_without():
    board = Board()
    put(board, report(60, contradicted=frozenset([GPU])))
    before = board.contradicted
    put(board, report(120))

    assert (before, board.contradicted) == ({GPU}, frozenset())


def test_what_is_put_up_later_is_not_on_a_board_that_stands_still():
    board = Board()
    put(board, report(60))
    still = board.still()

    put(board, report(120), replace(report(120), node="gpu02", target="gpu02:19440"))

    assert set(still.good) == {"gpu01"}
    assert set(board.good) == {"gpu01", "gpu02"}


def test_what_a_still_board_gave_is_given_once():
    board = Board()
    put(board, report(60, 120, 180))

    assert times(board.still(), 180) == [60, 120, 180]
    assert times(board, 180) == [180]
    put(board, report(240))
    assert times(board, 240) == [180, 240]


def test_a_board_that_is_read_keeps_no_more_readings_than_are_needed():
    board = Board()
    for at in range(60, 6000, 60):
        put(board, report(at))
        board.readings(START + at)

    assert len(board._recent[GPU]) == 1
