"""Whose letters a tenure is booked by."""

from dataclasses import replace

import pytest

from reaper.domain.facts.tenant import own_name
from reaper.domain.money.entries import Tenure
from reaper.domain.money.tracked import track_of
from tests.builders import START, run

WHOLE = Tenure(run=run(), gpu="GPU-0", node="gpu01", begin=START, end=None)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "GPU-0"),
        ({"share": 0.5}, own_name("GPU-0", WHOLE.run.key)),
        ({"share": 2 / 7, "size": 2 / 7}, "GPU-0"),
        ({"share": 1 / 7, "size": 2 / 7}, own_name("GPU-0", WHOLE.run.key)),
        ({"gpu": "", "share": 0.5}, ""),
    ],
    ids=["whole", "part", "instance", "part of an instance", "device unknown"],
)
def test_who_was_given_a_part_of_a_device_is_booked_by_its_own_letters(given, expected):
    assert track_of(replace(WHOLE, **given)) == expected
