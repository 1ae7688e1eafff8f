"""Advice on sizes is given once a day, in its first turn."""

import pytest

from reaper.cycle.advising import advise
from reaper.cycle.docket import Item
from reaper.domain.facts.record import DeviceRecord
from tests.builders import HOUR, START, allocation, verdict
from tests.tracks import drawn

DAY = 24 * HOUR
MIDNIGHT = (START // DAY + 1) * DAY


@pytest.mark.parametrize(
    ("before", "now", "given"),
    [
        pytest.param(None, MIDNIGHT, 0, id="never in the very first turn"),
        pytest.param(MIDNIGHT - 60, MIDNIGHT, 1, id="in the first turn of a day"),
        pytest.param(MIDNIGHT - 60, MIDNIGHT - 1, 0, id="not before"),
        pytest.param(MIDNIGHT, MIDNIGHT + 60, 0, id="not again"),
        pytest.param(
            MIDNIGHT - HOUR, MIDNIGHT + 60, 1, id="late, where midnight was slept through"
        ),
    ],
)
def test_advice_comes_in_the_first_turn_of_a_day(
    before: float | None, now: float, given: int
) -> None:
    held = allocation(gpus=2)
    item = Item(
        allocation=held, verdict=verdict(), policy=None, situation=None, case=None, turn=None
    )
    tracks = dict(zip(held.gpus, (drawn("A" * 90), drawn("H" * 90)), strict=True))
    records = {device.gpu: DeviceRecord(device=device) for device in held.devices}

    found = advise([item], tracks, records, before=before, now=now)

    assert [event.numbers for event in found] == [{"spare": 1.0}] * given
