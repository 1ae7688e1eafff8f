"""A call is announced where the parent can read it."""

import os

import pytest

from exporter.sampling.calls import Call, CallBoard, Calls


@pytest.fixture
def board():
    made = CallBoard.create()
    yield made
    made.close()


def test_nothing_is_under_way_at_first(board):
    assert board.current() is None


def test_a_call_is_seen_through_another_mapping_of_the_same_memory(board):
    worker = CallBoard(os.dup(board.descriptor))
    Calls(worker, lambda: 12.5).announce("nvmlInit", "gpu 3")

    assert board.current() == Call(name="nvmlInit", target="gpu 3", since=12.5)
    worker.close()


def test_a_call_that_returned_is_wiped(board):
    calls = Calls(board, lambda: 12.5)
    with calls.to("read", "pid 71"):
        pass

    assert board.current() is None


def test_a_call_that_raised_is_wiped(board):
    calls = Calls(board, lambda: 12.5)
    with pytest.raises(KeyError), calls.to("read", "pid 71"):
        raise KeyError

    assert board.current() is None


def test_a_long_name_is_cut(board):
    board.announce("x" * 500, "y" * 500, 1.0)

    assert board.current() == Call(name="x" * 120, target="y" * 120, since=1.0)
