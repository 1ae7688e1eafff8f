"""Conditions of alerts are looked at as Prometheus would, as far as one moment goes."""

import pytest

from reaper.app.past.promql import PromqlError, evaluate, holds

SAMPLES = [
    ("gpus", {"state": "idle", "team": "vision"}, 3.0),
    ("gpus", {"state": "idle", "team": "speech"}, 1.0),
    ("gpus", {"state": "busy", "team": "vision"}, 5.0),
    ("seconds", {"state": "idle", "team": "vision"}, 7200.0),
]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("gpus", True),
        ("nothing_of_that_name", False),
        ('gpus{state="lost"}', False),
        ('gpus{state!="idle"} > 4', True),
        ('gpus{team=~"vis.*|x", state="idle"} == 3', True),
        ('gpus{team!~"vis.*"} > 1', False),
        ('sum by (state) (gpus{state="idle"}) > 3', True),
        ("sum(gpus) by (state) > 5", False),
        ("count(gpus) == 3", True),
        ("max(gpus) - min(gpus) == 4", True),
        ("gpus and seconds > 1.5 * 3600", True),
        ("gpus unless on (team) seconds", True),
        ('gpus{team="vision"} unless on (team) seconds', False),
        ("nothing or gpus > 4", True),
        ("time() - seconds < 3000", True),
        ("(gpus > 4) and ignoring (state) (seconds > 0)", True),
    ],
)
def test_a_condition_holds_where_any_sample_is_left(expression: str, *, expected: bool) -> None:
    assert holds(expression, SAMPLES, 10000.0) is expected


def test_sums_keep_the_labels_they_are_taken_over() -> None:
    found = evaluate('sum by (team) (gpus{team="vision"})', SAMPLES, 0.0)

    assert found == {frozenset({("team", "vision")}): 8.0}


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("increase(gpus[6h]) > 0", "increase() needs more than one moment"),
        ("gpus[5m]", "a range or an offset"),
        ("gpus offset 1h > 0", "a range or an offset"),
        ("gpus > ", "'more' is missing before 'the end'"),
        ("gpus $ 1", "cannot be read at"),
        ("gpus gpus", "is not known here"),
    ],
)
def test_what_needs_a_past_or_cannot_be_read_is_named(expression: str, said: str) -> None:
    with pytest.raises(PromqlError) as caught:
        evaluate(expression, SAMPLES, 0.0)

    assert said in str(caught.value)
