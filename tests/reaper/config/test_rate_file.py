"""A rate file is worked out, refused with every mistake, or drafted so that it loads."""

from decimal import Decimal

import pytest

from reaper.config.model_names import patterns
from reaper.config.rate_draft import Origin, draft
from reaper.config.rate_file import rate_card
from reaper.domain.buying.offers import Offer, quotes
from reaper.domain.prices.rates import Kind, RateCard, Subject
from tests.project import ROOT

OWNED = (
    "gpus: 8, purchase: 120000, residual: 10000, years: 5, power_kw: 4.2, cooling: 1.3, "
    "per_kwh: 0.22, people_per_year: 6000"
)


@pytest.fixture
def read(tmp_path):
    """Give `read(text)`: the card of a rate file and what is wrong with it."""

    def read(text: str) -> tuple[RateCard, list[str]]:
        path = tmp_path / "rates.yaml"
        path.write_text(text)
        card, problems = rate_card(path, name="rates.yaml", currency="EUR", zone="UTC")
        return card, [str(problem) for problem in problems]

    return read


def test_gpus_of_ones_own_are_worked_out_with_their_arithmetic(read):
    card, problems = read(f"rates: [{{model: 'A100*', owned: {{{OWNED}}}, note: rack 3}}]\n")

    assert problems == []
    (rate,) = card.rates
    assert (rate.amount, rate.kind, rate.currency) == (Decimal("0.54942"), Kind.OWNED, "EUR")
    assert rate.note.startswith("rack 3; (120000 - 10000) / (5 y x 8766 h x 8) = 0.3137 + ")


def test_a_reservation_is_worked_out(read):
    card, _ = read("rates: [{reserved: {gpus: 8, commitment: 140256, years: 1}}]\n")

    assert (card.rates[0].amount, card.rates[0].kind) == (2, Kind.RESERVED)


def test_a_price_by_the_hour_is_owned_unless_it_says_otherwise(read):
    card, _ = read("rates: [{per_hour: 2.50}]\n")

    assert (card.rates[0].amount, card.rates[0].kind) == (Decimal("2.50"), Kind.OWNED)


def test_a_price_of_zero_is_a_price(read):
    card, problems = read("rates: [{per_hour: 0}]\n")

    assert (card.rates[0].amount, problems) == (0, [])


@pytest.mark.parametrize(
    ("rate", "why"),
    [
        ("{model: A100}", "has no price; write one of per_hour"),
        ("{per_hour: 1, reserved: {gpus: 1, commitment: 1}}", "has several prices"),
        ("{per_hour: 0, reserved: {gpus: 1, commitment: 1}}", "has several prices"),
        ("{kind: spot, owned: {gpus: 1, purchase: 1}}", "kind spot contradicts owned"),
        ("{owned: {gpus: 0, purchase: 1}}", "owned.gpus: "),
        ("{owned: {gpus: 1, purchase: 1, years: 0}}", "owned.years: is zero"),
        ("{owned: {gpus: 1, purchase: 1, residual: 2}}", "residual is above purchase"),
        ("{owned: {gpus: 1, purchase: 1, cooling: 0.3}}", "cooling is below 1"),
        ("{owned: {gpus: 1, purchase: -1}}", '"-1" is no price'),
        ("{owned: {gpus: 1}}", "owned.purchase: missing"),
        ("{owned: {gpus: 1, purchase: 1, price: 2}}", "owned.price: unknown key"),
        ("{reserved: {gpus: 1, commitment: lots}}", '"lots" is no price'),
    ],
)
def test_a_mistake_is_named_with_its_cure(read, rate: str, why: str):
    card, problems = read(f"rates:\n  - {rate}\n")

    assert card.rates == ()
    assert any(why in problem for problem in problems), problems
    assert all(problem.startswith("rates.yaml:2: ") for problem in problems)


def test_rules_that_overlap_are_refused(read):
    _, problems = read("rates: [{model: 'A1*', per_hour: 1}, {model: 'A1*', per_hour: 2}]\n")

    assert "are equally specific and fit the same GPU at the same time" in problems[0]


# ------------------------------------------------------------------ drafts

ORIGIN = Origin(provider="aws", region="us-east-1", version="sha256 0123")


def offer(model: str, price: str, *, memory: int = 0, spot: bool = False) -> Offer:
    return Offer(
        provider="aws",
        instance=f"box.{model}",
        region="us-east-1",
        price=Decimal(price),
        gpus=8,
        model=model,
        memory=Decimal(memory) or None,
        spot=spot,
    )


