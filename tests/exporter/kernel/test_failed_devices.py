"""What follows from the kernel log: counts, cards left alone, and their return."""

import pytest

from exporter.kernel.failed_devices import FailedDevices
from exporter.kernel.faults import FALLEN, XIDS
from exporter.kernel.records import Loaded, Message, Xid
from exporter.sampling.quarantine import Quarantine
from exporter.sampling.snapshot import Device, Health, Round, Turn
from exporter.sampling.state import NodeState, Periods

BUS, OTHER = "0000:3b:00", "0000:5e:00"
CARDS = (
    Device(uuid="GPU-0", index=0, pci_bus_id="00000000:3B:00.0"),
    Device(uuid="GPU-1", index=1, pci_bus_id="00000000:5E:00.0"),
    Device(uuid="MIG-0", index=0, pci_bus_id="00000000:3B:00.0", parent="GPU-0"),
)


WISH = ", GPU recovery action changed from 0x1 (GPU Reset Required) to {}"


class Node:
    """A node of two cards whose kernel shows modules and PCI functions under a folder."""

    def __init__(self, folder):
        self.sys = folder
        self.state = NodeState(Periods())
        self.quarantine = Quarantine()
        self.failed_devices = FailedDevices(self.state, self.quarantine, folder)
        self.aside = 0
        for name in ("module/nvidia", *(f"bus/pci/devices/{bus}.0" for bus in (BUS, OTHER))):
            self.appear(name)

    def enumerate(self, devices=CARDS):
        self.state.take(Round(at=1, wall=1, driver="nvml", devices=devices, turns=()))
        self.quarantine.learn(devices)
        self.failed_devices.look()

    def appear(self, name):
        (self.sys / name).mkdir(parents=True, exist_ok=True)

    def vanish(self, name):
        """Put a folder aside, so that no other gets its inode."""
        self.aside += 1
        (self.sys / name).rename(self.sys / f"aside{self.aside}")

    def hear(self, *numbers, bus=BUS, **words):
        self.failed_devices.hear([Xid(bus=bus, number=one, wall=10.0, **words) for one in numbers])

    def say(self, bus=BUS, wall=10.0, fault=FALLEN, **words):
        self.failed_devices.hear([Message(bus=bus, fault=fault, wall=wall, **words)])

    def config(self, bus, first):
        (self.sys / f"bus/pci/devices/{bus}.0/config").write_bytes(first)

    def left_alone(self):
        self.failed_devices.look()
        return sorted(self.quarantine.spared(0))

    def counts(self, gpu="GPU-0"):
        return {xid: count for xid, (count, _) in self.state.devices[gpu].tally.xids.items()}


@pytest.fixture
def node(tmp_path):
    node = Node(tmp_path)
    node.enumerate()
    return node


def test_xids_are_counted_at_their_card(node):
    node.hear(31, 31, 43)

    assert (node.counts(), node.counts("GPU-1")) == ({31: 2, 43: 1}, {})


def test_an_xid_of_a_card_that_is_not_known_yet_is_counted_later(tmp_path):
    node = Node(tmp_path)
    node.hear(31)
    node.enumerate()

    assert node.counts() == {31: 1}


def test_no_xid_is_counted_twice_where_the_driver_reports_it_too(node):
    node.state.kernel_speaks = True
    node.hear(79)
    health = (Health(gpu="GPU-0", at=2, lost=True, xids=((79, 10.0),)),)
    turn = Turn(collector="health", duration=0, finding=health)
    node.state.take(Round(at=2, wall=2, driver="nvml", devices=CARDS, turns=(turn,)))

    assert node.counts() == {79: 1}


@pytest.mark.parametrize("number", [number for number, fault in XIDS.items() if fault.stops])
def test_a_dead_card_is_left_alone_with_its_instances(node, number):
    node.hear(number)

    assert node.quarantine.spared(0) == {0: (CARDS[0], CARDS[2])}
    assert f"Xid {number}" in node.quarantine.reasons(0)[0]


@pytest.mark.parametrize("number", [13, 31, 43, 45, 48, 63, 94, 109, 143, 154, 9999])
def test_other_xids_leave_the_card_in_use(node, number):
    node.hear(number)

    assert node.left_alone() == []


def test_time_revives_nothing(node):
    node.hear(79)

    assert sorted(node.quarantine.spared(1e9)) == [0]


def test_a_driver_loaded_anew_revives_by_the_log(node):
    node.hear(79)
    node.failed_devices.hear([Loaded(wall=20)])

    assert node.left_alone() == []


def test_a_driver_loaded_anew_revives_by_its_module(node):
    node.hear(79)
    node.vanish("module/nvidia")
    unloaded = node.left_alone()
    node.appear("module/nvidia")

    assert (unloaded, node.left_alone()) == ([0], [])


