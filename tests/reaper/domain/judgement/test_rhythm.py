"""What a run's past says of its present pause."""

import pytest

from reaper.domain.facts.track import Track
from reaper.domain.judgement.rhythm import comes_back


@pytest.mark.parametrize(
    ("letters", "begun", "minutes"),
    [
        pytest.param("A" * 60 + "H" * 300, 0, None, id="it never came back"),
        pytest.param("A" * 60 + "H" * 200 + "AA" + "H" * 50, 0, 250, id="from one pause"),
        pytest.param("A" * 60 + "H" * 200 + "A" + "H" * 50, 0, None, id="a blip is no return"),
        pytest.param("A" * 60 + "H" * 59 + "AA" + "H" * 50, 0, None, id="too short a pause"),
        pytest.param(
            "A" * 11 + "H" * 80 + "A" * 11 + "H" * 120 + "AA" + "H", 0, 150, id="the longest"
        ),
        pytest.param(
            "A" * 60 + "H" * 100 + "A" * 10 + "H" * 90 + "AA" + "H", 0, 250, id="with work inside"
        ),
        pytest.param(
            "A" * 60 + "H" * 80 + "A" * 6 + "H" * 80 + "A" * 6 + "H" * 80 + "AA" + "H",
            0,
            208,
            id="with ten minutes of work inside at most",
        ),
        pytest.param("H" * 100 + "A" * 60 + "H", -300, 500, id="it may have begun before"),
        pytest.param("A" * 60 + "H" * 200 + "AA" + "H" * 50, 262, None, id="of another run"),
        pytest.param("A" + "H" * 120 + "AA" + "H", -3000, 151, id="what is kept begins with work"),
    ],
)
def test_a_run_is_held_for_longer_than_the_longest_pause_that_it_came_back_from(
    letters: str, begun: int, minutes: int | None
) -> None:
    assert comes_back(Track(start=0, letters=letters), begun=begun) == minutes
