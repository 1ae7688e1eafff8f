"""Which process kept a card busy, through the real binding and the fake library."""

import pytest

from exporter.sampling.snapshot import Absent


@pytest.fixture
def watched(node):
    """A card that was looked at once, at the stamp of 1000 microseconds."""
    card = node.properties.add_ampere()
    node.properties.change({f"{card}.use": "70:99:1000"})
    node.open()
    node.driver.busy(node.devices[0])
    return node


def busy(node, rows="", index=0, **more):
    change = {"card0.use": rows} | {f"card0.use.{name}": value for name, value in more.items()}
    node.properties.change(change)
    return node.driver.busy(node.devices[index]).busy


def test_the_first_look_tells_nothing(node):
    card = node.properties.add_ampere()
    node.properties.change({f"{card}.use": "70:99:1000"})
    (device,) = node.open()

    assert "first look" in node.driver.busy(device).busy.reason


def test_busy_processes_are_ratios(watched):
    assert busy(watched, "71:50:2000,72:7:2001") == {71: 0.5, 72: 0.07}


def test_a_row_counts_once(watched):
    first, second = busy(watched, "71:50:2000"), busy(watched, "71:50:2000")

    assert (first, second) == ({71: 0.5}, {})


@pytest.mark.parametrize("code", [6, 0], ids=["not found", "a success without rows"])
def test_no_row_means_that_none_was_busy(watched, code):
    assert busy(watched, none=code) == {}


def test_old_rows_that_come_back_are_left_out(watched):
    assert busy(watched, "70:99:1000,71:40:2000", stale=1) == {71: 0.4}


def test_rows_of_impossible_processes_and_of_the_future_are_left_out(watched):
    assert busy(watched, f"0:9:2000,{2**31}:9:2000,72:9:{10**19},71:40:2000") == {71: 0.4}


def test_a_row_of_the_future_hides_no_later_row(watched):
    busy(watched, f"72:9:{10**19}")

    assert busy(watched, "71:40:2000") == {71: 0.4}


def test_a_row_above_100_percent_makes_the_answer_worthless(watched):
    watched.properties.change({"card0.use": "71:2147483632:2000,72:5:2000"})
    use = watched.driver.busy(watched.devices[0])

    assert (isinstance(use.busy, Absent), use.clamped) == (True, ("tenant",))


def test_a_refusal_is_not_idleness_and_the_next_look_is_a_first(watched):
    watched.properties.change({"card0.fail.nvmlDeviceGetProcessUtilization": 999})
    refused = busy(watched, "71:50:2000")
    watched.properties.change({"card0.fail.nvmlDeviceGetProcessUtilization": 0})
    again = busy(watched, "71:50:2000")

    assert (refused.state, again.state) == ("lost", "stale")


def test_on_mig_processes_are_not_told_apart(node):
    card = node.properties.add_hopper()
    node.properties.cut(card, "1g.10gb")
    node.open()

    assert [busy(node, index=index).state for index in (0, 1)] == ["unsupported"] * 2


def test_a_card_that_left_is_begun_anew(watched):
    watched.properties.change({"card0.lost": 1, "cards": 2, "card1.uuid": "GPU-other"})
    watched.look()
    watched.properties.change({"card0.lost": 0})
    watched.look()

    assert "first look" in busy(watched, "71:50:2000").reason
