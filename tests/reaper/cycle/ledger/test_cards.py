"""A scheduler counts MIG instances as GPUs; the books count cards, and what was left uncut."""

import pytest

from reaper.cycle.ledger import tenancy
from reaper.cycle.ledger.cards import Cards, cards
from reaper.domain.facts.allocation import Capacity
from reaper.domain.facts.device import Device
from reaper.domain.money.account import account
from reaper.domain.money.entries import CapacitySpan
from reaper.domain.money.ledger import Ledger, Terms
from tests.books import HOUR, TEN, tenure_of, track_of


def cut(*profiles: str, card: str = "GPU-0", model: str = "NVIDIA A100-SXM4-40GB") -> list[Device]:
    """Give the instances of one card."""
    return [
        Device(
            gpu=f"MIG-{card}-{number}",
            node="node1",
            model=model,
            mig_profile=profile,
            parent=card,
        )
        for number, profile in enumerate(profiles)
    ]


def counted(gpus: int) -> Capacity:
    return Capacity(node="node1", gpus=gpus, model="a100")


@pytest.mark.parametrize(
    ("profiles", "stranded"),
    [
        pytest.param(["4g.20gb", "3g.20gb"], 0, id="4g+3g is the whole card"),
        pytest.param(["3g.20gb", "2g.10gb", "2g.10gb"], 0, id="3g+2g+2g is the whole card"),
        pytest.param(["3g.20gb", "3g.20gb"], 1 / 7, id="3g+3g strands a seventh"),
        pytest.param(["1g.5gb"] * 7, 0, id="seven small ones"),
        pytest.param(["1g.5gb"], 6 / 7, id="one small one strands the rest"),
    ],
)
def test_what_a_partition_leaves_uncut_is_stranded(profiles: list[str], stranded: float):
    found = cards(counted(len(profiles)), cut(*profiles))

    assert found == Cards(gpus=1, stranded=pytest.approx(stranded, abs=1e-9))


@pytest.mark.parametrize(
    "profiles", [["4g.20gb", "3g.20gb"], ["3g.20gb", "2g.10gb", "2g.10gb"], ["1g.5gb"] * 7]
)
def test_shares_of_a_card_add_up_to_at_most_one(profiles: list[str]):
    parts = [device.slices for device in cut(*profiles)]

    assert sum(compute / whole for compute, whole in parts) <= 1 + 1e-12


def test_a_card_of_four_slices_is_cut_into_four():
    two = cut("2g.12gb", "1g.6gb", model="NVIDIA A30")

    assert [device.slices for device in two] == [(2, 4), (1, 4)]
    assert cards(counted(2), two) == Cards(gpus=1, stranded=0.25)


def test_several_cards_and_whole_ones_are_counted_together():
    devices = [
        *cut("4g.20gb", "3g.20gb"),
        *cut("3g.20gb", card="GPU-1"),
        Device(gpu="GPU-2", node="node1"),
        Device(gpu="GPU-1", node="node1"),
    ]

    assert cards(counted(4), devices) == Cards(gpus=3, stranded=pytest.approx(4 / 7))


def test_a_count_that_is_not_that_of_the_devices_is_believed():
    assert cards(counted(8), cut("4g.20gb", "3g.20gb")) == Cards(gpus=8)
    assert cards(counted(2), []) == Cards(gpus=2)


def test_a_card_that_is_cut_anew_begins_a_new_span():
    first = tenancy.capacity(
        [counted(2)], [], now=TEN, silent=False, here={"node1": cut("4g", "3g")}
    )
    second = tenancy.capacity(
        [counted(2)], first, now=TEN + HOUR, silent=False, here={"node1": cut("3g", "3g")}
    )

    assert [(span.begin, span.end, span.gpus) for span in second] == [
        (TEN + HOUR, None, 1),
        (TEN, TEN + HOUR, 1),
    ]
    assert [round(span.stranded, 6) for span in second] == [round(1 / 7, 6), 0]


def test_a_card_cut_anew_in_the_middle_of_a_week_keeps_the_identity():
    """One card: 4g+3g, from the second hour on 3g+3g with one of them held."""
    rooms = (
        CapacitySpan(node="node1", model="A100", gpus=1, state="up", begin=TEN, end=TEN + HOUR),
        CapacitySpan(
            node="node1",
            model="A100",
            gpus=1,
            state="up",
            begin=TEN + HOUR,
            end=None,
            stranded=1 / 7,
        ),
    )
    held = (
        tenure_of("1", "MIG-a", TEN, TEN + HOUR, share=4 / 7, size=4 / 7),
        tenure_of("2", "MIG-b", TEN, TEN + HOUR, share=3 / 7, size=3 / 7),
        tenure_of("3", "MIG-c", TEN + HOUR, None, share=3 / 7, size=3 / 7),
    )
    ledger = Ledger(
        tenures=held,
        capacity=rooms,
        tracks={gpu: track_of(TEN, "H" * 120) for gpu in ("MIG-a", "MIG-b", "MIG-c")},
    )

    total = account(ledger, begin=TEN, end=TEN + 2 * HOUR, terms=Terms()).total

    assert total.states == pytest.approx(total.calendar)
    assert total.calendar == 2 * HOUR
    assert total.idle == pytest.approx((1 + 3 / 7) * HOUR)
    assert total.stranded == pytest.approx(HOUR / 7)
    assert total.unallocated == pytest.approx(3 / 7 * HOUR)
