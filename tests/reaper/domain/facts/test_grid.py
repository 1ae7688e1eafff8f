"""What the grid calls new."""

import pytest

from reaper.domain.facts.grid import NORMAL


@pytest.mark.parametrize(
    ("age", "fresh"), [(-61.0, False), (-59.0, True), (0.0, True), (180.0, True), (181.0, False)]
)
def test_what_is_older_than_three_steps_or_from_the_future_is_not_fresh(age, fresh):
    assert NORMAL.is_fresh(age) is fresh
