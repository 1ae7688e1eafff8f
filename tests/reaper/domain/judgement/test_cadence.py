"""Inputs like a clock are named; what a person may do by chance is not."""

from itertools import accumulate

import pytest

from reaper.domain.judgement.cadence import cadence
from tests.builders import HOUR, MINUTE, START

AWAY = 30 * MINUTE


def after(*minutes: float) -> tuple[float, ...]:
    """Return inputs, the first at START, each so many minutes after the one before."""
    return tuple(accumulate((gap * MINUTE for gap in minutes), initial=START))


CLOCK = after(*[28] * 9)


def test_ten_inputs_at_one_distance_are_a_clock() -> None:
    found = cadence(CLOCK, now=CLOCK[-1] + MINUTE, within=AWAY)

    assert found is not None
    assert (found.every, found.times, found.spread) == (28 * MINUTE, 10, 0.0)


def test_a_minute_to_and_fro_is_the_same_clock() -> None:
    inputs = after(28, 27.5, 28.5, 28, 27.5, 28.5, 28, 28, 28)

    assert cadence(inputs, now=inputs[-1], within=AWAY) is not None


@pytest.mark.parametrize(
    "inputs",
    [
        CLOCK[1:],
        after(*[28] * 8, 25),
        after(*[28] * 4, 5, *[28] * 4),
        after(*[1] * 9),
        after(*[31] * 9),
    ],
    ids=["nine", "early once", "a word in between", "somebody at the keys", "too far apart"],
)
def test_people_are_no_clock(inputs: tuple[float, ...]) -> None:
    assert cadence(inputs, now=inputs[-1], within=AWAY) is None


def test_a_clock_that_stopped_is_none_any_more() -> None:
    assert cadence(CLOCK, now=CLOCK[-1] + HOUR, within=AWAY) is None


def test_what_was_typed_before_an_earlier_clock_does_not_hide_it() -> None:
    inputs = (START - 3 * MINUTE, START - 2 * MINUTE, *CLOCK)

    assert cadence(inputs, now=CLOCK[-1], within=AWAY) is not None
