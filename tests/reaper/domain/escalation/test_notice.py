"""When a notice is tried again."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.notice import Delivery
from tests.builders import HOUR, START, notice


@pytest.mark.parametrize(
    ("changes", "ahead", "due"),
    [
        ({}, None, True),
        ({}, 0.0, True),
        ({"attempts": 1}, 900.0, False),
        ({"attempts": 1}, HOUR + 1, True),
        ({"attempts": 1, "delivery": Delivery.AMBIGUOUS}, 300.0, False),
        ({"attempts": 1, "delivery": Delivery.AMBIGUOUS}, 301.0, True),
        ({"attempts": 9, "delivery": Delivery.AMBIGUOUS}, 24 * HOUR, False),
        ({"kind": "advice"}, 60 * HOUR, False),
    ],
)
def test_a_notice_is_due_in_time_or_where_its_time_cannot_be_meant(changes, ahead, due):
    one = notice()
    at = None if ahead is None else START + ahead

    assert replace(one, retry_at=at, **changes).due(START) is due
