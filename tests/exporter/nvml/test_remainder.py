"""Whatever the driver counts comes out: as a device, or as what could not be identified."""

import pytest

from exporter.sampling.driver import DriverAbsent
from exporter.sampling.snapshot import Device
from exporter.sampling.unidentified import Unidentified

GARBLED = "the UUID that the driver gives is no text"
NO_UTF8 = "the driver gives text that is no UTF-8"
GONE = "the GPU is lost: it fell off the bus"
FIRST = "00000000:01:00.0"


@pytest.fixture
def pair(node):
    """Two cards, the second of which is well."""
    return node, node.properties.add_hopper(), node.properties.add_hopper()


def rest(node):
    devices = node.open()
    return [device.index for device in devices], node.driver.unidentified


@pytest.mark.parametrize(
    ("change", "address", "reason"),
    [
        ({"lost": 1}, "", GONE),
        ({"fail.nvmlDeviceGetHandleByIndex_v2": 999}, "", "the driver reports an unknown error"),
        ({"fail.nvmlDeviceGetHandleByIndex_v2": 4}, "", "the driver refuses it to this user"),
        ({"fail.nvmlDeviceGetHandleByIndex_v2": 16}, "", "the GPU must be reset"),
        (
            {"fail.nvmlDeviceGetUUID": 15},
            "00000000:01:00.0",
            "the GPU is lost: it fell off the bus",
        ),
        ({"uuid.bytes": "f8b2aff8"}, FIRST, NO_UTF8),
        ({"uuid.bytes": "0102"}, FIRST, GARBLED),
        ({"uuid.bytes": ""}, FIRST, GARBLED),
        ({"uuid.bytes": "c3a4"}, FIRST, GARBLED),
    ],
)
def test_a_card_that_cannot_be_told_is_counted_beside_the_others(pair, change, address, reason):
    node, first, _ = pair
    node.properties.change({f"{first}.{key}": value for key, value in change.items()})

    assert rest(node) == ([1], (Unidentified(index=0, pci_bus_id=address, reason=reason),))


def test_two_cards_of_one_name_are_one_device_and_one_that_cannot_be_told(pair):
    node, first, second = pair
    node.properties.change({f"{second}.uuid": node.properties.properties[f"{first}.uuid"]})

    assert rest(node) == (
        [0],
        (
            Unidentified(
                index=1,
                pci_bus_id="00000000:02:00.0",
                reason="the driver gives it the UUID of another device",
            ),
        ),
    )


def test_a_node_whose_only_card_is_lost_still_has_a_driver(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.lost": 1})

    assert rest(node) == (
        [],
        (Unidentified(index=0, reason=GONE),),
    )


def test_a_card_that_hung_before_it_had_a_name_is_told_while_it_is_left_alone(pair):
    node, _, _ = pair
    node.driver.open()
    node.opened = True
    known = Device(uuid="GPU-x", index=1)

    assert node.driver.devices({0: (), 1: (known,)}) == (known,)
    assert [one.index for one in node.driver.unidentified] == [0]


def test_a_card_that_comes_back_is_no_longer_told_apart(pair):
    node, first, _ = pair
    node.properties.change({f"{first}.lost": 1})
    node.open()
    node.properties.change({f"{first}.lost": 0})

    assert ([one.index for one in node.look()], node.driver.unidentified) == ([0, 1], ())


# ------------------------------------------------------------------ MIG instances


@pytest.fixture
def cut(node):
    card = node.properties.add_hopper()
    node.properties.cut(card, "1g.10gb", "3g.40gb")
    return node


@pytest.mark.parametrize(
    ("change", "mig", "reason"),
    [
        ({"card0.mig1.uuid.bytes": "f8"}, "1", NO_UTF8),
        ({"card0.mig0.fail.nvmlDeviceGetUUID": 999}, "0", "the driver reports an unknown error"),
        ({"card0.mig0.fail.nvmlDeviceGetGpuInstanceId": 10}, "0", "the driver timed out"),
        (
            {"card0.fail.nvmlDeviceGetMaxMigDeviceCount": 999},
            "",
            "its MIG instances are not counted: the driver reports an unknown error",
        ),
    ],
)
def test_an_instance_that_cannot_be_read_is_counted(cut, change, mig, reason):
    cut.properties.change(change)
    cut.open()

    assert cut.driver.unidentified == (
        Unidentified(index=0, mig=mig, pci_bus_id=FIRST, reason=reason),
    )


def test_an_empty_place_for_an_instance_is_nothing(cut):
    cut.open()

    assert cut.driver.unidentified == ()


# ------------------------------------------------------------------ where it is


def function(sys, address, driver="nvidia", vendor="0x10de", kind="0x030200"):
    """Let the kernel list a function, served by a driver or by none."""
    folder = sys / "bus/pci/devices" / address
    folder.mkdir(parents=True)
    (folder / "vendor").write_text(f"{vendor}\n")
    (folder / "class").write_text(f"{kind}\n")
    if driver:
        (sys / "bus/pci/drivers" / driver).mkdir(parents=True, exist_ok=True)
        (folder / "driver").symlink_to(sys / "bus/pci/drivers" / driver)


def test_the_order_on_the_bus_says_where_a_lost_card_is(pair, tmp_path):
    node, first, _ = pair
    function(tmp_path / "sys", "0000:01:00.0")
    function(tmp_path / "sys", "0000:02:00.0")
    function(tmp_path / "sys", "0000:03:00.0", vendor="0x8086", driver="i915")
    function(tmp_path / "sys", "0000:04:00.0", kind="0x068000", driver="nvidia-nvswitch")
    node.properties.change({f"{first}.lost": 1})

    assert [one.pci_bus_id for one in rest(node)[1]] == ["0000:01:00.0"]


@pytest.mark.parametrize("addresses", [("0000:01:00.0",), ("0000:01:00.0", "0000:09:00.0"), ()])
def test_an_address_that_would_be_a_guess_is_not_told(pair, tmp_path, addresses):
    node, first, _ = pair
    for address in addresses:
        function(tmp_path / "sys", address)
    node.properties.change({f"{first}.lost": 1})

    assert [one.pci_bus_id for one in rest(node)[1]] == [""]


def test_a_card_that_no_driver_serves_is_told_by_its_address(pair, tmp_path):
    node, _, _ = pair
    function(tmp_path / "sys", "0000:07:00.0", driver="")
    function(tmp_path / "sys", "0000:08:00.0", driver="vfio-pci")

    assert rest(node) == (
        [0, 1],
        (
            Unidentified(
                pci_bus_id="0000:07:00.0", reason="it is on the PCI bus and no driver serves it"
            ),
        ),
    )


def test_a_node_without_any_card_has_no_driver(node):
    with pytest.raises(DriverAbsent, match="the driver lists no GPU"):
        node.open()
