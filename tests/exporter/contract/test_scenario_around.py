"""What a scenario draws beside letters: loads, lying signals, clocks, people, what waits."""

import pytest

from exporter.contract.scenario import Scenario, ScenarioError, ScenarioLoad, load
from exporter.contract.stage import Stage

HEAD = """
version = 1
start = 2026-03-02T09:00:00Z
[[node]]
name = "gpu01"
idle_power = 300
clock = "-20s"
gpus = ["A*3 H", "E"]
[[allocation]]
id = "1"
user = "mira"
holds = ["gpu01:0-1"]
"""


def drawn(more: str) -> Scenario:
    return load(HEAD + more)


def shown(more: str, at: float, gpu: int = 0):
    """Return what is measured of a GPU so many seconds after the start."""
    stage = Stage(scenario=drawn(more), origin=0.0)
    (node,) = stage.scenario.nodes
    return stage.shown(node, gpu, stage.letter("gpu01", gpu, at), at)


def test_a_load_is_read_in_numbers() -> None:
    found = drawn('host_load = [{ during = "10m..20m", cores = 0.3, network = 4e7 }]')

    assert found.allocations[0].loads == (
        ScenarioLoad(begin=600.0, end=1200.0, cores=0.3, network=4e7),
    )


def test_a_host_without_loads_is_measured_and_quiet() -> None:
    assert drawn("host_load = []").allocations[0].measured
    assert not drawn("").allocations[0].measured


def test_a_node_has_a_clock_and_a_power_below_which_it_never_falls() -> None:
    (node,) = drawn("").nodes

    assert (node.clock, node.idle_power) == (-20.0, 300.0)
    assert shown("", 300.0).look.power == pytest.approx(300 / 700)
    assert shown("", 0.0).look.power == 0.8


def test_a_signal_that_is_stuck_shows_its_number_while_it_lasts() -> None:
    stuck = '[[signal]]\nof = "profiling"\nshows = "zero"\nduring = "1m..2m"'

    assert [shown(stuck, at).look.sm for at in (0.0, 60.0, 120.0)] == [0.62, 0.0, 0.62]
    assert shown(stuck, 60.0).look.engine == 1.0


def test_a_signal_that_is_paused_shows_nothing_of_the_gpus_that_it_is_drawn_for() -> None:
    paused = '[[signal]]\nof = "utilisation"\nshows = "nothing"\nnode = "gpu01"\ngpus = [1]'

    assert shown(paused, 0.0, gpu=1).paused == {"engine"}
    assert shown(paused, 0.0, gpu=0).paused == frozenset()


def test_what_waits_and_who_has_left_are_read() -> None:
    found = drawn(
        """
[[waiting]]
at = "1h"
gpus = 4
id = "big"
partition = "long"
model = "H100"
blocked = true
[[person]]
user = "mira"
left = true
"""
    )

    assert found.waiting[0].partitions == ("long",)
    assert (found.waiting[0].id, found.waiting[0].blocked) == ("big", True)
    assert (found.people[0].left, found.people[0].known) == (True, True)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[[signal]]\nshows = "zero"', "of: missing; write one of profiling"),
        ('[[signal]]\nof = "sm"\nshows = "zero"', "'sm' is unknown"),
        ('[[signal]]\nof = "power"', "shows: missing; write nothing, zero, full, or a number"),
        ('[[signal]]\nof = "host"\nshows = 3', "a node shows no number"),
        ('[[signal]]\nof = "power"\nshows = 1\nnode = "x"', "no node 'x'"),
        ('[[signal]]\nof = "power"\nshows = 1\nnode = "gpu01"\ngpus = [2]', "2 is no GPU of it"),
        ("[[person]]\nleft = true", "user: missing"),
        ('[[waiting]]\nat = "1h"\ngpus = 1\nmodell = "x"', "did you mean 'model'?"),
    ],
)
def test_a_mistake_is_named_with_its_cure(more: str, said: str) -> None:
    with pytest.raises(ScenarioError, match="line") as caught:
        drawn(more)

    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("host_load = [{ cores = 1 }]", "during: missing"),
        ('host_load = [{ during = "0s..", cores = -1 }]', "-1 is no number"),
        ('host_load = [{ during = "0s..", node = "x" }]', "no node 'x'"),
    ],
)
def test_a_mistake_in_a_load_is_named(more: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        drawn(more)

    assert said in str(caught.value)
