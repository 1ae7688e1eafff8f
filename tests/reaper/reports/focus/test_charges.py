"""Charges are hours by run, device, day and state, each at the one price that it had."""

import csv
import json
from dataclasses import replace
from decimal import Decimal
from io import StringIO

import pytest

from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.prices.rates import Kind, Rate, RateCard
from reaper.reports.focus.charge import Charge, charged
from reaper.reports.focus.columns import VERSIONS, columns
from reaper.reports.focus.page import render, rows
from reaper.reports.focus.rules import problems
from reaper.reports.week import Context
from tests.books import HOUR, TEN, priced, room, tenure_of, track_of
from tests.reports import context

MIDNIGHT = TEN + 14 * HOUR


def ledger(**fields: object) -> Ledger:
    """One job from 22:00 to 02:00, half of it idle."""
    begin = MIDNIGHT - 2 * HOUR
    return Ledger(
        tenures=(tenure_of("1", "GPU-0", begin, MIDNIGHT + 2 * HOUR, **fields),),
        tracks={"GPU-0": track_of(begin, "A" * 60 + "H" * 120 + "?" * 60)},
        capacity=(room(1, TEN),),
    )


def charges(terms: Terms, **fields: object) -> tuple[tuple[Charge, ...], Context]:
    told = context(terms)
    end = MIDNIGHT + 4 * HOUR
    return charged(ledger(**fields), told, (TEN, end), end), told


def hours(found: tuple[Charge, ...]) -> list[tuple[str, float, float]]:
    return [
        (one.state, (one.begin - MIDNIGHT) / HOUR, round(one.seconds / HOUR, 6)) for one in found
    ]


def written(terms: Terms, version: str = "1.2", **fields: object) -> list[dict[str, str]]:
    found, told = charges(terms, **fields)
    return list(csv.DictReader(StringIO(render(found, told, version=version))))


def test_states_of_a_run_are_cut_at_midnight_utc():
    found, _ = charges(Terms())

    assert hours(found) == [
        ("active", -14, 1),
        ("idle", -14, 1),
        ("idle", 0, 1),
        ("unknown", 0, 1),
    ]


def test_waste_is_told_beside_idle():
    found, _ = charges(Terms())

    assert [one.wasted / HOUR for one in found] == [0, 1, 1, 0]


def test_a_price_change_cuts_a_day():
    change = MIDNIGHT - HOUR
    rates = RateCard(
        rates=(
            Rate(amount=Decimal(2), currency="EUR", end=change),
            Rate(amount=Decimal(3), currency="USD", begin=change),
        )
    )
    found = written(Terms(rates=rates))

    assert [(row["BillingCurrency"], row["EffectiveCost"]) for row in found] == [
        ("EUR", "2"),
        ("USD", "3"),
        ("USD", "3"),
        ("USD", "3"),
    ]


def test_an_hour_without_a_price_has_no_cost_and_is_not_lost():
    found = written(Terms())

    assert {row["EffectiveCost"] for row in found} == {""}
    assert {row["x_Unpriced"] for row in found} == {"true"}
    assert sum(float(row["PricingQuantity"]) for row in found) == 4


def test_what_was_billed_is_on_another_invoice():
    assert {row["BilledCost"] for row in written(Terms(rates=priced("2")))} == {"0"}


@pytest.mark.parametrize(
    ("kind", "category"),
    [
        (Kind.ON_DEMAND, "Standard"),
        (Kind.SPOT, "Dynamic"),
        (Kind.RESERVED, "Committed"),
        (Kind.OWNED, "Other"),
    ],
)
@pytest.mark.parametrize("version", VERSIONS)
def test_every_kind_of_price_keeps_the_rules(kind: Kind, category: str, version: str):
    found = written(Terms(rates=priced("2.50", kind=kind)), version)

    assert {row["PricingCategory"] for row in found} == {category}
    assert problems(columns(version), found, version=version) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_unpriced_hours_keep_the_rules_but_for_their_costs(version: str):
    assert problems(columns(version), written(Terms(), version), version=version) == []


def test_persons_and_runs_go_by_pseudonyms_unless_named():
    found, told = charges(Terms(), owner="mira")
    (hidden, *_), (named, *_) = rows(found, told), rows(found, told, names=True)

    assert "mira" not in "".join(hidden.values())
    assert json.loads(named["Tags"])["owner"] == "mira"
    assert (hidden["x_AllocationId"], named["x_AllocationId"]) == ("allocation 1", "1+0")


def test_a_team_that_a_spreadsheet_would_compute_is_text():
    (row, *_) = written(Terms(), team="=1+1")

    assert row["SubAccountId"] == "'=1+1"


def test_later_columns_come_only_when_they_are_asked_for():
    assert "AllocatedMethodId" not in written(Terms())[0]
    details = json.loads(written(Terms(), "1.3")[0]["AllocatedMethodDetails"])
    assert details["Elements"][0]["AllocatedRatio"] == 1


def test_a_december_day_is_billed_until_the_new_year():
    begin = MIDNIGHT + 297 * 24 * HOUR
    night = replace(
        ledger(),
        tenures=(tenure_of("1", "GPU-0", begin, begin + HOUR),),
        tracks={"GPU-0": track_of(begin, "H" * 60)},
    )
    told = context(Terms())
    (row,) = rows(charged(night, told, (begin, begin + 2 * HOUR), begin + 2 * HOUR), told)

    assert row["ChargePeriodStart"] == "2026-12-31T00:00:00Z"
    assert (row["BillingPeriodStart"], row["BillingPeriodEnd"]) == (
        "2026-12-01T00:00:00Z",
        "2027-01-01T00:00:00Z",
    )
