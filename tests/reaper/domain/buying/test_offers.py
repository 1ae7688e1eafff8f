"""Offers of whole instances become what one GPU costs an hour."""

from decimal import Decimal

from reaper.domain.buying.offers import Offer, quotes


def offer(instance: str, price: str, gpus: int, **given: object) -> Offer:
    known = {"provider": "cloud", "region": "north", "model": "A100", "memory": Decimal(40)}
    return Offer(instance=instance, price=Decimal(price), gpus=gpus, **{**known, **given})


def test_a_price_is_divided_by_the_gpus_of_the_instance():
    assert offer("big", "32.773", 8).per_gpu == Decimal("4.096625")


def test_the_cheapest_offer_counts_and_the_range_is_told():
    (found,) = quotes([offer("one", "5.00", 1), offer("eight", "32", 8)])

    assert (found.per_gpu, found.dearest, found.offers) == (4, 5, 2)
    assert found.arithmetic() == "eight 32 / 8 GPUs; up to 5 in 2 offers"


def test_memories_and_kinds_of_purchase_are_told_apart():
    found = quotes(
        [
            offer("a", "4", 1),
            offer("b", "6", 1, memory=Decimal(80)),
            offer("a", "1", 1, spot=True),
        ]
    )

    assert [(one.memory, one.spot, one.per_gpu) for one in found] == [
        (40, False, 4),
        (40, True, 1),
        (80, False, 6),
    ]