def test_a_card_that_left_the_bus_and_came_back_is_revived(node):
    node.hear(79)
    node.hear(79, bus=OTHER)
    node.vanish(f"bus/pci/devices/{BUS}.0")
    away = node.left_alone()
    node.appear(f"bus/pci/devices/{BUS}.0")

    assert (away, node.left_alone()) == ([0, 1], [1])


def test_a_withdrawn_wish_for_a_reset_revives(node):
    node.hear(119)
    node.hear(154, text=WISH.format("0x0 (None)"))

    assert node.left_alone() == []


def test_letting_the_driver_go_revives(node):
    node.hear(119)
    node.quarantine.forgive()

    assert node.left_alone() == []


def test_a_card_that_dies_again_after_a_release_is_left_alone_again(node):
    node.hear(119)
    node.quarantine.forgive()
    node.hear(119)

    assert node.left_alone() == [0]


@pytest.mark.parametrize(("config", "alone"), [(b"\xff\xff", [0]), (b"\xde\x10", [])])
def test_a_death_from_before_the_start_counts_if_nobody_answers_on_the_bus(node, config, alone):
    (node.sys / f"bus/pci/devices/{BUS}.0/config").write_bytes(config)
    node.hear(79, past=True)

    assert (node.counts(), node.left_alone()) == ({79: 1}, alone)


def test_a_dead_card_that_is_seen_only_later_is_left_alone_then(tmp_path):
    node = Node(tmp_path)
    node.hear(119)
    node.enumerate()

    assert node.left_alone() == [0]


# ------------------------------------------------------------------ other words, and none


def test_a_message_without_an_xid_stops_the_card_and_counts_nothing(node):
    node.say()

    assert (node.left_alone(), node.counts()) == ([0], {})
    assert node.quarantine.reasons(0)[0].startswith("it fell off the bus; no call is made")


def test_an_xid_keeps_its_reason_when_the_same_is_said_again(node):
    node.hear(79)
    node.say()

    assert node.quarantine.reasons(0)[0].startswith("Xid 79: it fell off the bus")


@pytest.mark.parametrize(
    ("action", "alone"),
    [
        ("0x1 (GPU Reset Required)", [0]),
        ("0x2 (Node Reboot Required)", [0]),
        ("0x3 (Drain P2P)", []),
        ("0x4 (Drain and Reset)", []),
    ],
)
def test_a_wish_for_a_reset_stops_the_card_and_a_milder_one_does_not(node, action, alone):
    node.hear(154, text=WISH.format(action))

    assert node.left_alone() == alone


def test_a_message_of_before_the_start_counts_if_nobody_answers_on_the_bus(node):
    node.config(BUS, b"\xde\x10")
    node.config(OTHER, b"\xff\xff")
    node.say(past=True)
    node.say(bus=OTHER, past=True)

    assert node.left_alone() == [1]


def test_a_message_without_an_address_means_who_does_not_answer_on_the_bus(node):
    node.config(BUS, b"\xde\x10")
    node.config(OTHER, b"\xff\xff")
    node.say(bus="")

    assert node.left_alone() == [1]


def test_a_message_without_an_address_means_the_only_card_there_is(node):
    node.enumerate(CARDS[::2])
    node.config(BUS, b"\xde\x10")
    node.state.devices.pop("GPU-1")
    node.say(bus="")

    assert node.left_alone() == [0]


def test_a_card_that_vanishes_from_the_bus_needs_no_word(node):
    node.vanish(f"bus/pci/devices/{BUS}.0")
    gone = node.left_alone()
    reason = node.quarantine.reasons(0)[0]
    node.appear(f"bus/pci/devices/{BUS}.0")

    assert (gone, node.left_alone()) == ([0], [])
    assert reason.startswith("it is no longer on the PCI bus")


def test_a_node_whose_bus_cannot_be_seen_misses_nobody(tmp_path):
    node = Node(tmp_path)
    for bus in (BUS, OTHER):
        node.vanish(f"bus/pci/devices/{bus}.0")
    node.enumerate()

    assert node.left_alone() == []


def test_a_load_that_found_the_card_dead_does_not_revive_it(node):
    node.say(wall=10.0)
    node.failed_devices.hear([Loaded(wall=10.2)])
    found_by_it = node.left_alone()
    node.failed_devices.hear([Loaded(wall=100.0)])

    assert (found_by_it, node.left_alone()) == ([0], [])


def test_an_xid_that_only_the_driver_tells_stops_the_card_too(node):
    health = (Health(gpu="GPU-0", at=2, lost=False, xids=((79, 10.0),)),)
    turn = Turn(collector="health", duration=0, finding=health)
    node.state.take(Round(at=2, wall=2, driver="nvml", devices=CARDS, turns=(turn,)))
    node.failed_devices.hear_driver(node.state.driver_xids)

    assert (node.left_alone(), node.counts()) == ([0], {79: 1})


def test_a_dead_card_that_the_driver_never_listed_is_a_stranger(node):
    node.say(bus="0000:99:00")

    assert [one.pci_bus_id for one in node.failed_devices.strangers] == ["0000:99:00.0"]
