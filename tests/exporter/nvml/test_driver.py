"""Readings through the real binding and the fake library: a value, or a reason."""

import pytest

from exporter.sampling.driver import DriverAbsent, DriverRestarted
from exporter.sampling.snapshot import Absent, Flow, Measured

MIB = 1024**2
LOST = {"sm": "lost", "tensor": "lost", "dram": "lost", "engine": "lost", "codec": "lost"}


def states(activity):
    return {name: getattr(value, "state", "ok") for name, value in activity.signals.items()}


def values(activity):
    return {
        name: value.value for name, value in activity.signals.items() if isinstance(value, Measured)
    }


def test_a_card_with_a_monitor_has_every_signal(node):
    node.properties.add_hopper()
    node.open()

    assert values(node.activity()) == pytest.approx(
        {"sm": 0.625, "tensor": 0.35, "dram": 0.4, "engine": 0.8, "codec": 0.1}
    )


def test_links_are_bytes_per_second(node):
    node.properties.add_hopper()
    node.open()

    assert node.activity().links == {
        "pcie": Flow(sent=100 * MIB, received=50 * MIB, source="gpm"),
        "nvlink": Flow(sent=500 * MIB, received=1000 * MIB, source="gpm"),
    }


def test_the_first_sample_gives_no_mean(node):
    node.properties.add_hopper()
    (device,) = node.open()

    assert states(node.driver.activity(device))["sm"] == "stale"


def test_samples_too_close_give_no_mean(node):
    node.properties.add_hopper()
    (device,) = node.open()
    node.driver.activity(device)

    assert "100 ms" in node.driver.activity(device).signals["sm"].reason


def test_a_card_without_monitor_falls_back_to_utilisation(node):
    node.properties.add_ampere()
    node.open()
    activity = node.activity()

    assert states(activity) == {
        "sm": "unsupported",
        "tensor": "unsupported",
        "dram": "unsupported",
        "engine": "ok",
        "codec": "ok",
    }
    assert "Hopper" in activity.signals["sm"].reason


def test_byte_counters_stand_in_for_the_monitor(node):
    card = node.properties.add_ampere()
    (device,) = node.open()
    node.driver.activity(device)
    node.properties.change({f"{card}.field.197": 10**9, f"{card}.field.139": 10**6})
    node.clock.pause(0.05)
    links = node.driver.activity(device).links

    assert links["pcie"].sent > links["pcie"].received == 0
    assert links["nvlink"].received > links["nvlink"].sent == 0


def test_a_byte_counter_that_wrapped_gives_no_rate(node):
    card = node.properties.add_ampere()
    node.properties.change({f"{card}.field.197": 10**9})
    (device,) = node.open()
    node.driver.activity(device)
    node.properties.change({f"{card}.field.197": 5})
    links = node.driver.activity(device).links

    assert isinstance(links["pcie"], Absent)
    assert isinstance(links["nvlink"], Flow)


