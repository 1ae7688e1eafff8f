"""
What a GPU-hour costs that nobody sells by the hour: bought and run, or reserved for a term.

Divided by the hours of the calendar in which the GPUs are in service, never by the hours used: low
use must not make them dear.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

HOURS_A_YEAR: Final = Decimal(8766)
"""365.25 days."""

#: Amounts derived here are exact to a millionth of the currency.
_MILLIONTH: Final = Decimal("0.000001")
_CENT: Final = Decimal("0.0001")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """
    Some GPUs with the nodes around them, bought once and run for years; amounts in one currency.

    `power` is the mean draw of all of it in kW, `cooling` the factor by which the building's draw
    exceeds it (PUE), `energy` the price of a kWh, `people` what support, space and staff cost a
    year.
    """

    gpus: int
    purchase: Decimal
    residual: Decimal = Decimal(0)
    years: Decimal = Decimal(5)
    power: Decimal = Decimal(0)
    cooling: Decimal = Decimal(1)
    energy: Decimal = Decimal(0)
    people: Decimal = Decimal(0)

    @property
    def capital(self) -> Decimal:
        """Return what the purchase costs a GPU-hour."""
        return (self.purchase - self.residual) / (self.years * HOURS_A_YEAR * self.gpus)

    @property
    def current(self) -> Decimal:
        """Return what electricity costs a GPU-hour."""
        return self.power * self.cooling * self.energy / self.gpus

    @property
    def staff(self) -> Decimal:
        """Return what people cost a GPU-hour."""
        return self.people / (HOURS_A_YEAR * self.gpus)

    @property
    def per_hour(self) -> Decimal:
        """Return what a GPU-hour costs."""
        return rounded(self.capital + self.current + self.staff)

    def arithmetic(self) -> str:
        """Return how the amount comes about, to be checked with a pocket calculator."""
        hours = f"({self.years:f} y x 8766 h x {self.gpus})"
        value = (
            f"({self.purchase:f} - {self.residual:f})" if self.residual else f"{self.purchase:f}"
        )
        parts = [f"{value} / {hours} = {short(self.capital)}"]
        if self.current:
            parts.append(
                f"{self.power:f} kW x {self.cooling:f} x {self.energy:f} / {self.gpus}"
                f" = {short(self.current)}"
            )
        if self.staff:
            parts.append(f"{self.people:f} / (8766 h x {self.gpus}) = {short(self.staff)}")
        return " + ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """Some GPUs reserved for a term, paid whether they are used or not."""

    gpus: int
    commitment: Decimal
    years: Decimal = Decimal(1)

    @property
    def per_hour(self) -> Decimal:
        """Return what a GPU-hour costs."""
        return rounded(self.commitment / (self.years * HOURS_A_YEAR * self.gpus))

    def arithmetic(self) -> str:
        """Return how the amount comes about."""
        hours = f"({self.years:f} y x 8766 h x {self.gpus})"
        return f"{self.commitment:f} / {hours} = {short(self.per_hour)}"


def rounded(amount: Decimal) -> Decimal:
    """Return an amount to a millionth, without trailing zeros."""
    written = f"{amount.quantize(_MILLIONTH, ROUND_HALF_UP):f}"
    return Decimal(written.rstrip("0").rstrip("."))


def short(amount: Decimal) -> str:
    """Return an amount as arithmetic shows it: four places."""
    return f"{amount.quantize(_CENT, ROUND_HALF_UP):f}"
