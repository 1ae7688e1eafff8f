"""Shapes, drawn."""

import pytest

from reaper.domain.facts.track import Track
from reaper.domain.judgement.pattern import beat, engine_only, starved


def track(letters: str) -> Track:
    """Return a track from minute zero."""
    return Track(start=0, letters=letters)


@pytest.mark.parametrize(
    ("letters", "every"),
    [
        pytest.param(("A" + "H" * 9) * 6, 10, id="a blip every ten minutes"),
        pytest.param("H" * 30 + ("L" + "H" * 4) * 5, 5, id="little work counts as a blip"),
        pytest.param("A" * 40 + "HHH" + ("A" + "H" * 9) * 5, 10, id="after real work"),
        pytest.param(("A" + "H" * 9) * 3 + ("A" + "H" * 10) * 2, 10, id="a minute's jitter"),
    ],
)
def test_a_regular_blip_is_a_beat(letters: str, every: int) -> None:
    """Keep-alives are as regular as a clock."""
    found = beat(track(letters))

    assert found is not None
    assert found.every == every


@pytest.mark.parametrize(
    "letters",
    [
        pytest.param("H" * 120, id="no blip at all"),
        pytest.param(("A" + "H" * 9) * 3, id="three may be chance"),
        pytest.param("AHHHHHHAHHHAHHHHHHHHHHAHHHHAHH", id="irregular"),
        pytest.param(("AAAA" + "H" * 6) * 8, id="work in bursts of four minutes"),
        pytest.param(("A" + "H" * 4 + "?" + "H" * 4) * 6, id="unseen minutes between"),
        pytest.param(("A" + "H" * 9) * 6 + "H" * 60, id="it stopped an hour ago"),
        pytest.param(("AH") * 60, id="every other minute is work"),
    ],
)
def test_anything_less_regular_is_no_beat(letters: str) -> None:
    """People and training steps are left alone."""
    assert beat(track(letters)) is None


def test_bursts_between_waits_are_starved() -> None:
    """A third of the time at work, in many short bursts."""
    assert starved(track("ALL" * 20)) == pytest.approx(1 / 3)
    assert starved(track("A" * 20 + "L" * 40)) is None
    assert starved(track("AAL" * 20)) is None
    assert starved(track("ALL" * 4)) is None


def test_a_busy_engine_without_work_is_counted_from_the_end() -> None:
    """Only an unbroken tail says hung."""
    assert engine_only(track("AAXXX")) == 3
    assert engine_only(track("XXA")) == 0
