"""An access time that was set by hand is told from one that input moved."""

import pytest

from exporter.sessions.touches import Times, Touches

MADE = 1_700_000_000
NOW = MADE + 7200.0


def times(access, change=MADE + 0.25):
    return Times(access=round(access * 10**9), change=round(change * 10**9))


def looks(*seen, now=NOW):
    """Return what is doubted at each of several looks at one terminal."""
    touches = Touches()
    found = []
    for one in seen:
        found.append(touches.doubtful("pts/3", one, started=MADE, now=now))
        touches.turn()
    return found


def test_input_is_believed():
    assert looks(times(MADE + 8), times(MADE + 16), times(MADE + 16)) == [False] * 3


def test_a_terminal_that_nobody_typed_into_is_believed():
    assert looks(times(MADE + 0.25), times(MADE + 0.25)) == [False, False]


def test_a_touch_between_two_looks_is_doubted_until_input_moves_the_time_alone():
    touched = times(MADE + 60, MADE + 60)

    assert looks(times(MADE + 8), touched, touched, times(MADE + 72, MADE + 60)) == [
        False,
        True,
        True,
        False,
    ]


def test_a_time_that_is_set_to_whole_seconds_is_doubted_by_the_change_that_it_made():
    assert looks(times(MADE + 8), times(MADE + 64, MADE + 65.5))[1]


def test_a_loop_of_touches_is_doubted_for_ever():
    loop = [times(MADE + 100 * step, MADE + 100 * step) for step in range(1, 6)]

    assert looks(*loop) == [True] * 5


def test_a_touch_of_before_the_first_look_is_doubted_where_both_times_are_one():
    assert looks(times(MADE + 3600.5, MADE + 3600.5)) == [True]


def test_a_change_of_mode_alone_doubts_nothing():
    assert (
        looks(times(MADE + 8), times(MADE + 8, MADE + 50), times(MADE + 80, MADE + 50))
        == [False] * 3
    )


@pytest.mark.parametrize(("ahead", "doubted"), [(30, False), (90, True)])
def test_a_time_in_the_future_is_doubted(ahead, doubted):
    assert looks(times(NOW + ahead)) == [doubted]


def test_a_clock_that_was_set_back_is_nobodys_touch():
    assert looks(times(MADE + 800), times(MADE + 400)) == [False, False]


def test_a_terminal_that_was_not_looked_at_is_forgotten():
    touches = Touches()
    touches.doubtful("pts/3", times(MADE + 8), started=MADE, now=NOW)
    touches.turn()
    touches.turn()

    assert not touches.doubtful("pts/3", times(MADE + 64, MADE + 65), started=MADE, now=NOW)
