"""What is kept of a device between minutes."""

import pytest

from reaper.domain.facts.record import IDLE_STRETCH, DeviceRecord
from tests.builders import device


@pytest.mark.parametrize(
    ("stretch", "empty", "held", "minutes"),
    [
        pytest.param(IDLE_STRETCH, (), ((70, 100), (71, 5)), 15, id="held"),
        pytest.param(IDLE_STRETCH, ((40, 119),), ((70, 100),), 1, id="the nearer of the two"),
        pytest.param(IDLE_STRETCH, (), ((70, 120),), 0, id="learnt"),
        pytest.param(IDLE_STRETCH, (), (), 0, id="not begun"),
        pytest.param("A", (), ((70, 100),), 0, id="at work"),
    ],
)
def test_a_record_says_when_its_idle_power_may_be_learnt(
    stretch: str,
    empty: tuple[tuple[int, int], ...],
    held: tuple[tuple[int, int], ...],
    minutes: int,
) -> None:
    record = DeviceRecord(device=device(), stretch=stretch, watts_empty=empty, watts_held=held)

    assert record.learnt_in == minutes
