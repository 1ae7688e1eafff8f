"""A demonstration names commands when they have something to say."""

from itertools import pairwise

from reaper.app.demo.welcome import COMMANDS, LATER, later


def test_a_command_that_needs_an_hour_is_named_once_there_was_one():
    looks = [0.0, 1800.0, 3599.0, 3700.0, 5400.0]
    told = [line for before, now in pairwise(looks) for line in later(before, now)]

    assert later(0.0, 3599.0) == ()
    assert len(told) == 1
    assert "gpu-reaper buy-or-rent" in told[0]


def test_nothing_is_named_at_first_that_has_something_to_say_only_later():
    assert not {line for _, line, _ in LATER} & {line for line, _ in COMMANDS}
