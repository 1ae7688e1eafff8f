"""What a person may write for a duration, in policies, scenarios and commands alike."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.contract import drawing
from exporter.contract.durations import PATTERN, meant, read, short
from reaper.schema import Mistake, seconds

WRITTEN = [
    ("30m", 1800.0),
    ("30 min", 1800.0),
    ("30 minutes", 1800.0),
    ("1 minute", 60.0),
    ("30 Min", 1800.0),
    ("2h", 7200.0),
    ("2 hours", 7200.0),
    ("2 Hours", 7200.0),
    ("1 hr", 3600.0),
    ("1h30m", 5400.0),
    ("1 h 30 min", 5400.0),
    ("1hour 30minutes", 5400.0),
    ("1.5 hours", 5400.0),
    ("1 week", 604800.0),
    ("1w2d", 777600.0),
    ("90 sec", 90.0),
    ("250ms", 0.25),
    (" 5m ", 300.0),
    ("1d2h3m4s5ms", 93784.005),
]
NONE = [
    *("", " ", "m", "soon", "30", "1:30", "-5m", "5M", "1e3s", "٣m", "1.h", ".5h"),
    *("1m1h", "5m 5m", "1 fortnight", "2 hourss", "1h30"),
]


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_policies_and_scenarios_read_it_alike(text: str, expected: float) -> None:
    assert read(text) == seconds(text) == drawing.duration(text) == pytest.approx(expected)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_duration_is_none_anywhere(text: str) -> None:
    assert read(text) is None
    with pytest.raises(Mistake, match="write "):
        seconds(text)


@pytest.mark.parametrize("text", [text for text, _ in WRITTEN])
def test_an_editor_that_knows_the_schema_accepts_it(text: str) -> None:
    assert re.search(PATTERN, text)


@pytest.mark.parametrize("text", [text for text in NONE if text])
def test_an_editor_that_knows_the_schema_refuses_the_rest(text: str) -> None:
    assert not re.search(PATTERN, text)


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("30", "30m or 30s"),
        ("5M", "write 5m"),
        ("1:30", "write 1h30m"),
        ("30m 1h", "write 1h30m"),
        ("5m 5m", "write 10m"),
        ("five hours", "write for example 90s, 30m, 1h30m or 7d"),
    ],
)
def test_the_cure_is_what_was_meant(text: str, cure: str) -> None:
    with pytest.raises(Mistake, match=re.escape(cure)):
        seconds(text)


@given(st.integers(0, 10**11))
def test_what_is_written_short_is_read_back(milliseconds: int) -> None:
    assert read(short(milliseconds / 1000)) == pytest.approx(milliseconds / 1000)


@pytest.mark.parametrize("unit", ["h", "H"])
def test_a_number_that_is_too_long_is_no_duration(unit: str) -> None:
    text = "9" * 400 + unit

    assert (read(text), meant(text)) == (None, "")