EVERYTHING = (
    offer("A10", "8"), offer("A10G", "9"), offer("A100", "32.77", memory=40),
    offer("A100", "40", memory=80), offer("L4", "4"), offer("L40", "8"), offer("L40S", "12"),
    offer("H100", "98", memory=80), offer("H100NVL", "80"), offer("H200", "120"),
    offer("H200NVL", "100"), offer("RTX4090", "3.2"), offer("RTX3080Ti", "3"), offer("T4", "4"),
    offer("V100", "24", memory=16), offer("RTX6000Ada", "9"), offer("GH200", "20"),
)  # fmt: skip


def test_a_draft_loads_and_prices_each_model_by_nvmls_name(read):
    card, problems = read(draft(quotes(EVERYTHING), ORIGIN))

    assert problems == []
    prices = {
        "NVIDIA A10": "1",
        "NVIDIA A10G": "1.125",
        "NVIDIA A100-SXM4-40GB": "4.09625",
        "NVIDIA A100 80GB PCIe": "5",
        "NVIDIA L4": "0.5",
        "NVIDIA L40": "1",
        "NVIDIA L40S": "1.5",
        "NVIDIA H100 80GB HBM3": "12.25",
        "NVIDIA H100 NVL": "10",
        "NVIDIA H200": "15",
        "NVIDIA GeForce RTX 4090": "0.4",
        "Tesla T4": "0.5",
        "Tesla V100-SXM2-16GB": "3",
        "NVIDIA GH200 480GB": "2.5",
    }
    found = {model: card.price(Subject(model=model), 0.0) for model in prices}
    assert {model: rate and rate.amount for model, rate in found.items()} == {
        model: Decimal(price) for model, price in prices.items()
    }
    assert {rate.kind for rate in card.rates} == {Kind.ON_DEMAND}
    assert {rate.currency for rate in card.rates} == {"USD"}


def test_spot_prices_are_for_nodes_that_carry_their_label(read):
    text = draft(quotes([offer("L4", "4"), offer("L4", "1.6", spot=True)]), ORIGIN)
    card, problems = read(text)

    assert problems == []
    spot = Subject(model="NVIDIA L4", labels=("purchase=spot",))
    assert card.price(spot, 0.0).amount == Decimal("0.2")
    assert card.price(Subject(model="NVIDIA L4"), 0.0).amount == Decimal("0.5")


def test_a_draft_says_where_it_comes_from_and_how_each_amount_came_about():
    text = draft(quotes([offer("L4", "4")]), ORIGIN)

    assert "# Draft from gpuhunt's catalogue of aws, region us-east-1, version" in text
    assert "# sha256 0123." in text
    assert "note: 'aws us-east-1: box.L4 4 / 8 GPUs'" in text


def test_a_model_without_a_known_name_and_rows_not_read_are_listed(read):
    text = draft(quotes([offer("XPU9", "8", memory=24)]), ORIGIN, ["aws.csv:7: price: bad"])
    card, problems = read(text)

    assert "# no rule, NVML's name is not known: XPU9 24 GiB, 1 USD on-demand" in text
    assert "# not read: aws.csv:7: price: bad" in text
    assert (card.rates, problems) == ((), [])


def test_a_name_in_a_catalogue_cannot_write_rules(read):
    evil = Offer(
        provider="x", instance="a'\n  - {per_hour: 9}", region="r", price=Decimal(1), gpus=1,
        model="L4",
    )  # fmt: skip
    card, problems = read(draft(quotes([evil]), ORIGIN))

    assert (len(card.rates), problems) == (1, [])


@pytest.mark.parametrize(
    ("model", "memory", "expected"),
    [
        ("RTX4070TiSUPER", None, ("NVIDIA GeForce RTX 4070 Ti SUPER",)),
        ("RTX2080Ti", None, ("NVIDIA GeForce RTX 2080 Ti",)),
        ("A100", 20, ()),
        ("RTXPRO6000", None, ("NVIDIA RTX PRO 6000 Blackwell*",)),
        ("", None, ()),
    ],
)
def test_names_of_a_catalogue_are_those_of_nvml(model, memory, expected):
    assert patterns(model, memory) == expected


def test_the_example_of_the_documents_loads(read):
    text = (ROOT / "docs" / "rates.md").read_text(encoding="utf-8")
    card, problems = read(text.partition("```yaml\n")[2].partition("```")[0])

    assert problems == []
    assert [rate.kind for rate in card.rates] == [Kind.OWNED, Kind.ON_DEMAND, Kind.RESERVED]
