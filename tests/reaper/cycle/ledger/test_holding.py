"""Of an allocation that stays as it is there is nothing new to say, and of any other there is."""

from dataclasses import replace

import pytest

from reaper.cycle.ledger.holding import Held
from reaper.domain.facts.allocation import Allocation, Purpose
from reaper.domain.facts.sign import Sign
from tests.books import tenure_of
from tests.builders import START, allocation

GIVEN = allocation(purpose=Purpose.TRAINING)
TYPED_IN = Sign(kind="jupyter", last_seen=START, as_of=START)


def held(startup_until: float | None = START + 60) -> Held:
    """Return what is held open once an allocation was told."""
    tenure = replace(
        tenure_of("101", GIVEN.gpus[0], START, None), run=GIVEN.run, startup_until=startup_until
    )
    known = Held()
    known.take([tenure], [GIVEN])
    return known


def test_what_stays_as_it_is_goes_on() -> None:
    assert held().goes_on(replace(GIVEN))


def test_whose_start_up_is_not_over_is_looked_at() -> None:
    assert not held(None).goes_on(GIVEN)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(replace(GIVEN, claim=replace(GIVEN.claim, user="otto")), id="its claim"),
        pytest.param(replace(GIVEN, devices=()), id="its devices"),
        pytest.param(replace(GIVEN, doubt="the index is not confirmed"), id="its doubt"),
        pytest.param(replace(GIVEN, signs=(TYPED_IN,)), id="what it is for"),
    ],
)
def test_whatever_a_tenure_says_is_said_anew_when_it_changes(changed: Allocation) -> None:
    assert not held().goes_on(changed)
