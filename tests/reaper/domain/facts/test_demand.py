"""What could start on GPUs that are freed together."""

import pytest

from reaper.domain.facts.demand import Request, could_start

FREED = {"a1": 4, "a2": 4}


def starts(*, card: str = "NVIDIA A100-SXM4-80GB", reserved: str = "", **asked: object) -> bool:
    """Tell whether a request could start on four GPUs of each of two nodes."""
    request = Request(**{"id": "7", "gpus": 1, "since": 0.0, **asked})
    found = could_start([request], partitions=("gpu",), model=card, freed=FREED, reserved=reserved)
    return found == (request,)


@pytest.mark.parametrize(
    "asked",
    [
        {"gpus": 8},
        {"gpus": 8, "on_each": 4, "spread": 2},
        {"gpus": 4, "nodes": ("a1",)},
        {"gpus": 4, "avoids": ("a1",)},
        {"model": "a100_80gb"},
        {"model": "A100"},
        {"partitions": ("cpu", "gpu")},
    ],
)
def test_a_request_for_what_is_freed_could_start(asked: dict[str, object]) -> None:
    assert starts(**asked)


@pytest.mark.parametrize(
    "asked",
    [
        {"gpus": 9},
        {"gpus": 8, "on_each": 8},
        {"gpus": 3, "on_each": 1, "spread": 3},
        {"gpus": 5, "nodes": ("a1",)},
        {"nodes": ("b1",)},
        {"nodes": ("a1", "b1")},
        {"gpus": 5, "avoids": ("a1",)},
        {"model": "h100"},
        {"model": "a100_40gb"},
        {"partitions": ("cpu",)},
        {"reserved": "course"},
        {"startable": False},
    ],
)
def test_a_request_for_anything_else_could_not(asked: dict[str, object]) -> None:
    assert not starts(**asked)


def test_what_is_reserved_starts_its_own_requests_alone() -> None:
    request = Request(id="7", gpus=1, since=0.0, reserved="course")

    assert could_start([request], partitions=(), model="", freed=FREED, reserved="course")
    assert not could_start([request], partitions=(), model="", freed=FREED, reserved="exam")
    assert not starts(reserved="course")
