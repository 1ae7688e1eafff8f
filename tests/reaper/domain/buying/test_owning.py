"""What a GPU-hour costs that is bought or reserved, with arithmetic that can be checked."""

from decimal import Decimal

from reaper.domain.buying.owning import Owned, Reserved

BOUGHT = Owned(
    gpus=8,
    purchase=Decimal(120_000),
    residual=Decimal(10_000),
    years=Decimal(5),
    power=Decimal("4.2"),
    cooling=Decimal("1.3"),
    energy=Decimal("0.22"),
    people=Decimal(6_000),
)


def test_purchase_electricity_and_people_are_divided_by_the_hours_in_service():
    capital = Decimal(110_000) / (5 * 8766 * 8)
    current = Decimal("4.2") * Decimal("1.3") * Decimal("0.22") / 8
    staff = Decimal(6_000) / (8766 * 8)

    assert abs(BOUGHT.per_hour - (capital + current + staff)) < Decimal("0.000001")
    assert BOUGHT.per_hour == Decimal("0.54942")


def test_the_arithmetic_is_told():
    assert BOUGHT.arithmetic() == (
        "(120000 - 10000) / (5 y x 8766 h x 8) = 0.3137"
        " + 4.2 kW x 1.3 x 0.22 / 8 = 0.1502"
        " + 6000 / (8766 h x 8) = 0.0856"
    )


def test_what_costs_nothing_is_left_out():
    bare = Owned(gpus=1, purchase=Decimal(8766), years=Decimal(1))

    assert (bare.per_hour, bare.arithmetic()) == (1, "8766 / (1 y x 8766 h x 1) = 1.0000")


def test_a_reservation_is_paid_whether_it_is_used_or_not():
    held = Reserved(gpus=8, commitment=Decimal(140256), years=Decimal(1))

    assert (held.per_hour, held.arithmetic()) == (2, "140256 / (1 y x 8766 h x 8) = 2.0000")
