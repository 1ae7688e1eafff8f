"""What the web library complains of fills no log."""

import logging

import pytest
from aiohttp.http_exceptions import BadStatusLine

from exporter.serving.complaints import Complaints
from tests.exporter.fakes import StillClock


@pytest.fixture
def clock():
    return StillClock()


@pytest.fixture
def complain(clock):
    """Give `complain(error)`: the line that is written, or None."""
    once = Complaints(clock)

    def say(error):
        record = logging.LogRecord(
            "web", logging.ERROR, "", 0, "Error from %s", ("::1",), (type(error), error, None)
        )
        return record if once.filter(record) else None

    return say


def test_noise_is_told_without_a_traceback_and_without_what_was_sent(complain):
    record = complain(BadStatusLine("secret"))

    assert record.exc_info is None
    assert record.getMessage() == (
        "a request is no HTTP (BadStatusLine); 0 more since the last such line"
    )


def test_a_second_complaint_within_a_minute_is_counted_alone(complain, clock):
    complain(BadStatusLine("a"))

    assert [complain(BadStatusLine("b")) for _ in range(5)] == [None] * 5
    clock.pause(61)
    assert "5 more since" in complain(BadStatusLine("c")).getMessage()


def test_noise_hides_no_fault_of_ours(complain):
    complain(BadStatusLine("a"))
    record = complain(ValueError("b"))

    assert record.exc_info is not None
    assert "answering a request failed (ValueError)" in record.getMessage()
