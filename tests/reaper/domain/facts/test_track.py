"""Tracks as people draw them."""

import pytest

from reaper.domain.facts.track import LONG_WORK, Track


def test_stretches_are_maximal_and_in_order() -> None:
    """Equal neighbours belong together."""
    drawn = [
        (run.letter, run.start, run.end) for run in Track(start=10, letters="AAHH?H").stretches()
    ]

    assert drawn == [("A", 10, 12), ("H", 12, 14), ("?", 14, 15), ("H", 15, 16)]


def test_an_idle_stretch_joins_held_and_empty() -> None:
    """H and E are one kind of idleness; everything else breaks it."""
    drawn = [(run.start, run.end) for run in Track(start=0, letters="HEHAEE?H").idle_stretches()]

    assert drawn == [(0, 3), (4, 6), (7, 8)]


@pytest.mark.parametrize(
    ("letters", "tail"), [("AAHH", 2), ("HEHE", 4), ("HH?H", 1), ("HHA", 0), ("", 0)]
)
def test_the_idle_tail_ends_at_the_first_break(letters: str, tail: int) -> None:
    """A gap breaks a stretch, whatever lies before it."""
    assert Track(start=0, letters=letters).idle_tail() == tail


def test_extending_fills_a_gap_with_unseen_and_rewrites_nothing() -> None:
    """What is recorded stays."""
    track = Track(start=0, letters="AA")

    assert track.extend(4, "HH").letters == "AA??HH"
    assert track.extend(1, "HHH").letters == "AAHH"


def test_clipping_outside_the_track_gives_unseen_minutes() -> None:
    """Nothing is known outside."""
    track = Track(start=2, letters="AH")

    assert track.clip(0, 6).letters == "??AH??"
    assert track.clip(3, 3).letters == ""
    assert track.clip(8, 10).letters == "??"
    assert track.clip(0, 1).letters == "?"


def test_a_track_is_remembered_from_a_day_before_its_newest_work():
    track = Track(start=0, letters="A" * 3000 + "H" * 5000)

    assert track.recent("A") == Track(start=1560, letters="A" * 1440 + "H" * 5000)


def test_a_short_sign_of_life_makes_nothing_forgotten():
    track = Track(start=0, letters="A" * 3000 + "H" * 300 + "A" * 10 + "H" * 50)

    assert track.recent(LONG_WORK).start == 3000 - 1440
    assert track.extend(track.end, "A" * 11).recent(LONG_WORK).start == track.end + 11 - 1440


def test_what_is_remembered_does_not_begin_within_a_rest():
    """How long an old pause was stays known."""
    track = Track(start=0, letters="A" * 500 + "H" * 600 + "A" * 1000)

    assert track.recent(LONG_WORK).letters.startswith("A" + "H" * 600)


def test_what_rests_is_remembered_for_two_weeks_at_most():
    track = Track(start=0, letters="A" + "H" * 30000)

    assert track.recent("A") == Track(start=8401, letters="H" * 21600)
