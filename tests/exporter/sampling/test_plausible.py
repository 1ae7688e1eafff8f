"""What a number must look like to be believed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.sampling import plausible
from exporter.sampling.snapshot import Absent, Measured

BLANKS = [0x7FFFFFF0, 4294967295, 140737488355328.0, 9.2e18, 2147483632 / 100]


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_a_ratio_is_believed(value):
    judged = plausible.ratio(value, "gpm")

    assert (judged.value, judged.touched) == (Measured(value=value, source="gpm"), False)


def test_a_slight_excess_is_cut_and_counted():
    judged = plausible.ratio(1.29, "gpm")

    assert (judged.value, judged.touched) == (Measured(value=1.0, source="gpm"), True)


@pytest.mark.parametrize("value", [-0.01, 1.51, math.inf, *BLANKS])
def test_the_rest_is_refused_and_counted(value):
    judged = plausible.ratio(value, "gpm")

    assert (isinstance(judged.value, Absent), judged.touched) == (True, True)


def test_no_number_is_absent_without_being_counted():
    judged = plausible.ratio(math.nan, "gpm")

    assert (judged.value, judged.touched) == (plausible.NOT_A_NUMBER, False)


@given(st.floats())
def test_no_float_becomes_a_ratio_outside_of_0_to_1(value):
    judged = plausible.ratio(value, "gpm").value

    assert isinstance(judged, Absent) or 0 <= judged.value <= 1


@pytest.mark.parametrize(("used", "total"), [(2, 1), (-1, 1), (0, 0), (1, 2**64 - 1)])
def test_impossible_memory_is_refused(used, total):
    assert not plausible.memory(used, total)


@pytest.mark.parametrize("value", [math.nan, -1.0, math.inf, *(blank * 1e9 for blank in BLANKS)])
def test_impossible_flows_are_refused(value):
    assert not plausible.flow(value)
