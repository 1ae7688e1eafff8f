"""The list of what cannot be identified: each place once, told in the log once."""

import logging

import pytest

from exporter.kernel.failed_devices import FailedDevices
from exporter.kernel.records import Xid
from exporter.sampling.quarantine import Quarantine
from exporter.sampling.register import Register
from exporter.sampling.snapshot import Device, Round
from exporter.sampling.state import NodeState, Periods
from exporter.sampling.unidentified import Unidentified

CARDS = tuple(
    Device(uuid=f"GPU-{number}", index=number, pci_bus_id=f"00000000:0{number + 1}:00.0")
    for number in range(2)
)
LOST = Unidentified(index=0, pci_bus_id="0000:01:00.0", reason="the GPU is lost")


class Node:
    def __init__(self, folder):
        self.state = NodeState(Periods())
        self.failed_devices = FailedDevices(self.state, Quarantine(), folder)
        self.register = Register(self.state, self.failed_devices)

    def take(self, *rest, devices=CARDS[1:]):
        self.state.take(
            Round(at=1, wall=1, driver="nvml", devices=devices, turns=(), unidentified=rest)
        )


@pytest.fixture
def node(tmp_path):
    return Node(tmp_path)


def test_what_the_driver_counts_is_listed(node):
    node.take(LOST)

    assert node.register.listed() == (LOST,)


def test_a_card_that_was_known_is_lost_under_its_own_name_alone(node):
    node.take(devices=CARDS)
    node.take(LOST)

    assert (node.register.listed(), node.state.devices["GPU-0"].lost) == ((), True)


def test_an_instance_of_a_known_card_is_listed(node):
    instance = Unidentified(index=1, mig="0", reason="refused")
    node.take(instance)

    assert node.register.listed() == (instance,)


def test_a_dead_card_that_the_driver_does_not_list_is_listed_by_its_address(node):
    node.take()
    node.failed_devices.hear([Xid(bus="0000:01:00", number=79, wall=1.0)])
    (one,) = node.register.listed()

    assert (one.index, one.pci_bus_id, one.reason[:7]) == (None, "0000:01:00.0", "Xid 79:")


def test_two_words_about_one_place_are_one_row_with_the_kernels_reason(node):
    node.take(LOST)
    node.failed_devices.hear([Xid(bus="0000:01:00", number=79, wall=1.0)])
    (one,) = node.register.listed()

    assert (one.index, one.pci_bus_id, one.reason[:7]) == (0, "0000:01:00.0", "Xid 79:")


def test_a_driver_that_does_not_answer_takes_nothing_from_the_list(node):
    node.take(LOST)
    node.state.take(Round(at=2, wall=2, driver="", devices=(), turns=(), trouble="none"))

    assert node.register.listed() == (LOST,)


def test_each_is_told_in_the_log_once_and_its_return_too(node, caplog):
    caplog.set_level(logging.INFO)
    node.take(LOST)
    node.register.tell()
    node.register.tell()
    node.take(devices=CARDS)
    node.register.tell()

    assert [record.message for record in caplog.records] == [
        "cannot be identified: GPU 0 at 0000:01:00.0: the GPU is lost",
        "is identified, or gone: GPU 0 at 0000:01:00.0: the GPU is lost",
    ]
