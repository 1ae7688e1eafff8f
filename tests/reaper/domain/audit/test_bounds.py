"""Averages bound waste from both sides, and say nothing where nothing was recorded."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.audit.bounds import Bounding, Bounds
from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import Rate, RateCard
from tests.recorded_jobs import HOUR, recorded

WAITS = Waits()
CARD = RateCard()
STARTUP = 1200.0


def of(*jobs: object) -> Bounds:
    return bounding(*jobs).total()


def bounding(*jobs: object, card: RateCard = CARD) -> Bounding:
    found = Bounding(waits=WAITS, card=card)
    found.add(jobs)
    return found


def test_a_job_at_zero_is_waste_but_for_its_start_up():
    found = of(recorded(10, rates=(0.0,)))

    assert found.least == found.most == 10 * HOUR - STARTUP
    assert found.zero == 10 * HOUR


def test_a_job_at_a_rate_may_have_idled_the_rest_of_its_time_or_never():
    found = of(recorded(10, rates=(0.4,)))

    assert (found.least, found.most) == (0, pytest.approx(6 * HOUR))
    assert (found.used, found.unused) == (pytest.approx(4 * HOUR), pytest.approx(6 * HOUR))


def test_a_rest_too_short_to_be_waste_is_none():
    assert of(recorded(2, rates=(0.6,))).most == 0
    assert of(recorded(2, rates=(0.6,), purpose=Purpose.INTERACTIVE)).most > 0


def test_a_job_too_short_to_be_waste_is_none_even_at_zero():
    found = of(recorded(1, rates=(0.0,)))

    assert (found.least, found.most, found.zero) == (0, 0, HOUR)


def test_an_unknown_use_is_in_neither_bound():
    found = of(recorded(10))

    assert (found.least, found.most, found.unknown) == (0, 0, 10 * HOUR)
    assert found.perhaps == 10 * HOUR - STARTUP
    assert found.coverage == 0
    assert found.mean is None


def test_a_mean_over_eight_gpus_may_hide_one_that_never_worked():
    found = of(recorded(10, rates=(0.875,), devices=8))

    assert found.most == pytest.approx(10 * HOUR)
    assert found.least == 0


def test_rates_by_device_are_bounded_each():
    found = of(recorded(10, rates=(0.0, 1.0), devices=2))

    assert found.least == found.most == 10 * HOUR - STARTUP


def test_a_slice_wastes_its_part_of_a_card():
    found = of(recorded(10, rates=(0.0,), cards=1 / 7))

    assert found.least == pytest.approx((10 * HOUR - STARTUP) / 7)


def test_the_most_wasteful_comes_first():
    jobs = [recorded(owner="otto", rates=(0.5,)), recorded(owner="mira", rates=(0.0,))]

    assert list(bounding(*jobs).by_owner()) == ["mira", "otto"]


def test_waste_has_a_price_where_its_model_has_one():
    card = RateCard(rates=(Rate(amount=Decimal(3), currency="EUR", model="a100"),))
    jobs = [recorded(10, rates=(0.0,), model="a100"), recorded(10, rates=(0.5,), model="odd")]
    found = bounding(*jobs, card=card).worth()

    assert found.least.of("EUR") == pytest.approx(Decimal(29))
    assert (found.unpriced, found.models) == (5 * HOUR, ("odd",))


@given(st.text(alphabet="AH", min_size=1, max_size=400))
def test_true_waste_lies_between_the_bounds(letters: str):
    """Whatever a job did minute by minute, its average bounds its waste."""
    job = recorded(len(letters) / 60, rates=(letters.count("A") / len(letters),))
    found = of(job)

    assert found.least - 1e-6 <= wasted(letters) <= found.most + 1e-6


def wasted(letters: str) -> float:
    """Return the seconds in idle stretches of an hour, no stretch begun before the start-up ends.

    Start-up ends with the first active minute, or after 20.
    """
    first = letters.find("A")
    grown = min(20, len(letters) if first < 0 else first)
    stretches = letters[grown:].split("A")
    return sum(60.0 * len(one) for one in stretches if len(one) >= 60)
