"""The kernel log stops calls to a dead card, whatever the driver does meanwhile."""

import os

import pytest

FIRST, SECOND = (f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in (0, 1))
SM = "gpunode_sm_active_seconds_total"
XID = "gpunode_xid_errors_total"
LOST = "gpunode_device_lost"
STUCK = "gpunode_driver_call_stuck_seconds"
BUS = "0000:01:00"


def say(exporter, text):
    with exporter.kernel_log.open("a") as log:
        log.write(f"{text}\n")


def xid(number, bus=BUS):
    return f"NVRM: Xid (PCI:{bus}): {number}, pid=1, name=python3"


def bus_of_first(exporter):
    page = exporter.page()
    (labels,) = [one for one in page.labels("gpunode_info") if one["gpu"] == FIRST]
    return labels["pci_bus_id"].lower().removeprefix("0000").removesuffix(".0")


def test_a_dead_card_is_not_called_any_more_and_the_other_is_measured(exporter, fake_node):
    say(exporter, xid(79, bus_of_first(exporter)))
    dead = exporter.page_when(lambda page: page.value(LOST, gpu=FIRST) == 1)
    worker = exporter.worker()
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1, "card0.lost": 1})
    later = exporter.page_when(
        lambda page: page.value(SM, gpu=SECOND) > dead.value(SM, gpu=SECOND) + 2
    )

    assert later.values(STUCK) == []
    assert later.value(XID, gpu=FIRST, xid="79") == 1
    assert later.value(SM, gpu=FIRST) == dead.value(SM, gpu=FIRST)
    assert exporter.worker() == worker
    assert {
        labels["reason"].partition(":")[0]
        for labels in later.labels("gpunode_signal_info")
        if labels["gpu"] == FIRST and labels["signal"] == "sm"
    } == {"Xid 79"}


def test_a_fall_in_three_lines_without_an_xid_does_the_same(exporter, fake_node):
    bus = f"0000:{bus_of_first(exporter).removeprefix('0000:')}.0"
    prefix = "Nov 30 06:00:00 n1 kernel: "
    for line in (
        f"NVRM: The NVIDIA GPU {bus}",
        "               NVRM: (PCI ID: 10de:26b5) installed in this system has",
        "NVRM: Xid (PCI:0000:c1:00): 31, pid=1, name=python3",
        "               NVRM: fallen off the bus and is not responding to commands.",
    ):
        say(exporter, f"{prefix}{line}")
    dead = exporter.page_when(lambda page: page.value(LOST, gpu=FIRST) == 1)
    worker = exporter.worker()
    fake_node.change({"card0.hang.nvmlDeviceGetUtilizationRates": 1})
    later = exporter.page_when(
        lambda page: page.value(SM, gpu=SECOND) > dead.value(SM, gpu=SECOND) + 2
    )

    assert (later.values(STUCK), exporter.worker()) == ([], worker)
    assert (later.value(LOST, gpu=FIRST), later.value(LOST, gpu=SECOND)) == (1, 0)
    assert {
        labels["reason"].partition(";")[0]
        for labels in later.labels("gpunode_signal_info")
        if labels["gpu"] == FIRST and labels["signal"] == "sm"
    } == {"it fell off the bus"}


def test_xids_are_counted_while_the_driver_hangs(exporter, fake_node):
    bus = bus_of_first(exporter)
    fake_node.change({"hang.nvmlDeviceGetUtilizationRates": 1})
    exporter.page_when(lambda page: page.values(STUCK))
    say(exporter, xid(31, bus))
    page = exporter.page_when(lambda page: page.value(XID, gpu=FIRST, xid="31") == 1)

    assert page.value(XID, gpu=FIRST, xid="31") == 1


def test_a_loaded_driver_brings_the_card_back(exporter):
    say(exporter, xid(119, bus_of_first(exporter)))
    dead = exporter.page_when(lambda page: page.value(LOST, gpu=FIRST) == 1)
    say(exporter, "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  595.71.05")
    back = exporter.page_when(
        lambda page: (
            page.value(LOST, gpu=FIRST) == 0
            and page.value(SM, gpu=FIRST) > dead.value(SM, gpu=FIRST)
        )
    )

    assert back.value(XID, gpu=FIRST, xid="119") == 1


def test_a_kernel_log_that_is_closed_costs_itself_alone(start, fake_library, fake_node, tmp_path):
    fake_node.add_hopper()
    running = start(
        "--kernel-log", str(tmp_path / "none"), environment=fake_node.environment(fake_library)
    )
    page = running.page_when(lambda page: page.values(SM))
    (source,) = [one for one in page.labels("gpunode_source_info") if one["source"] == "kernel_log"]

    assert (source["state"], source["reason"].endswith("No such file or directory")) == (
        "failing",
        True,
    )


def test_the_kernels_own_log_can_be_listened_to(start, fake_library, fake_node):
    if not os.access("/dev/kmsg", os.R_OK):
        pytest.skip("the kernel log is closed to this user")
    fake_node.add_hopper()
    running = start("--kernel-log", "/dev/kmsg", environment=fake_node.environment(fake_library))
    page = running.page_when(lambda page: page.values(SM))

    assert {"source": "kernel_log", "state": "ok", "reason": ""} in page.labels(
        "gpunode_source_info"
    )