def test_each_metric_carries_its_own_status(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.gpm.5.status": 3, f"{card}.gpm.10": "nan"})
    node.open()

    assert states(node.activity()) == {
        "sm": "ok",
        "tensor": "unsupported",
        "dram": "stale",
        "engine": "ok",
        "codec": "ok",
    }


@pytest.mark.parametrize(
    ("value", "shown", "clamped"),
    [(129, 1.0, True), (-1, None, True), (7e15, None, True), (100, 1.0, False)],
)
def test_implausible_metrics_are_cut_or_refused_and_named(node, value, shown, clamped):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.gpm.2": value})
    node.open()
    activity = node.activity()

    assert values(activity).get("sm") == shown
    assert ("sm" in activity.clamped) is clamped


def test_a_blank_utilisation_is_no_utilisation(node):
    card = node.properties.add_ampere()
    node.properties.change({f"{card}.util": 4294967295})
    node.open()

    assert "engine" not in values(node.activity())


@pytest.mark.parametrize(
    ("code", "state"), [(3, "unsupported"), (4, "unsupported"), (10, "stale"), (999, "lost")]
)
def test_a_refused_call_is_absent_with_its_reason(node, code, state):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.fail.nvmlDeviceGetUtilizationRates": code})
    node.open()
    engine = node.activity().signals["engine"]

    assert (engine.state, bool(engine.reason)) == (state, True)


def test_what_is_unsupported_is_asked_again_after_an_enumeration(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.fail.nvmlDeviceGetUtilizationRates": 3})
    node.open()
    node.activity()
    node.properties.change({f"{card}.fail.nvmlDeviceGetUtilizationRates": 0})
    before = values(node.activity())
    node.look()

    assert ("engine" in before, "engine" in values(node.activity())) == (False, True)


def test_one_lost_card_leaves_the_other_measured(node):
    lost, _ = node.properties.add_hopper(), node.properties.add_hopper()
    node.open()
    node.properties.change({f"{lost}.lost": 1})

    assert states(node.activity(0)) == LOST
    assert states(node.activity(1))["sm"] == "ok"


def test_a_lost_card_gives_no_reading_of_any_kind(node):
    lost = node.properties.add_hopper()
    (device,) = node.open()
    node.properties.change({f"{lost}.lost": 1})
    readings = (
        node.driver.memory(device).memory,
        node.driver.power(device).power,
        node.driver.processes(device).processes,
    )

    assert [item.state for item in readings] == ["lost"] * 3
    assert node.driver.health(device).lost


def test_a_card_that_was_lost_is_no_longer_listed(node):
    lost, _ = node.properties.add_hopper(), node.properties.add_hopper()
    node.properties.change({f"{lost}.lost": 1})

    assert [device.index for device in node.open()] == [1]


def test_a_count_that_is_refused_is_no_driver_and_says_why(node):
    node.properties.add_hopper()
    node.properties.change({"fail.nvmlDeviceGetCount_v2": 999})

    with pytest.raises(DriverAbsent, match="does not count its GPUs: the driver reports"):
        node.open()


def test_no_card_at_all_is_no_driver(node):
    with pytest.raises(DriverAbsent, match="no GPU"):
        node.open()


@pytest.mark.parametrize(("code", "words"), [(9, "kernel module"), (18, "differ"), (4, "/dev")])
def test_a_driver_that_does_not_start_says_what_to_do(node, code, words):
    node.properties.change({"fail.nvmlInitWithFlags": 0, "fail.nvmlInit_v2": code})

    with pytest.raises(DriverAbsent, match=words):
        node.driver.open()


@pytest.mark.parametrize("code", [1, 9, 18])
def test_void_handles_restart_the_driver(node, code):
    node.properties.add_hopper()
    node.open()
    node.properties.change({"fail.nvmlDeviceGetUtilizationRates": code})

    with pytest.raises(DriverRestarted):
        node.activity()


def test_samples_are_freed_on_closing(node):
    node.properties.add_hopper()
    node.open()
    node.activity()
    held = node.samples()
    node.driver.close()

    assert (held, node.samples()) == (2, 0)


def test_the_samples_of_a_card_that_went_away_are_freed(node):
    lost, _ = node.properties.add_hopper(), node.properties.add_hopper()
    node.open()
    node.activity(0)
    node.activity(1)
    node.properties.change({f"{lost}.lost": 1})
    node.look()

    assert node.samples() == 2


def test_the_first_utilisation_shows_the_opening_and_is_not_believed(node):
    node.properties.add_ampere()
    (device,) = node.open()
    states = [node.driver.activity(device).signals["engine"] for _ in range(2)]

    assert (states[0].state, states[1]) == ("stale", Measured(value=0.8, source="nvml"))


def test_a_reloaded_driver_voids_what_was_opened(node):
    node.properties.add_hopper()
    node.open()
    node.properties.change({"load": 1})

    with pytest.raises(DriverRestarted):
        node.activity()


def test_a_reloaded_driver_is_opened_again(node):
    node.properties.add_hopper()
    node.open()
    node.properties.change({"load": 1})
    node.driver.close()
    node.open()

    assert states(node.activity())["sm"] == "ok"
