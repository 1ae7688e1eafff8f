"""Rounds completed from the newest page, on a clock that stands still."""

import pytest

from exporter.dcgm.page import parse
from exporter.dcgm.source import DcgmExporter
from exporter.sampling.snapshot import Absent, Activity, Device, Flow, Measured, Round, Turn
from tests.exporter.dcgm.pages import CARD, OTHER, page
from tests.exporter.fakes import StillClock

UNSUPPORTED = Absent(state="unsupported", reason="no monitor")
LOST = Absent(state="lost", reason="gone")
WHOLE = Device(uuid=CARD, index=0, pci_bus_id="00000000:53:00.0")
SLICE = Device(uuid="MIG-1", index=0, parent=CARD, gpu_instance=7)
FULL = ("SM_ACTIVE 0.5", "PIPE_TENSOR_ACTIVE 0.25", "DRAM_ACTIVE 0.125")


@pytest.fixture
def clock():
    return StillClock()


@pytest.fixture
def dcgm(clock):
    return DcgmExporter("http://mira:s3cret@127.0.0.1:9400/metrics", 30, clock)


def activity(uuid=CARD, **signals):
    own = {"sm": UNSUPPORTED, "tensor": UNSUPPORTED, "dram": UNSUPPORTED} | {
        "engine": Measured(value=0.8, source="nvml")
    }
    return Activity(gpu=uuid, at=1.0, signals=own | signals, links={"pcie": UNSUPPORTED})


def completed(dcgm, *found, devices=(WHOLE,)):
    turn = Turn(collector="activity", duration=0.1, finding=found or (activity(),))
    answer = Round(at=1.0, wall=1.0, driver="nvml", devices=devices, turns=(turn,))
    return dcgm.complete(answer).turns[0].finding


def signals(dcgm, *found, devices=(WHOLE,)):
    return completed(dcgm, *found, devices=devices)[0].signals


def test_what_the_driver_does_not_support_is_filled(dcgm):
    dcgm.take(parse(page(*FULL)))

    assert {name: one.value for name, one in signals(dcgm).items()} == {
        "sm": 0.5,
        "tensor": 0.25,
        "dram": 0.125,
        "engine": 0.8,
    }


def test_what_the_driver_measures_or_lost_stays(dcgm):
    dcgm.take(parse(page(*FULL)))
    own = Measured(value=0.1, source="gpm")
    found = signals(dcgm, activity(sm=own, tensor=LOST))

    assert (found["sm"], found["tensor"]) == (own, LOST)


def test_links_are_filled_alike(dcgm):
    dcgm.take(parse(page("PCIE_TX_BYTES 5", "PCIE_RX_BYTES 6")))

    assert completed(dcgm)[0].links["pcie"] == Flow(sent=5.0, received=6.0, source="dcgm")


@pytest.mark.parametrize(("age", "state"), [(0, "ok"), (31, "ok"), (32, "stale")])
def test_a_value_counts_for_one_collection_interval(dcgm, clock, age, state):
    dcgm.take(parse(page(*FULL)))
    clock.pause(age)

    assert getattr(signals(dcgm)["sm"], "state", "ok") == state


def test_before_the_first_page_everything_is_stale_and_no_password_is_told(dcgm):
    sm = signals(dcgm)["sm"]

    assert (sm.state, sm.reason) == (
        "stale",
        "dcgm-exporter at 127.0.0.1:9400 has not answered yet",
    )


def test_series_that_vanish_are_paused_until_they_come_back(dcgm):
    states = []
    for text in (page(*FULL), page(), page(*FULL)):
        dcgm.take(parse(text))
        states.append(getattr(signals(dcgm)["sm"], "state", "ok"))

    assert states == ["ok", "paused", "ok"]


def test_an_instance_is_found_by_its_card_and_its_number(dcgm):
    engine = Absent(state="unsupported", reason="MIG")
    dcgm.take(parse(page("GR_ENGINE_ACTIVE 0.75", "SM_ACTIVE 0.5", mig=7)))
    found = signals(dcgm, activity("MIG-1", engine=engine), devices=(WHOLE, SLICE))

    assert (found["sm"].value, found["engine"].value) == (0.5, 0.75)


def test_the_card_of_instances_is_not_filled(dcgm):
    dcgm.take(parse(page(*FULL)))

    assert signals(dcgm, devices=(WHOLE, SLICE))["sm"] is UNSUPPORTED


def test_a_card_is_found_by_its_address_where_names_differ(dcgm):
    dcgm.take(parse(page(*FULL, uuid="53c4")))

    assert signals(dcgm)["sm"].value == 0.5


def test_a_page_of_another_node_is_no_value(dcgm):
    dcgm.take(parse(page(*FULL, uuid=OTHER, bus="00000000:64:00.0")))

    assert signals(dcgm)["sm"].state == "unsupported"


def test_a_cut_value_is_counted_once_a_page(dcgm):
    dcgm.take(parse(page("SM_ACTIVE 1.29")))
    counts = [completed(dcgm)[0].clamped for _ in range(2)]
    dcgm.take(parse(page("SM_ACTIVE 1.29")))

    assert [*counts, completed(dcgm)[0].clamped] == [("sm",), (), ("sm",)]


def test_other_turns_pass_untouched(dcgm):
    turn = Turn(collector="health", duration=0.1, finding=None, error="x")
    answer = Round(at=1.0, wall=1.0, driver="nvml", devices=(), turns=(turn,))

    assert dcgm.complete(answer) == answer
