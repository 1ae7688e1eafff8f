"""Each rule of the columns finds the table that breaks it, and says which row and column."""

import pytest

from reaper.domain.money.ledger import Terms
from reaper.domain.prices.rates import Kind
from reaper.reports.focus.columns import columns
from reaper.reports.focus.page import rows
from reaper.reports.focus.rules import problems
from tests.books import priced
from tests.reaper.reports.focus.test_charges import charges


@pytest.fixture(scope="module")
def row() -> dict[str, str]:
    """A row that is right."""
    found, told = charges(Terms(rates=priced("2", kind=Kind.RESERVED)))
    return dict(rows(found, told, version="1.3")[0])


def test_a_right_row_breaks_no_rule(row):
    assert problems(columns("1.3"), [row], version="1.3") == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"ServiceName": ""}, "row 1: ServiceName is null"),
        ({"EffectiveCost": ""}, "row 1: EffectiveCost is null"),
        ({"ListCost": "7"}, "row 1: ListCost is not ListUnitPrice times PricingQuantity"),
        ({"PricingQuantity": "1e3"}, "row 1: PricingQuantity '1e3' is no number"),
        ({"ChargePeriodStart": "2026-03-08 10:00"}, "is no instant in UTC"),
        ({"ChargePeriodEnd": "2026-03-01T00:00:00Z"}, "ChargePeriod ends before it begins"),
        ({"ChargePeriodEnd": "2026-05-01T00:00:00Z"}, "ChargePeriod leaves its BillingPeriod"),
        ({"ChargeCategory": "Idle"}, "ChargeCategory 'Idle' is not allowed"),
        ({"ChargeClass": "Idle"}, "ChargeClass 'Idle' is not allowed"),
        ({"BillingCurrency": "euro"}, "BillingCurrency 'euro' is no currency"),
        ({"ConsumedUnit": ""}, "ConsumedQuantity and ConsumedUnit go together"),
        ({"SubAccountType": ""}, "SubAccountId and SubAccountType go together"),
        ({"SkuPriceId": ""}, "ListUnitPrice and SkuPriceId go together"),
        ({"CommitmentDiscountStatus": ""}, "go together"),
        ({"CommitmentDiscountId": ""}, "Committed without a CommitmentDiscountId"),
        ({"Tags": "team=vision"}, "Tags is no JSON object"),
        ({"x_Unpriced": "true"}, "EffectiveCost of an unpriced hour"),
        (
            {"AllocatedMethodDetails": '{"Elements": [{"AllocatedRatio": 0.5}]}'},
            "the ratios do not add up to 1",
        ),
    ],
)
def test_what_breaks_a_rule_is_named(row, wrong: dict[str, str], says: str):
    found = problems(columns("1.3"), [{**row, **wrong}], version="1.3")

    assert [text for text in found if says in text], found


def test_a_missing_column_is_named(row):
    names = tuple(name for name in columns("1.2") if name != "BilledCost")

    assert "column BilledCost is missing" in problems(names, [row])


def test_a_foreign_column_is_named_and_ours_are_not(row):
    found = problems((*columns("1.2"), "IdleCost", "x_Anything"), [])

    assert found == ["column IdleCost is not one of 1.2"]


def test_columns_of_the_next_version_are_none_of_this_one():
    found = problems(columns("1.3"), [])

    assert "column AllocatedMethodId is not one of 1.2" in found
