from dataclasses import replace
from itertools import permutations

import pytest

from reaper.domain.facts.keyed import KeyedClaims
from tests.builders import START, claim, run

EARLY = replace(claim("101"), run=run("101", started=START))
LATE = replace(claim("101"), run=run("101", started=START + 600))
OTHER = replace(claim("101"), run=replace(EARLY.run, platform="kubernetes"))


@pytest.mark.parametrize(
    ("start", "found"), [(START, EARLY), (START + 599, LATE), (START + 700, LATE)]
)
def test_a_node_key_belongs_to_the_latest_run_begun_by_its_start(start, found):
    for order in permutations((EARLY, LATE)):
        assert KeyedClaims(order).match(platform="slurm", id="101", start=start) is found


def test_a_run_that_begins_later_than_the_node_key_is_not_its_own():
    claims = KeyedClaims([LATE])

    assert claims.match(platform="slurm", id="101", start=START + 500) is None
    assert claims.match(platform="", id="101", start=START + 500) is None


def test_a_claim_is_found_by_every_id_that_nodes_may_see():
    component = replace(EARLY, node_ids=("101", "102", "102"))
    claims = KeyedClaims([component])

    assert claims.match(platform="slurm", id="102", start=START) is component
    assert claims.match(platform="kubernetes", id="102", start=START) is None


def test_a_claim_without_node_ids_goes_by_its_own():
    assert KeyedClaims([replace(EARLY, node_ids=())]).match(platform="", id="101", start=START)


def test_an_id_of_two_platforms_is_nobodys_where_the_node_names_none():
    for order in permutations((EARLY, OTHER)):
        assert KeyedClaims(order).match(platform="", id="101", start=START) is None
        assert KeyedClaims(order).match(platform="kubernetes", id="101", start=START) is OTHER


def test_of_two_runs_begun_together_the_same_one_is_found_in_any_order():
    again = replace(EARLY, run=replace(EARLY.run, key="101.1"))

    found = {
        KeyedClaims(order).match(platform="slurm", id="101", start=START).run.key
        for order in permutations((EARLY, again))
    }

    assert len(found) == 1
