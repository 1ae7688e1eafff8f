"""Money by currency; sums stay exact and never mix currencies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """Unrounded amounts by ISO 4217 currency; adds with ``+``, never converts."""

    by_currency: Mapping[str, Decimal] = field(default_factory=dict)

    def __add__(self, other: "Amounts") -> "Amounts":
        if not other.by_currency:
            return self
        if not self.by_currency:
            return other
        names = sorted({*self.by_currency, *other.by_currency})
        return Amounts(by_currency={name: self.of(name) + other.of(name) for name in names})

    def of(self, currency: str) -> Decimal:
        """Return the amount in a currency; zero where there is none."""
        return self.by_currency.get(currency, Decimal(0))

    @property
    def currencies(self) -> tuple[str, ...]:
        """Return its currencies in order."""
        return tuple(sorted(self.by_currency))


NOTHING = Amounts()


def added(amounts: Iterable[Amounts]) -> Amounts:
    """Return the sum of amounts, in one pass."""
    sums: dict[str, Decimal] = {}
    for one in amounts:
        for currency, amount in one.by_currency.items():
            known = sums.get(currency)
            sums[currency] = amount if known is None else known + amount
    return Amounts(by_currency=dict(sorted(sums.items()))) if sums else NOTHING
