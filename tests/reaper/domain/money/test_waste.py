"""Letters hold for their minute, stretches for their length; drawn tracks."""

import pytest

from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.holding import Holding, holdings
from reaper.domain.money.waste import View, Waits, view
from tests.books import MINUTE, TEN, tenure_of, track_of


def seen(letters: str, *, cut: float = 0.0, startup: float = 0.0, **fields: object) -> View:
    """A holding that plays the letters, begun `cut` seconds into the first minute."""
    begin, end = TEN + cut, TEN + len(letters) * MINUTE
    tenure = tenure_of("1", "GPU-0", begin, end, **fields)
    (holding,), _ = holdings([tenure], as_of=end)
    return viewed(holding, letters, TEN + startup)


def viewed(holding: Holding, letters: str, startup_until: float) -> View:
    found = view(
        holding,
        track_of(TEN, letters),
        pace=NORMAL,
        startup_until=startup_until,
        within=(TEN, TEN + len(letters) * MINUTE),
    )
    assert found is not None
    return found


def minutes(spans: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    return [((begin - TEN) / MINUTE, (end - TEN) / MINUTE) for begin, end in spans]


def test_every_letter_is_booked_in_its_state():
    spent = seen("AALHEX?!").spent(TEN, TEN + 8 * MINUTE)

    assert spent.active == 2 * MINUTE
    assert spent.low == 2 * MINUTE
    assert spent.engine_only == MINUTE
    assert spent.idle == 2 * MINUTE
    assert spent.unknown == 2 * MINUTE
    assert spent.startup == 0


def test_hours_are_cut_to_the_second():
    spent = seen("AHA").spent(TEN + 59, TEN + 2 * MINUTE + 1)

    assert (spent.active, spent.idle) == (2, 60)


def test_startup_covers_idle_and_low_but_not_work_nor_the_unseen():
    spent = seen("LXHEA?H", startup=6 * MINUTE).spent(TEN, TEN + 7 * MINUTE)

    assert spent.startup == 4 * MINUTE
    assert (spent.active, spent.unknown, spent.idle) == (MINUTE, MINUTE, MINUTE)


def test_held_and_empty_minutes_make_one_idle_stretch():
    assert minutes(seen("AHHEEHA").idle()) == [(1, 6)]


@pytest.mark.parametrize("letter", ["A", "L", "X", "?", "!"])
def test_any_other_letter_breaks_an_idle_stretch(letter: str):
    assert minutes(seen(f"HH{letter}HH").idle()) == [(0, 2), (3, 5)]


def test_a_stretch_of_exactly_the_threshold_counts():
    assert minutes(seen("HHHA").idle(3 * MINUTE)) == [(0, 3)]
    assert minutes(seen("HHA").idle(3 * MINUTE)) == []


def test_a_stretch_is_as_long_as_the_holding_and_no_longer():
    assert minutes(seen("HHH", cut=1).idle(3 * MINUTE)) == []
    assert minutes(seen("HHHH", cut=1).idle(3 * MINUTE)) == [(1 / 60, 4)]


def test_no_idle_stretch_begins_before_the_startup_ends():
    assert minutes(seen("HHHHH", startup=2 * MINUTE).idle()) == [(2, 5)]


def test_what_is_unknown_may_have_been_idle():
    assert minutes(seen("AH?!HA").perhaps_idle(4 * MINUTE)) == [(1, 5)]


def test_work_is_never_perhaps_idle():
    assert minutes(seen("HHLHH").perhaps_idle(3 * MINUTE)) == []


def test_a_doubtful_holding_is_unknown_whatever_the_letters_say():
    doubted = seen("AAHHHH", doubt="index not proven")

    spent = doubted.spent(TEN, TEN + 6 * MINUTE)

    assert (spent.unknown, spent.active, spent.idle) == (6 * MINUTE, 0, 0)
    assert doubted.idle() == ()
    assert minutes(doubted.perhaps_idle()) == [(0, 6)]


def test_idle_minutes_in_which_something_waited_are_counted_to_the_second():
    waiting = track_of(TEN, "?WW?WW")

    assert seen("HHAHHH", cut=30).idle_in(waiting, TEN + 30, TEN + 5.5 * MINUTE) == 150
    assert seen("HHHHHH").idle_in(waiting, TEN + 65, TEN + 70) == 5


def test_nothing_waits_before_the_startup_ends():
    assert seen("HHH", startup=2 * MINUTE).idle_in(track_of(TEN, "WWW"), TEN, TEN + 180) == MINUTE


def test_the_longest_threshold_bounds_how_far_one_looks():
    assert Waits().longest == 3600
    assert Waits(by_purpose={}, otherwise=60).longest == 60
