"""Labels of an answer's series as rows: all of them, or none that could be wrong."""

import json

import pytest

from reaper.activity.prometheus.queries.columns import rows

NAMES = ("gpu", "instance", "reason")


def answer(*metrics: dict[str, str]) -> bytes:
    """Return an answer as engines write it: labels as they stand here."""
    result = [{"metric": metric, "value": [1.5, "1"]} for metric in metrics]
    body = {"status": "success", "data": {"resultType": "vector", "result": result}}
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()


def test_each_series_is_a_row_and_an_absent_label_is_empty():
    body = answer(
        {"__name__": "lit", "gpu": "GPU-1", "instance": "gpu01:1", "reason": "é"},
        {"__name__": "lit", "instance": "gpu02:1"},
        {},
    )

    assert rows(body, NAMES, count=3) == [("GPU-1", "gpu01:1", "é"), ("", "gpu02:1", ""), ("",) * 3]


@pytest.mark.parametrize("order", [("__name__", "Rack", "gpu"), ("Rack", "__name__", "gpu")])
def test_a_name_may_stand_first_or_in_order(order: tuple[str, ...]):
    metric = {"__name__": "lit", "Rack": "r7", "gpu": "GPU-1"}
    body = answer({label: metric[label] for label in order})

    assert rows(body, ("Rack", "gpu"), count=1) == [("r7", "GPU-1")]


def test_a_label_may_be_called_anything():
    odd = "rack (row+1)"
    body = answer({"gpu": "GPU-1", odd: "r7"})

    assert rows(body, ("gpu", odd), count=1) == [("GPU-1", "r7")]


def test_one_label_is_a_row_too():
    assert rows(answer({"instance": "gpu01:1"}), ("instance",), count=1) == [("gpu01:1",)]


@pytest.mark.parametrize(
    "metric",
    [
        pytest.param({"gpu": "GPU-1", "other": "1"}, id="a label that is not asked for"),
        pytest.param({"instance": "gpu01:1", "gpu": "GPU-1"}, id="not in order"),
        pytest.param({"gpu": 'GPU-"1'}, id="a quote"),
        pytest.param({"gpu": "GPU\\1"}, id="a backslash"),
        pytest.param({"gpu": '{"metric":{"gpu":"GPU-2"}}'}, id="a series inside a label"),
    ],
)
def test_an_answer_that_cannot_be_read_so_is_not(metric: dict[str, str]):
    body = answer({"gpu": "GPU-0"}, metric, {"gpu": "GPU-9"})

    assert rows(body, NAMES, count=3) is None
