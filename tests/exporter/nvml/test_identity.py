"""Who a device is, and when it is another one."""

from exporter.sampling.snapshot import Device


def test_a_card_says_who_it_is(node):
    node.properties.add_hopper()
    (device,) = node.open()

    assert (device.index, device.minor, device.pci_bus_id, device.model, device.architecture) == (
        0,
        0,
        "00000000:01:00.0",
        "NVIDIA H100 80GB HBM3",
        "hopper",
    )


def test_the_minor_number_need_not_be_the_index(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.minor": 3})

    assert node.open()[0].minor == 3


def test_what_is_not_known_is_left_empty(node):
    card = node.properties.add_hopper()
    node.properties.change(
        {
            f"{card}.fail.nvmlDeviceGetMinorNumber": 999,
            f"{card}.fail.nvmlDeviceGetPciInfo_v3": 999,
            f"{card}.fail.nvmlDeviceGetName": 999,
            f"{card}.fail.nvmlDeviceGetArchitecture": 13,
        }
    )
    (device,) = node.open()

    assert (device.minor, device.pci_bus_id, device.model, device.architecture) == (
        None,
        "",
        "",
        "",
    )


def test_a_generation_lasts_while_nothing_changes(node):
    node.properties.add_hopper()

    assert node.open() == node.look()


def test_a_reloaded_driver_is_another_generation(node, tmp_path):
    node.properties.add_hopper()
    before = node.open()[0].generation
    (tmp_path / "sys/module/nvidia").mkdir(parents=True)

    assert node.look()[0].generation != before


def test_another_driver_version_is_another_generation(node):
    node.properties.add_hopper()
    before = node.open()[0].generation
    node.properties.change({"driver": "600.00"})

    assert node.look()[0].generation != before


def test_another_boot_is_another_generation(node, tmp_path):
    node.properties.add_hopper()
    before = node.open()[0].generation
    (tmp_path / "proc/sys/kernel/random").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/random/boot_id").write_text("1234\n")

    assert node.look()[0].generation != before


def test_a_spared_card_is_listed_untouched(node):
    card = node.properties.add_hopper()
    node.properties.change({f"{card}.fail.nvmlDeviceGetHandleByIndex_v2": 999})
    known = Device(uuid="GPU-x", index=0)
    node.driver.open()

    assert node.driver.devices({0: (known,)}) == (known,)
