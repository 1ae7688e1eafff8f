"""
The columns' rules of FOCUS, as far as a table of usage can break them: what is wrong, row by row.

One departure is deliberate and marked in `x_Unpriced`: an hour without a price has no costs,
where FOCUS wants a number; zero would be a lie.  Its currency is ISO 4217's "no currency".
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from reaper.reports.focus.columns import columns

Row = Mapping[str, str]

MANDATORY: Final = (
    "BilledCost", "BillingAccountId", "BillingAccountName", "BillingCurrency", "BillingPeriodEnd",
    "BillingPeriodStart", "ChargeCategory", "ChargeClass", "ChargeDescription", "ChargePeriodEnd",
    "ChargePeriodStart", "ContractedCost", "EffectiveCost", "InvoiceIssuerName", "ListCost",
    "PricingQuantity", "PricingUnit", "ProviderName", "PublisherName", "ServiceCategory",
    "ServiceName",
)  # fmt: skip
"""Columns that every table must have."""

NEVER_NULL: Final = tuple(name for name in MANDATORY if name != "ChargeClass")

COSTS: Final = ("BilledCost", "ContractedCost", "EffectiveCost", "ListCost")
PRICES: Final = {"ContractedCost": "ContractedUnitPrice", "ListCost": "ListUnitPrice"}
NUMBERS: Final = (
    *COSTS, *PRICES.values(), "PricingQuantity", "ConsumedQuantity", "CommitmentDiscountQuantity",
    "x_Coverage", "x_WastedQuantity",
)  # fmt: skip
INSTANTS: Final = (
    "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd",
)  # fmt: skip
WORDS: Final[Mapping[str, frozenset[str]]] = {
    "ChargeCategory": frozenset(("Usage", "Purchase", "Tax", "Credit", "Adjustment")),
    "ChargeClass": frozenset(("", "Correction")),
    "ChargeFrequency": frozenset(("", "One-Time", "Recurring", "Usage-Based")),
    "CommitmentDiscountCategory": frozenset(("", "Spend", "Usage")),
    "CommitmentDiscountStatus": frozenset(("", "Used", "Unused")),
    "PricingCategory": frozenset(("", "Standard", "Dynamic", "Committed", "Other")),
    "ServiceCategory": frozenset(("AI and Machine Learning", "Compute")),
    "x_Unpriced": frozenset(("true", "false")),
}
OBJECTS: Final = ("Tags", "AllocatedTags", "AllocatedMethodDetails")
TOGETHER: Final = (
    ("ConsumedQuantity", "ConsumedUnit"),
    ("SubAccountId", "SubAccountType"),
    ("ListUnitPrice", "SkuPriceId"),
    ("ContractedUnitPrice", "SkuPriceId"),
    ("SkuPriceId", "SkuId"),
    ("CommitmentDiscountId", "CommitmentDiscountStatus"),
    ("CommitmentDiscountId", "CommitmentDiscountCategory"),
    ("CommitmentDiscountQuantity", "CommitmentDiscountUnit"),
    ("AllocatedResourceId", "AllocatedMethodId"),
)
"""Columns of which either both have a value or none."""

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_NAME = re.compile(r"(x_)?[A-Z][A-Za-z]*")


def problems(names: Sequence[str], rows: Iterable[Row], *, version: str = "1.2") -> list[str]:
    """Return what is wrong with a table: its columns first, then row by row (from 1)."""
    found = [*_of_columns(names, version)]
    for number, row in enumerate(rows, start=1):
        found += [f"row {number}: {what}" for rule in _RULES for what in rule(row)]
    return found


def _of_columns(names: Sequence[str], version: str) -> Iterator[str]:
    yield from (f"column {name} is missing" for name in MANDATORY if name not in names)
    yield from (f"column {name} is no name" for name in names if not _NAME.fullmatch(name))
    known = columns(version)
    for name in names:
        if name not in known and not name.startswith("x_"):
            yield f"column {name} is not one of {version}"
    if len(set(names)) < len(names):
        yield "a column stands twice"


def _nulls(row: Row) -> Iterator[str]:
    bare = row.get("x_Unpriced") == "true"
    for name in NEVER_NULL:
        if not row.get(name) and not (bare and name in COSTS):
            yield f"{name} is null"
    if bare:
        yield from (f"{name} of an unpriced hour" for name in COSTS if row.get(name))


def _numbers(row: Row) -> Iterator[str]:
    for name in NUMBERS:
        if row.get(name) and not _NUMBER.fullmatch(row[name]):
            yield f"{name} {row[name]!r} is no number"


def _instants(row: Row) -> Iterator[str]:
    for name in INSTANTS:
        if not _INSTANT.fullmatch(row.get(name, "")):
            yield f"{name} {row.get(name)!r} is no instant in UTC"
            return
    billed, charged = _span(row, "BillingPeriod"), _span(row, "ChargePeriod")
    for name, (begin, end) in (("BillingPeriod", billed), ("ChargePeriod", charged)):
        if begin >= end:
            yield f"{name} ends before it begins"
    if not (billed[0] <= charged[0] and charged[1] <= billed[1]):
        yield "ChargePeriod leaves its BillingPeriod"


def _span(row: Row, name: str) -> tuple[datetime, datetime]:
    begin, end = (datetime.fromisoformat(row[f"{name}{edge}"]) for edge in ("Start", "End"))
    return begin, end


def _words(row: Row) -> Iterator[str]:
    for name, allowed in WORDS.items():
        if row.get(name, "") not in allowed:
            yield f"{name} {row.get(name)!r} is not allowed"
    if not _CURRENCY.fullmatch(row.get("BillingCurrency", "")):
        yield f"BillingCurrency {row.get('BillingCurrency')!r} is no currency"


def _products(row: Row) -> Iterator[str]:
    """Yield costs that are not quantity times unit price."""
    for cost, price in PRICES.items():
        try:
            given = Decimal(row[cost]) - Decimal(row[price]) * Decimal(row["PricingQuantity"])
        except (InvalidOperation, KeyError):
            continue
        if given:
            yield f"{cost} is not {price} times PricingQuantity"


def _pairs(row: Row) -> Iterator[str]:
    for one, other in TOGETHER:
        if bool(row.get(one)) != bool(row.get(other)):
            yield f"{one} and {other} go together"
    if row.get("PricingCategory") == "Committed" and not row.get("CommitmentDiscountId"):
        yield "PricingCategory is Committed without a CommitmentDiscountId"


def _objects(row: Row) -> Iterator[str]:
    for name in OBJECTS:
        if not row.get(name):
            continue
        try:
            content = json.loads(row[name])
        except ValueError:
            content = None
        if not isinstance(content, dict):
            yield f"{name} is no JSON object"
        elif name == "AllocatedMethodDetails":
            yield from _ratios(content)


def _ratios(details: Mapping[str, object]) -> Iterator[str]:
    elements = details.get("Elements")
    known = elements if isinstance(elements, list) else []
    if abs(sum(float(one["AllocatedRatio"]) for one in known) - 1) > 1e-9:
        yield "AllocatedMethodDetails: the ratios do not add up to 1"


_RULES: Final[tuple[Callable[[Row], Iterator[str]], ...]] = (
    _nulls,
    _numbers,
    _instants,
    _words,
    _products,
    _pairs,
    _objects,
)
