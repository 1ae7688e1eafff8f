"""Charges as rows of CSV in the columns of FOCUS."""

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from typing import Final

from reaper.domain.prices.rates import Kind, Rate
from reaper.reports.csv_page import safe
from reaper.reports.focus.charge import Charge
from reaper.reports.focus.columns import columns
from reaper.reports.week import Context
from reaper.reports.words import clean, iso

Row = Mapping[str, str]

_HOUR: Final = Decimal(3600)
_NANO: Final = Decimal("0.000000001")
_UNIT: Final = "GPU-Hours"

_CATEGORIES: Final = {
    Kind.ON_DEMAND: "Standard",
    Kind.SPOT: "Dynamic",
    Kind.RESERVED: "Committed",
    Kind.OWNED: "Other",
}


def render(
    charges: Iterable[Charge], context: Context, *, version: str = "1.2", names: bool = False
) -> str:
    """Return the charges as CSV; persons and runs go by pseudonyms unless `names` are asked."""
    paper = StringIO()
    writer = csv.DictWriter(paper, columns(version), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(charges, context, version=version, names=names))
    return paper.getvalue()


def rows(
    charges: Iterable[Charge], context: Context, *, version: str = "1.2", names: bool = False
) -> list[Row]:
    """Return a row for each charge: its columns by name, empty where FOCUS has a null."""
    known = tuple(charges)
    wanted = columns(version)
    people = _pseudonyms((one.run.key.owner for one in known), "owner")
    runs = _pseudonyms((one.run.run.key for one in known), "allocation")
    found: list[Row] = []
    for charge in known:
        owner, run = charge.run.key.owner, charge.run.run.key
        row = _row(charge, context, owner if names else people[owner], run if names else runs[run])
        found.append({name: safe(row.get(name, "")) for name in wanted})
    return found


def _pseudonyms(names: Iterable[str], word: str) -> Mapping[str, str]:
    known = dict.fromkeys(names)
    return {name: f"{word} {number}" for number, name in enumerate(known, start=1)}


def _row(charge: Charge, context: Context, owner: str, run: str) -> Row:
    quantity = (Decimal(charge.seconds) / _HOUR).quantize(_NANO)
    return {
        **_account(context),
        **_when(charge),
        **_what(charge, context, owner, run),
        **_price(charge.rate, quantity),
        **_commitment(charge.rate, quantity),
        **_ours(charge, context, run),
        **_allocated(charge, owner, run, quantity),
    }


def _account(context: Context) -> Row:
    name = clean(context.cluster)
    return {
        "BillingAccountId": name,
        "BillingAccountName": name,
        "BillingAccountType": "GPU cluster",
        "InvoiceIssuerName": name,
        "ProviderName": name,
        "PublisherName": name,
        "ServiceProviderName": name,
        "HostProviderName": name,
    }


def _when(charge: Charge) -> Row:
    month = datetime.fromtimestamp(charge.begin, UTC).replace(day=1, hour=0, minute=0, second=0)
    following = (
        month.replace(year=month.year + 1, month=1)
        if month.month == 12
        else month.replace(month=month.month + 1)
    )
    return {
        "BillingPeriodStart": iso(month.replace(microsecond=0).timestamp()),
        "BillingPeriodEnd": iso(following.replace(microsecond=0).timestamp()),
        "ChargePeriodStart": iso(charge.begin),
        "ChargePeriodEnd": iso(charge.end),
    }


def _what(charge: Charge, context: Context, owner: str, run: str) -> Row:
    key = charge.run.key
    team = clean(key.team)
    tags = {"class": key.purpose, "owner": owner, "partition": key.partition, "team": key.team}
    return {
        "ChargeCategory": "Usage",
        "ChargeClass": "",
        "ChargeDescription": f"{clean(key.model) or 'GPU'} {charge.state} for {clean(run)}",
        "ChargeFrequency": "Usage-Based",
        "RegionId": clean(key.site),
        "RegionName": clean(key.site),
        "ResourceId": charge.device or "unknown",
        "ResourceName": clean(key.model) or "unknown model",
        "ResourceType": "GPU",
        "ServiceCategory": "Compute",
        "ServiceName": f"GPUs of {clean(context.cluster)}",
        "ServiceSubcategory": "Other (Compute)",
        "SubAccountId": team,
        "SubAccountName": team,
        "SubAccountType": "team" if team else "",
        "Tags": json.dumps({name: text for name, text in tags.items() if text}, sort_keys=True),
    }


def _price(rate: Rate | None, quantity: Decimal) -> Row:
    used = {
        "PricingQuantity": _number(quantity),
        "PricingUnit": _UNIT,
        "ConsumedQuantity": _number(quantity),
        "ConsumedUnit": _UNIT,
    }
    if rate is None:
        return {**used, "BillingCurrency": "XXX", "x_Unpriced": "true"}
    cost = _number(rate.amount * quantity)
    return {
        **used,
        "BilledCost": "0",
        "BillingCurrency": rate.currency,
        "ContractedCost": cost,
        "ContractedUnitPrice": _number(rate.amount),
        "EffectiveCost": cost,
        "ListCost": cost,
        "ListUnitPrice": _number(rate.amount),
        "PricingCategory": _CATEGORIES[rate.kind],
        "SkuId": f"GPU {rate.model}",
        "SkuMeter": "GPU time",
        "SkuPriceId": _rate_id(rate),
        "x_Unpriced": "false",
    }


def _commitment(rate: Rate | None, quantity: Decimal) -> Row:
    """Return the columns of a commitment: what is reserved is used by whoever holds it."""
    if rate is None or rate.kind is not Kind.RESERVED:
        return {}
    return {
        "CommitmentDiscountCategory": "Usage",
        "CommitmentDiscountId": _rate_id(rate),
        "CommitmentDiscountName": clean(rate.note) or str(rate),
        "CommitmentDiscountQuantity": _number(quantity),
        "CommitmentDiscountStatus": "Used",
        "CommitmentDiscountType": "Reserved",
        "CommitmentDiscountUnit": _UNIT,
    }


def _ours(charge: Charge, context: Context, run: str) -> Row:
    coverage = charge.run.figures.coverage
    rates = context.terms.rates
    return {
        "x_GpuState": charge.state,
        "x_GpuModel": clean(charge.run.key.model),
        "x_Class": charge.run.key.purpose,
        "x_Coverage": "" if coverage is None else f"{coverage:.6f}",
        "x_WastedQuantity": _number((Decimal(charge.wasted) / _HOUR).quantize(_NANO)),
        "x_RateCardHash": rates.version if rates.rates else "",
        "x_AllocationId": clean(run),
    }


def _allocated(charge: Charge, owner: str, run: str, quantity: Decimal) -> Row:
    """Return the columns of 1.3: one element, for a row is one allocation's alone."""
    element = {"AllocatedRatio": 1, "UsageQuantity": float(quantity), "UsageUnit": _UNIT}
    tags = {"owner": owner, "team": charge.run.key.team}
    return {
        "AllocatedMethodId": "gpu-seconds held",
        "AllocatedMethodDetails": json.dumps({"Elements": [element]}, sort_keys=True),
        "AllocatedResourceId": clean(run),
        "AllocatedResourceName": clean(run),
        "AllocatedTags": json.dumps({name: text for name, text in tags.items() if text}),
    }


def _rate_id(rate: Rate) -> str:
    return hashlib.sha256(repr(rate).encode()).hexdigest()[:12]


def _number(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
