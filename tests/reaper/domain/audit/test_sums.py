"""Sums are exact, however many rows come and however often they are taken together."""

from math import fsum

from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.audit.sums import HELD, Sums, condensed

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30)


@given(st.lists(NUMBERS), st.lists(NUMBERS))
def test_few_numbers_stand_for_many(values, more):
    assert fsum([*condensed(values), *more]) == fsum([*values, *more])


@given(st.lists(st.tuples(st.sampled_from("abc"), NUMBERS, NUMBERS)))
def test_the_order_and_the_parts_are_in_no_sum(rows):
    sums = Sums[str]()
    for name, *row in rows:
        sums.rows[name].append(tuple(row))
        sums.condense(HELD)

    found = sums.total(["a", "b", "absent"], 2)

    for place, total in enumerate(found, start=1):
        assert total == fsum(row[place] for row in rows if row[0] != "c")


def test_a_group_of_zeros_is_still_a_group():
    sums = Sums[str]()
    sums.rows["idle"] += [(0.0,)] * 10
    sums.condense(HELD)

    assert list(sums.rows) == ["idle"]
    assert sums.total(["idle"], 1) == (0.0,)


def test_what_is_endless_stays_so():
    assert condensed([float("inf"), 1.0]) == [float("inf")]
