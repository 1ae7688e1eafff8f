"""MIG instances are devices of their own, measured through their card."""

import pytest

from exporter.sampling.snapshot import Measured


def values(activity):
    return {
        name: value.value for name, value in activity.signals.items() if isinstance(value, Measured)
    }


@pytest.fixture
def cut(node):
    card = node.properties.add_hopper()
    node.properties.cut(card, "1g.10gb", "3g.40gb")
    node.open()
    return node


def test_instances_are_listed_after_their_card(cut):
    card, *instances = cut.devices

    assert [(item.mig_profile, item.parent, item.index) for item in instances] == [
        ("1g.10gb", card.uuid, 0),
        ("3g.40gb", card.uuid, 0),
    ]


def test_an_instance_is_measured_by_the_monitor(cut):
    assert values(cut.activity(1)) == pytest.approx(
        {"sm": 0.5, "tensor": 0.2, "dram": 0.1, "engine": 0.9}
    )


def test_each_instance_has_its_own_numbers(cut):
    cut.properties.change({"card0.mig1.gpm.2": 0})

    assert (values(cut.activity(1))["sm"], values(cut.activity(2))["sm"]) == (0.5, 0.0)


def test_the_card_of_instances_shows_no_work_of_its_own(cut):
    activity = cut.activity(0)

    assert values(activity) == {}
    assert {item.state for item in activity.signals.values()} == {"unsupported"}


def test_links_and_power_do_not_exist_per_instance(cut):
    device = cut.devices[1]

    assert {item.state for item in cut.activity(1).links.values()} == {"unsupported"}
    assert cut.driver.power(device).power.state == "unsupported"


def test_power_and_health_stay_with_the_card(cut):
    assert cut.driver.power(cut.devices[0]).power == 350.0


def test_processes_are_asked_per_instance(cut):
    cut.properties.change({"card0.mig1.processes": "71:10"})
    lists = [cut.driver.processes(device).processes for device in cut.devices]

    assert lists[0].state == "unsupported"
    assert [len(item) for item in lists[1:]] == [0, 1]


def test_mig_that_is_switched_on_is_followed(node):
    card = node.properties.add_hopper()
    before = len(node.open())
    node.properties.cut(card, "1g.10gb")

    assert (before, len(node.look())) == (1, 2)


def test_a_reused_instance_id_is_another_generation(cut):
    before = cut.devices[1]
    cut.properties.change({"card0.mig0.name": "NVIDIA H100 MIG 2g.20gb"})
    after = cut.look()[1]

    assert before.uuid == after.uuid
    assert before.generation != after.generation


def test_another_generation_starts_with_a_new_base_sample(cut):
    cut.activity(1)
    cut.properties.change({"card0.mig0.name": "NVIDIA H100 MIG 2g.20gb"})
    cut.look()
    cut.clock.pause(0.11)

    assert "first sample" in cut.driver.activity(cut.devices[1]).signals["sm"].reason


def test_an_instance_that_went_away_hints_at_a_change(cut):
    cut.activity(1)
    before = cut.driver.moved
    cut.properties.unset("card0.mig0.uuid")
    cut.clock.pause(0.11)
    signals = cut.driver.activity(cut.devices[1]).signals

    assert {item.state for item in signals.values()} == {"lost"}
    assert (before, cut.driver.moved) == (False, True)


def test_an_enumeration_settles_the_hint(cut):
    cut.properties.unset("card0.mig0.uuid")
    cut.activity(1)
    listed = cut.look()

    assert ([item.uuid[:5] for item in listed], cut.driver.moved) == (["GPU-0", "MIG-1"], False)


def test_one_instance_that_fails_leaves_the_other_measured(cut):
    cut.properties.unset("card0.mig0.gi")

    assert "sm" not in values(cut.activity(1))
    assert values(cut.activity(2))["sm"] == 0.5


def test_mig_switched_off_and_on_begins_with_a_new_base_sample(cut):
    cut.activity(1)
    cut.properties.change({"card0.mig": 0})
    cut.look()
    cut.properties.change({"card0.mig": 1})
    cut.look()
    cut.clock.pause(0.11)

    assert cut.samples() == 0
    assert "first sample" in cut.driver.activity(cut.devices[1]).signals["sm"].reason


def test_an_instance_without_a_monitor_leaves_its_sister_measured(cut):
    cut.properties.change({"card0.mig0.fail.nvmlGpmMigSampleGet": 3})
    refused = cut.activity(1).signals

    assert {item.state for item in refused.values()} == {"unsupported"}
    assert values(cut.activity(2))["sm"] == 0.5
