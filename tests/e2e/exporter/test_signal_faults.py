"""Signals that lie, leave and come back: the page stays valid and the rest right."""

import subprocess

import pytest

from tests.components import require
from tests.e2e.exporter.test_faults import fell, generations

CARDS = [f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in range(8)]
SM = "gpunode_sm_active_seconds_total"
SEEN = "gpunode_observed_seconds_total"
LOST = "gpunode_device_lost"


@pytest.fixture
def run(start, fake_library, fake_node):
    """Give `run()`: an exporter on the node as it was drawn, with a card measured."""

    def begin():
        running = start(environment=fake_node.environment(fake_library))
        running.page_when(lambda page: any(page.values(SEEN, signal="engine")))
        return running

    return begin


def accepted(page):
    """Say what promtool has against a page."""
    require("promtool")
    done = subprocess.run(
        ["promtool", "check", "metrics"],
        check=False, input=page.text, text=True, capture_output=True,
    )  # fmt: skip
    return done.stdout + done.stderr


def sources(page, signal):
    return {
        labels["gpu"]: (labels["source"], labels["state"])
        for labels in page.labels("gpunode_signal_info")
        if labels["signal"] == signal
    }


def unexplained(before, after):
    """Return the counters that fell on devices whose generation stayed."""
    same = {gpu for gpu, one in generations(before).items() if generations(after).get(gpu) == one}
    return [key for key in fell(before, after) if dict(key[1]).get("gpu") in same]


def test_one_of_eight_that_falls_off_the_bus_blinds_no_other(run, fake_node):
    for _ in CARDS:
        fake_node.add_hopper()
    exporter = run()
    before = exporter.page_when(lambda page: len(page.values(SM)) == len(CARDS))
    fake_node.change({"card3.lost": 1})
    lost = exporter.page_when(lambda page: page.value(LOST, gpu=CARDS[3]) == 1)
    later = exporter.page_when(
        lambda page: (
            all(
                page.value(SM, gpu=gpu) > lost.value(SM, gpu=gpu)
                for gpu in CARDS
                if gpu != CARDS[3]
            )
            and page.value("gpunode_power_watts", gpu=CARDS[3]) is None
        )
    )

    assert sum(later.values(LOST)) == 1
    assert len(later.values("gpunode_power_watts")) == len(CARDS) - 1
    assert fell(before, later) == []
    assert accepted(later) == ""


def test_mig_switched_off_and_on_is_followed_and_reused_ids_are_other_devices(run, fake_node):
    card = fake_node.add_hopper()
    fake_node.cut(card, "1g.10gb", "1g.10gb")
    exporter = run()
    slices = [f"MIG-{number}-{CARDS[0]}" for number in (0, 1)]
    cut = exporter.page_when(lambda page: all(page.value(SM, gpu=gpu) for gpu in slices))
    drawn = dict(fake_node.properties)
    fake_node.change({f"{card}.mig": 0})
    fake_node.unset(*(f"{card}.mig{number}.uuid" for number in (0, 1)))
    whole = exporter.page_when(lambda page: page.value(SM, gpu=CARDS[0]))
    fake_node.change(drawn | {f"{card}.mig1.name": "NVIDIA H100 80GB HBM3 MIG 2g.20gb"})
    again = exporter.page_when(lambda page: all(page.value(SM, gpu=gpu) for gpu in slices))
    old, new = generations(cut), generations(again)

    assert set(generations(whole)) == {CARDS[0]}
    assert [new[gpu] == old[gpu] for gpu in slices] == [False, False]
    assert unexplained(cut, whole) == unexplained(whole, again) == []
    assert [accepted(page) for page in (cut, whole, again)] == ["", "", ""]


def test_a_reloaded_driver_is_followed_and_every_counter_begins_anew_together(run, fake_node):
    fake_node.add_hopper()
    fake_node.add_ampere()
    exporter = run()
    before = exporter.page_when(lambda page: page.value(SM, gpu=CARDS[0]))
    fake_node.change(
        {
            "load": 1,
            "driver": "600.00",
            "card0.energy": 5,
            "card1.energy": 5,
            "card0.ecc.corrected": 0,
        }
    )
    after = exporter.page_when(
        lambda page: (
            generations(page) != generations(before)
            and page.value(SM, gpu=CARDS[0])
            and page.value("gpunode_driver_up") == 1
        )
    )

    assert [generations(after)[gpu] != generations(before)[gpu] for gpu in CARDS[:2]] == [True] * 2
    assert unexplained(before, after) == []
    assert accepted(after) == ""


def test_a_cycle_counter_that_wraps_is_no_reset(run, fake_node):
    card = fake_node.add_hopper()
    cycles = {248: 2e9, 249: 1e9, 250: 5e8}
    fake_node.change(
        {f"{card}.gpm.{number}": "1e15" for number in cycles}
        | {f"{card}.gpm.{number}.rate": rate for number, rate in cycles.items()}
    )
    exporter = run()
    before = exporter.page_when(lambda page: page.value(SM, gpu=CARDS[0]))
    fake_node.change({f"{card}.gpm.249": 0, f"{card}.gpm.248": 0})
    after = exporter.page_when(
        lambda page: page.value(SM, gpu=CARDS[0]) > before.value(SM, gpu=CARDS[0]) + 0.5
    )
    seen = after.value(SEEN, gpu=CARDS[0], signal="sm")

    assert sources(after, "sm")[CARDS[0]] == ("counter", "ok")
    assert after.value(SM, gpu=CARDS[0]) / seen == pytest.approx(0.5, rel=0.02)
    assert (fell(before, after), generations(before)) == ([], generations(after))


@pytest.mark.parametrize("value", ["nan", "-5", "9.2e18", "4294967295", "151"])
def test_a_value_that_cannot_be_true_is_neither_work_nor_idleness(run, fake_node, value):
    for _ in range(2):
        fake_node.add_hopper()
    fake_node.change({"card0.gpm.2": value})
    exporter = run()
    first = exporter.page_when(lambda page: page.value(SM, gpu=CARDS[1]))
    later = exporter.page_when(
        lambda page: page.value(SM, gpu=CARDS[1]) > first.value(SM, gpu=CARDS[1]) + 0.3
    )

    assert later.value(SM, gpu=CARDS[0]) is None
    assert later.value(SEEN, gpu=CARDS[0], signal="sm") is None
    assert later.value(SEEN, gpu=CARDS[0], signal="dram") > 0
    assert sources(later, "sm") == {CARDS[0]: ("none", "stale"), CARDS[1]: ("gpm", "ok")}
    assert accepted(later) == ""
