"""The columns of FOCUS 1.2 that are written, those of 1.3 beside them, and our own."""

from typing import Final

VERSIONS: Final = ("1.2", "1.3")

FLOOR: Final = (
    "BilledCost",
    "BillingAccountId",
    "BillingAccountName",
    "BillingAccountType",
    "BillingCurrency",
    "BillingPeriodEnd",
    "BillingPeriodStart",
    "ChargeCategory",
    "ChargeClass",
    "ChargeDescription",
    "ChargeFrequency",
    "ChargePeriodEnd",
    "ChargePeriodStart",
    "CommitmentDiscountCategory",
    "CommitmentDiscountId",
    "CommitmentDiscountName",
    "CommitmentDiscountQuantity",
    "CommitmentDiscountStatus",
    "CommitmentDiscountType",
    "CommitmentDiscountUnit",
    "ConsumedQuantity",
    "ConsumedUnit",
    "ContractedCost",
    "ContractedUnitPrice",
    "EffectiveCost",
    "InvoiceIssuerName",
    "ListCost",
    "ListUnitPrice",
    "PricingCategory",
    "PricingQuantity",
    "PricingUnit",
    "ProviderName",
    "PublisherName",
    "RegionId",
    "RegionName",
    "ResourceId",
    "ResourceName",
    "ResourceType",
    "ServiceCategory",
    "ServiceName",
    "ServiceSubcategory",
    "SkuId",
    "SkuMeter",
    "SkuPriceId",
    "SubAccountId",
    "SubAccountName",
    "SubAccountType",
    "Tags",
)
"""Columns of 1.2."""

LATER: Final = (
    "AllocatedMethodDetails",
    "AllocatedMethodId",
    "AllocatedResourceId",
    "AllocatedResourceName",
    "AllocatedTags",
    "HostProviderName",
    "ServiceProviderName",
)
"""Columns that 1.3 adds."""

OWN: Final = (
    "x_AllocationId",
    "x_Class",
    "x_Coverage",
    "x_GpuModel",
    "x_GpuState",
    "x_RateCardHash",
    "x_Unpriced",
    "x_WastedQuantity",
)
"""Ours: FOCUS has no word for a GPU that is held and idle."""


def columns(version: str) -> tuple[str, ...]:
    """Return the columns of a version in the order in which they are written."""
    return (*FLOOR, *LATER, *OWN) if version == "1.3" else (*FLOOR, *OWN)
