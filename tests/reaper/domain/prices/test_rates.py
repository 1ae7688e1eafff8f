"""The most specific rule sets the price; contradictions are mistakes; no rule is no price."""

from decimal import Decimal

import pytest

from reaper.domain.prices.globs import alike
from reaper.domain.prices.rates import Rate, RateCard, RateError, Subject
from tests.books import HOUR, at

MARCH = at("2026-03-01 00:00")
H100 = Subject(model="NVIDIA H100 80GB HBM3", site="north", partition="gpu", labels=("rack=a",))


def rate(amount: str, **fields: object) -> Rate:
    return Rate(amount=Decimal(amount), currency="EUR", **fields)


def price(*rates: Rate, subject: Subject = H100, when: float = MARCH) -> Decimal | None:
    found = RateCard(rates=rates).price(subject, when)
    return found.amount if found else None


def test_no_rule_is_no_price():
    assert price(rate("2", model="*A100*")) is None


def test_patterns_ignore_case():
    assert price(rate("3", model="*h100*")) == 3


@pytest.mark.parametrize(
    "specific",
    [
        pytest.param({"model": "*H100*", "site": "north"}, id="more keys"),
        pytest.param({"model": "NVIDIA H100 80GB HBM3"}, id="exact before pattern"),
        pytest.param({"model": "*H100*", "labels": ("rack=a",)}, id="a label is a key"),
        pytest.param({"model": "*H100*", "partition": "g*"}, id="a partition is a key"),
    ],
)
def test_the_more_specific_rule_wins_in_any_order(specific: dict[str, object]):
    general = rate("2", model="*H100*")

    assert price(general, rate("9", **specific)) == 9
    assert price(rate("9", **specific), general) == 9


def test_every_label_must_fit():
    assert price(rate("2", labels=("rack=a", "row=1"))) is None


def test_a_rule_holds_from_its_begin_until_before_its_end():
    rates = (rate("2", end=MARCH), rate("3", begin=MARCH, end=MARCH + HOUR))

    assert price(*rates, when=MARCH - 1) == 2
    assert price(*rates, when=MARCH) == 3
    assert price(*rates, when=MARCH + HOUR) is None


def test_a_change_of_price_cuts_a_span():
    card = RateCard(rates=(rate("2", end=MARCH), rate("3", begin=MARCH)))

    pieces = card.pieces(H100, MARCH - HOUR, MARCH + HOUR)

    assert [(piece.begin, piece.end) for piece in pieces] == [
        (MARCH - HOUR, MARCH),
        (MARCH, MARCH + HOUR),
    ]
    assert [piece.rate.amount for piece in pieces if piece.rate] == [2, 3]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({}, {}, id="both for everything"),
        pytest.param({"model": "*H100*"}, {"model": "*H100 80GB*"}, id="one pattern in another"),
        pytest.param({"model": "*H100*"}, {"site": "n*"}, id="different keys"),
        pytest.param({"labels": ("rack=a",)}, {"labels": ("row=1",)}, id="different labels"),
        pytest.param({"end": MARCH + 1}, {"begin": MARCH}, id="dates overlap by a second"),
    ],
)
def test_equally_specific_rules_that_could_meet_are_a_mistake(
    one: dict[str, object], other: dict[str, object]
):
    with pytest.raises(RateError, match="equally specific"):
        RateCard(rates=(rate("2", **one), rate("3", **other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"model": "*H100*"}, {"model": "*A100*"}, id="different models"),
        pytest.param({"end": MARCH}, {"begin": MARCH}, id="dates that touch"),
        pytest.param({"labels": ("rack=a",)}, {"labels": ("rack=b",)}, id="values of one label"),
        pytest.param({"model": "*H100*"}, {"model": "X*H100*", "site": "n*"}, id="ranks differ"),
    ],
)
def test_rules_that_never_meet_stand_beside_each_other(
    one: dict[str, object], other: dict[str, object]
):
    assert len(RateCard(rates=(rate("2", **one), rate("3", **other))).rates) == 2


def test_every_mistake_of_a_card_is_named_at_once():
    with pytest.raises(RateError) as caught:
        RateCard(rates=(rate("-1"), rate("2", model="a", begin=MARCH, end=MARCH), rate("3")))

    assert len(caught.value.problems) == 3


def test_the_version_follows_what_sets_a_price_and_not_the_order():
    one, other = rate("2", model="a"), rate("3", model="b")

    assert RateCard(rates=(one, other)).version == RateCard(rates=(other, one)).version
    assert RateCard(rates=(one,)).version != RateCard(rates=(other,)).version


def test_rules_that_meet_on_a_gpu_leave_it_unpriced():
    card = RateCard(rates=(rate("2", model="*H100*"), rate("3", model="NVIDIA*")))

    assert card.price(H100, MARCH) is None
    assert len(card.fitting(H100, MARCH)) == 2
    assert card.price(Subject(model="NVIDIA A100"), MARCH) is not None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("*", "", True),
        ("gpu*", "gpu1*", True),
        ("gpu*", "cpu*", False),
        ("gpu?", "gpu[0-9]", True),
        ("gpu?", "gpu", False),
        ("*a100*", "*h100*", False),
        ("A100", "a100", True),
    ],
)
def test_patterns_are_alike_where_one_plainly_fits_the_other(one: str, other: str, expected: bool):
    assert alike(one, other) is expected
    assert alike(other, one) is expected
