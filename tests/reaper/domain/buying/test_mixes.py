"""Demand becomes a curve, and each mix of owned and rented GPUs its cost."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reaper.domain.buying.mixes import (
    Curve,
    Prices,
    cheapest,
    hourly,
    mix,
    offered,
    plan,
    waited,
)
from reaper.domain.money.entries import DemandPoint
from reaper.domain.prices.rates import Kind, Rate
from tests.books import HOUR, MODEL, tenure_of

PRICES = Prices(own=Decimal(1), rent=Decimal(4), currency="EUR")


def curve(*hours: float) -> Curve:
    return Curve(model=MODEL, hours=tuple(map(float, hours)))


# ------------------------------------------------------------------ demand


def test_what_was_held_is_cut_into_hours():
    held = [
        tenure_of("1", "a", 0.0, 2 * HOUR),
        tenure_of("2", "b", 1.5 * HOUR, None),
        tenure_of("3", "c", -HOUR, 0.25 * HOUR),
    ]

    assert hourly(held, (0.0, 4 * HOUR))[MODEL].hours == (1.25, 1.5, 1.0, 1.0)


def test_a_part_of_a_card_is_a_part():
    held = [tenure_of("1", "a", 0.0, HOUR, share=3 / 7, size=3 / 7)]

    assert hourly(held, (0.0, HOUR))[MODEL].hours == (pytest.approx(3 / 7),)


def test_models_have_curves_of_their_own():
    held = [tenure_of("1", "a", 0.0, HOUR), tenure_of("2", "b", 0.0, HOUR, model="H100")]

    assert set(hourly(held, (0.0, HOUR))) == {MODEL, "H100"}


def test_the_rest_of_an_hour_is_left_out():
    assert hourly([tenure_of("1", "a", 0.0, None)], (0.0, 1.9 * HOUR))[MODEL].hours == (1.0,)


def test_requests_that_waited_are_counted_in_gpu_hours():
    demand = [DemandPoint(minute=minute, gpus=4) for minute in range(90)]

    assert waited(demand, (0.0, HOUR)) == pytest.approx(4)


spans = st.lists(st.tuples(st.floats(-5, 30), st.floats(0.01, 20), st.floats(0.1, 1)), max_size=12)


@given(spans)
def test_the_curve_holds_exactly_what_was_held(drawn):
    held = [
        tenure_of(str(n), str(n), begin * HOUR, (begin + length) * HOUR, share=share)
        for n, (begin, length, share) in enumerate(drawn)
    ]
    found = hourly(held, (0.0, 24 * HOUR))
    expected = sum(
        max(0.0, min(begin + length, 24) - max(begin, 0)) * share for begin, length, share in drawn
    )

    assert sum(one.total for one in found.values()) == pytest.approx(expected, abs=1e-6)


# ------------------------------------------------------------------ mixes


def test_a_mix_costs_its_own_always_and_rented_ones_when_used():
    found = mix("x", 2, curve(1, 2, 5), PRICES)

    assert (found.rented, found.idle) == (3, 1)
    assert found.cost == 2 * 3 * 1 + 3 * 4
    assert found.share_used == pytest.approx(5 / 6)


def test_the_break_even_is_the_price_of_ones_own_by_that_of_a_rented_one():
    assert Decimal("0.25") == PRICES.break_even


def test_the_cheapest_mix_owns_what_is_used_more_than_the_break_even():
    hours = [8] * 24 + [2] * 76
    found = plan(curve(*hours), PRICES)

    assert found.best.owned == 2
    assert found.best.cost == 2 * 100 * 1 + 6 * 24 * 4


def test_one_more_hour_of_use_and_it_pays_to_own_all():
    assert plan(curve(*([8] * 26 + [2] * 74)), PRICES).best.owned == 8


def test_owning_dearer_than_renting_is_never_worth_it():
    dear = Prices(own=Decimal(5), rent=Decimal(4), currency="EUR")

    assert plan(curve(*([8] * 100)), dear).best.owned == 0


def test_base_and_peaks_are_named():
    hours = [*range(1, 101)]
    found = {one.name: one.owned for one in plan(curve(*hours), PRICES, installed=60).mixes}

    assert found == {
        "all rented": 0,
        "steady base": 6,
        "mean": 50,
        "as installed": 60,
        "cheapest": 75,
        "common peak": 95,
        "all owned": 100,
    }


def test_mixes_of_one_size_are_one():
    found = plan(curve(*([4] * 10)), PRICES).mixes

    assert [(one.owned, one.name) for one in found] == [
        (0, "all rented"),
        (4, "steady base, cheapest, mean, common peak, all owned"),
    ]


def test_without_any_demand_nothing_is_owned():
    found = plan(curve(0, 0), PRICES)

    assert (found.best.owned, found.best.cost) == (0, 0)


@given(
    st.lists(st.floats(0, 40), min_size=1, max_size=60),
    st.integers(1, 100),
    st.integers(1, 100),
)
def test_no_other_mix_is_cheaper(hours, own, rent):
    prices = Prices(own=Decimal(own), rent=Decimal(rent), currency="EUR")
    drawn = curve(*hours)
    found = plan(drawn, prices).best

    costs = [mix("", owned, drawn, prices).cost for owned in range(42)]
    assert found.cost <= min(costs) + Decimal("0.0001")


# ------------------------------------------------------------------ prices


def rate(amount: str, kind: Kind, **given: object) -> Rate:
    return Rate(amount=Decimal(amount), currency="EUR", kind=kind, **given)


def test_the_cheapest_of_each_kind_is_compared_whatever_its_site():
    rates = [
        rate("0.60", Kind.OWNED, site="north"),
        rate("0.50", Kind.RESERVED, labels=("rack=3",), note="contract 12"),
        rate("3.00", Kind.ON_DEMAND, site="cloud"),
        rate("1.00", Kind.SPOT),
        rate("0.10", Kind.ON_DEMAND, model="H100"),
    ]
    found = cheapest(offered(rates, MODEL, 0.0))

    assert (found.own, found.rent, found.currency) == (Decimal("0.50"), 3, "EUR")
    assert found.own_why == "reserved, 0.50 EUR for rack=3: contract 12"


def test_spot_prices_count_when_they_are_asked_for():
    rates = [rate("1", Kind.OWNED), rate("3", Kind.ON_DEMAND), rate("2", Kind.SPOT)]

    assert cheapest(offered(rates, MODEL, 0.0, spot=True)).rent == 2


def test_rules_that_no_longer_hold_are_no_prices():
    rates = [rate("1", Kind.OWNED), rate("3", Kind.ON_DEMAND, end=100.0)]

    assert cheapest(offered(rates, MODEL, 200.0)) == "no price of rented GPUs"


def test_what_has_no_price_is_said():
    assert cheapest([]) == "no price of owned or reserved GPUs and no price of rented GPUs"


def test_currencies_are_never_converted():
    other = Rate(amount=Decimal(3), currency="USD", kind=Kind.ON_DEMAND)

    assert (
        cheapest([rate("1", Kind.OWNED), other])
        == "prices in EUR and USD, and nothing is converted"
    )
