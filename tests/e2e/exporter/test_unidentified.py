"""A card without a name is on the page, in the log and in reports; its neighbour is measured."""

import json
import os
import subprocess
import sys

FIRST, SECOND = (f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in (0, 1))
REST = "gpunode_unidentified_device"
SM = "gpunode_sm_active_seconds_total"
LOST = "gpunode_device_lost"


def run(environment, *words):
    return subprocess.run(
        [sys.executable, "-m", "exporter", "--kernel-log", "", *words],
        check=False,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def test_a_garbled_card_is_told_once_and_the_other_is_measured(start, fake_library, fake_node):
    fake_node.add_hopper()
    fake_node.add_hopper()
    fake_node.change({"card0.uuid.bytes": "f8b2aff8"})
    running = start(environment=fake_node.environment(fake_library))
    page = running.page_when(lambda page: page.values(SM, gpu=SECOND))
    running.until(lambda: "cannot be identified" in running.log.read_text())

    assert page.labels(REST) == [
        {
            "index": "0",
            "mig": "",
            "pci_bus_id": "00000000:01:00.0",
            "reason": "the driver gives text that is no UTF-8",
        }
    ]
    assert page.value("gpunode_driver_up") == 1
    assert running.log.read_text().count("cannot be identified: GPU 0 at 00000000:01:00.0") == 1


def test_a_card_that_is_lost_at_the_start_is_told_until_it_has_a_name(
    start, fake_library, fake_node
):
    fake_node.add_hopper()
    fake_node.add_hopper()
    fake_node.change({"card0.lost": 1})
    running = start(environment=fake_node.environment(fake_library))
    running.page_when(lambda page: page.value(REST, index="0") == 1)
    fake_node.change({"card0.lost": 0})
    back = running.page_when(lambda page: page.value(LOST, gpu=FIRST) == 0)

    assert back.values(REST) == []


def test_a_card_that_hangs_before_it_has_a_name_is_told(start, fake_library, fake_node):
    fake_node.add_hopper()
    fake_node.add_hopper()
    fake_node.change({"card0.hang.nvmlDeviceGetUUID": 1})
    running = start(environment=fake_node.environment(fake_library))
    page = running.page_when(lambda page: page.values(SM, gpu=SECOND) and page.values(REST))

    assert [(one["index"], one["reason"]) for one in page.labels(REST)] == [
        ("0", "a driver call on this device did not return; it is left alone for a while")
    ]


def test_once_and_the_dump_show_it_and_say_why_there_is_no_gpu(fake_library, fake_node):
    fake_node.add_hopper()
    fake_node.change({"card0.lost": 1})
    environment = fake_node.environment(fake_library)
    done, dumped = run(environment, "--once"), run(environment, "--debug-dump")

    assert done.returncode == 1
    assert f'{REST}{{index="0",mig="",pci_bus_id="",reason="the GPU is lost' in done.stdout
    assert "no GPU: no GPU can be identified: GPU 0: the GPU is lost" in done.stderr
    assert json.loads(dumped.stdout)["unidentified"] == [
        "GPU 0: the GPU is lost: it fell off the bus"
    ]
