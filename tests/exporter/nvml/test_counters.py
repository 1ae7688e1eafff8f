"""Hardware cycle counters through the real binding and the fake library."""

import pytest

from exporter.sampling.snapshot import Measured


@pytest.fixture
def counted(node):
    """A card whose counters say otherwise than its monitor, so that a source is known by value."""
    card = node.properties.add_hopper()
    count(node, card, 1000, 500, 250)
    node.open()
    node.activity()
    return node


def count(node, card, elapsed, sm, tensor):
    node.properties.change(
        {f"{card}.gpm.{number}": f"{value:.0f}" for number, value in
         ((248, elapsed), (249, sm), (250, tensor))}
    )  # fmt: skip


def later(node, *counts, index=0, card="card0"):
    """Read once more, with other counts."""
    if counts:
        count(node, card, *counts)
    node.clock.pause(0.11)
    return node.driver.activity(node.devices[index]).signals


def test_counters_give_exact_shares(counted):
    signals = later(counted, 3000, 600, 350)

    assert signals["sm"] == Measured(value=0.05, source="counter")
    assert signals["tensor"] == Measured(value=0.05, source="counter")


def test_what_is_not_counted_stays_with_the_monitor(counted):
    assert later(counted, 3000, 600, 350)["dram"] == Measured(value=0.4, source="gpm")


def test_the_first_count_gives_no_share(node):
    card = node.properties.add_hopper()
    count(node, card, 1000, 500, 250)
    node.open()
    sm = node.activity().signals["sm"]

    assert (sm.state, "cycle counters" in sm.reason) == ("stale", True)


def test_a_counter_that_wraps_costs_one_reading_and_changes_no_source(counted):
    wrapped = later(counted, 2000, 10, 300)
    after = later(counted, 3000, 510, 400)

    assert wrapped["sm"].state == "stale"
    assert wrapped["tensor"] == Measured(value=0.05, source="counter")
    assert after["sm"] == Measured(value=0.5, source="counter")


def test_more_active_than_elapsed_cycles_are_cut_and_named(counted):
    count(counted, "card0", 2000, 1700, 250)
    counted.clock.pause(0.11)
    activity = counted.driver.activity(counted.devices[0])

    assert activity.signals["sm"] == Measured(value=1.0, source="counter")
    assert activity.clamped == ("sm",)


def test_a_driver_that_refuses_unknown_numbers_keeps_its_monitor(node):
    card = node.properties.add_hopper()
    count(node, card, 1000, 500, 250)
    node.properties.change({f"{card}.gpm.highest": 210})
    node.open()

    assert node.activity().signals["sm"] == Measured(value=0.625, source="gpm")
    assert later(node)["sm"] == Measured(value=0.625, source="gpm")


def test_a_card_without_tensor_counter_takes_that_from_the_monitor(node):
    card = node.properties.add_hopper()
    count(node, card, 1000, 500, 250)
    node.properties.unset(f"{card}.gpm.250")
    node.open()
    node.activity()
    node.properties.change({f"{card}.gpm.248": 2000, f"{card}.gpm.249": 600})
    signals = later(node)

    assert (signals["sm"].source, signals["tensor"].source) == ("counter", "gpm")


def test_counters_that_appear_later_change_nothing_before_the_next_generation(node):
    card = node.properties.add_hopper()
    node.open()
    node.activity()
    count(node, card, 1000, 500, 250)
    before = later(node)["sm"].source
    node.properties.change({"driver": "600.00"})
    node.look()
    node.activity()
    node.activity()

    assert (before, later(node, 2000, 600, 300)["sm"].source) == ("gpm", "counter")


def test_a_count_that_fails_once_is_absent_and_not_the_monitor(counted):
    counted.properties.change({"card0.gpm.249.status": 10})
    failed = later(counted, 2000, 600, 300)["sm"]
    counted.properties.change({"card0.gpm.249.status": 0})
    again = later(counted, 3000, 700, 400)["sm"]

    assert (failed.state, again.state) == ("stale", "stale")
    assert later(counted, 4000, 800, 500)["sm"] == Measured(value=0.1, source="counter")


def test_counters_that_never_count_give_way_to_the_monitor(counted):
    states = [getattr(later(counted)["sm"], "source", "none") for _ in range(12)]

    assert (states[:9], states[11]) == (["none"] * 9, "gpm")


def test_instances_have_counters_of_their_own(node):
    card = node.properties.add_hopper()
    node.properties.cut(card, "1g.10gb", "1g.10gb")
    for number in (0, 1):
        count(node, f"{card}.mig{number}", 1000, 0, 0)
    node.open()
    node.activity(1)
    node.activity(2)

    assert later(node, 2000, 100, 0, index=1, card="card0.mig0")["sm"].value == 0.1
    assert later(node, 2000, 900, 0, index=2, card="card0.mig1")["sm"].value == 0.9
