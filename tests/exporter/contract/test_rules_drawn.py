"""What a scenario says of platforms, of policies that change, and of moments that cannot be."""

from math import inf

import pytest

from exporter.contract.distortion import STUCK
from exporter.contract.scenario import Scenario, ScenarioError, load
from exporter.contract.stage import Stage

HEAD = """
version = 1
start = 2026-03-02T09:00:00Z
length = "2h"
[[node]]
name = "gpu01"
gpus = ["X*90"]
[[allocation]]
id = "1"
user = "mira"
holds = "gpu01:0"
"""


def drawn(more: str) -> Scenario:
    return load(HEAD + more)


def mistakes(more: str) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        drawn(more)
    return caught.value


def test_a_clock_may_be_set_back() -> None:
    (event,) = drawn('[[event]]\nat = "1h"\ndo = "clock"\nfor = "-90m"').events

    assert event.duration == -5400.0


def test_an_allocation_is_of_the_platform_that_is_drawn() -> None:
    assert drawn("").allocations[0].platform == "recorded"
    assert drawn('platform = "slurm"').allocations[0].platform == "slurm"
    assert "did you mean 'kubernetes'?" in str(mistakes('platform = "kubernets"'))


def test_a_policy_is_in_force_from_and_until() -> None:
    first, second = (
        '[[policy]]\nname = "a"\nuntil = "1h"\n',
        '[[policy]]\nname = "a"\nfrom = "1h"\n',
    )

    found = drawn(first + second)

    assert found.in_force == ((-inf, 3600.0), (3600.0, inf))
    assert found.policies == ({"name": "a"}, {"name": "a"})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[[policy]]\nfrom = "1h"\nuntil = "30m"', "until: lies before it comes into force"),
        ('limit = "-5m"', "limit: lies before its begin; write when it ends, from start"),
        ('[expect]\n"1@-5m" = "idle"', "-5m lies before start: nothing is judged then"),
        ('[expect]\n"1@3h" = "idle"', "3h lies after length: nothing is judged then"),
        ('[expect]\nclusters = "paused"', "no allocation 'clusters'; did you mean 'cluster'?"),
        ('[[waiting]]\nat = "1h"', "gpus: missing; write a whole number: gpus = 1"),
    ],
)
def test_what_cannot_be_is_named(more: str, said: str) -> None:
    assert said in str(mistakes(more))


def test_a_scenario_with_mistakes_still_shows_its_policies() -> None:
    error = mistakes('wrong = 1\n[[policy]]\nname = "a"')

    assert error.read is not None
    assert error.read.policies == ({"name": "a"},)


@pytest.mark.parametrize(("more", "letter"), [("", "X"), ("works_on = []", STUCK)])
def test_an_engine_without_any_process_is_stuck(more: str, letter: str) -> None:
    stage = Stage(scenario=drawn(more), origin=0.0)

    assert stage.letter("gpu01", 0, 60.0) == letter
