"""How figures are written for people: hours, shares, money, instants, names."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from reaper.domain.prices.amounts import Amounts

#: What stands where there is nothing to say.
NOTHING: Final = "–"

HOUR: Final = 3600.0

_CENT: Final = Decimal("0.01")


def hours(seconds: float, digits: int = 1) -> str:
    """Return device-seconds as GPU-hours: "1,234.5"."""
    return f"{_unsigned(round(seconds / HOUR, digits)):,.{digits}f}"


def percent(ratio: float | None) -> str:
    """Return a ratio as a percentage that says 0 % and 100 % only when that is exact."""
    if ratio is None:
        return NOTHING
    if 0 < ratio < 0.005:
        return "< 1 %"
    if 0.995 <= ratio < 1:
        return "> 99 %"
    return f"{100 * ratio:.0f} %"


def part(of: float, whole: float) -> float | None:
    """Return a share of a whole; None where there is no whole."""
    return of / whole if whole else None


def euros(amount: Decimal) -> Decimal:
    """Return an amount rounded to the hundredth of its currency, halves up."""
    return amount.quantize(_CENT, ROUND_HALF_UP)


def money(amounts: Amounts) -> str:
    """Return amounts by currency: "155.83 EUR"; a dash where nothing was priced."""
    written = [f"{euros(amounts.of(name)):,} {name}" for name in amounts.currencies]
    return " + ".join(written) or NOTHING


def money_range(low: Amounts, high: Amounts) -> str:
    """Return two amounts as a range: "155.83–165.83 EUR"; one number where both are the same."""
    written = []
    for name in sorted({*low.currencies, *high.currencies}):
        one, other = euros(low.of(name)), euros(high.of(name))
        written.append(f"{one:,} {name}" if one == other else f"{one:,}–{other:,} {name}")
    return " + ".join(written) or NOTHING


def stamp(at: float, zone: tzinfo) -> str:
    """Return a day and an hour with its zone's short name."""
    return f"{datetime.fromtimestamp(at, zone):%a %Y-%m-%d %H:%M %Z}"


def iso(at: float) -> str:
    """Return an instant as machines read it, to the second."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def clean(text: str) -> str:
    """Return a name from outside on one line, without control characters."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def model(name: str) -> str:
    """Return a GPU's model without its vendor, on one line."""
    return clean(name).removeprefix("NVIDIA ").removeprefix("Tesla ")


def counted(groups: Mapping[str, int]) -> str:
    """Return what happened how often: "3 warnings, 1 release"."""
    return ", ".join(f"{number} × {name}" for name, number in groups.items())


def _unsigned(value: float) -> float:
    return value + 0.0 if value else 0.0
