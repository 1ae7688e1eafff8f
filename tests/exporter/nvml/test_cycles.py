"""Cycle counters as ratios: whatever two readings say."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.nvml.cycles import ANEW, STILL, Cycles, ratios
from exporter.sampling.snapshot import Absent

counts = st.floats(0, 1e18, allow_nan=False)
growth = st.floats(1, 1e12)
shares = st.floats(0, 1)


def cycles(elapsed, sm, tensor=0.0):
    return Cycles(elapsed=elapsed, active={"sm": sm, "tensor": tensor})


def test_a_ratio_is_active_over_elapsed_of_one_pair():
    assert ratios(cycles(1000, 400, 0), cycles(3000, 900, 500)) == {"sm": 0.25, "tensor": 0.25}


def test_elapsed_cycles_that_fell_give_no_ratio():
    assert ratios(cycles(1000, 400), cycles(10, 900)) == {"sm": ANEW, "tensor": ANEW}


def test_elapsed_cycles_that_stand_still_give_no_ratio():
    assert ratios(cycles(1000, 400), cycles(1000, 400)) == {"sm": STILL, "tensor": STILL}


def test_one_counter_that_wrapped_leaves_the_other():
    found = ratios(cycles(1000, 400, 10), cycles(2000, 5, 510))

    assert found == {"sm": ANEW, "tensor": 0.5}


@pytest.mark.parametrize("which", [0, 1])
def test_a_count_that_is_missing_once_is_missing_in_both_its_ratios(which):
    readings = [cycles(1000.0, 1.0), cycles(2000.0, 2.0)]
    readings[which] = cycles(1000.0 * (which + 1), math.nan)

    assert isinstance(ratios(*readings)["sm"], Absent)


def test_missing_elapsed_cycles_give_no_ratio():
    assert isinstance(ratios(cycles(math.nan, 1), cycles(2000, 2))["sm"], Absent)


@given(counts, counts, growth, shares)
def test_the_share_comes_back_whatever_the_counters_stood_at(elapsed, active, grown, share):
    """Up to what doubles lose at such heights."""
    before = cycles(elapsed, active)
    after = cycles(elapsed + grown, active + grown * share)
    found = ratios(before, after)["sm"]
    lost = math.ulp(elapsed + grown) + math.ulp(active + grown)

    if after.elapsed > before.elapsed:
        assert found == pytest.approx(share, abs=4 * lost / grown + 1e-9)
    else:
        assert found is STILL


@given(counts, counts, counts, counts)
def test_no_two_readings_give_a_negative_or_endless_ratio(elapsed, active, later, more):
    found = ratios(cycles(elapsed, active), cycles(later, more))["sm"]

    assert isinstance(found, Absent) or (found >= 0 and math.isfinite(found))


@given(st.lists(st.tuples(growth, shares), min_size=1, max_size=20), st.integers(1, 19))
def test_a_reset_costs_the_one_ratio_that_holds_it(steps, place):
    readings, elapsed, active = [cycles(1e15, 5e14)], 1e15, 5e14
    for number, (grown, share) in enumerate(steps, 1):
        if number == place:
            elapsed = active = 0.0
        elapsed, active = elapsed + grown, active + grown * share
        readings.append(cycles(elapsed, active))
    found = [ratios(*pair)["sm"] for pair in itertools.pairwise(readings)]

    assert [number for number, one in enumerate(found, 1) if isinstance(one, Absent)] == (
        [place] if place <= len(steps) else []
    )
