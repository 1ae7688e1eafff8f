"""
Offers of a catalogue of clouds, brought down to what one GPU costs an hour.

An offer is a whole instance: its processors, memory and network are in the price, divided by its
GPUs.  Of several instances with the same GPU the cheapest a GPU counts, and the range is told.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from reaper.domain.buying.owning import rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One instance in one region: `price` an hour for all its `gpus`, `memory` GiB of each."""

    provider: str
    instance: str
    region: str
    price: Decimal
    gpus: int
    model: str
    memory: Decimal | None = None
    spot: bool = False

    @property
    def per_gpu(self) -> Decimal:
        """Return what one of its GPUs costs an hour."""
        return rounded(self.price / self.gpus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """What a GPU of one model costs an hour: the cheapest offer, and the range of all."""

    model: str
    memory: Decimal | None
    spot: bool
    cheapest: Offer
    dearest: Decimal
    offers: int

    @property
    def per_gpu(self) -> Decimal:
        """Return what a GPU-hour costs."""
        return self.cheapest.per_gpu

    def arithmetic(self) -> str:
        """Return how the amount comes about."""
        one = self.cheapest
        text = f"{one.instance} {one.price:f} / {one.gpus} GPUs"
        if self.dearest > self.per_gpu:
            text += f"; up to {self.dearest:f} in {self.offers} offers"
        return text


def quotes(offers: Iterable[Offer]) -> tuple[Quote, ...]:
    """Return a quote for each model, memory and kind of purchase, in their order."""
    groups: dict[tuple[str, Decimal, bool], list[Offer]] = defaultdict(list)
    for offer in offers:
        groups[offer.model, offer.memory or Decimal(0), offer.spot].append(offer)
    return tuple(
        Quote(
            model=model,
            memory=memory or None,
            spot=spot,
            cheapest=min(found, key=lambda one: (one.per_gpu, one.gpus, one.instance)),
            dearest=max(one.per_gpu for one in found),
            offers=len(found),
        )
        for (model, memory, spot), found in sorted(groups.items())
    )
