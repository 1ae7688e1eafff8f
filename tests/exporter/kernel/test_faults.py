"""One table of what the kernel's words mean, and the alerts and documents that follow it."""

import re

import pytest
import yaml

from exporter.kernel.faults import XIDS, of_xid, recovers
from tests.project import ROOT

ALERTS = yaml.safe_load((ROOT / "alerts/gpu-reaper.yaml").read_text(encoding="utf-8"))
RULES = {rule["alert"]: rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]}
NAMED = {
    name: [int(number) for number in found[1].split("|")]
    for name, expression in RULES.items()
    if (found := re.search(r'xid=~?"([\d|]+)"', expression))
}
MEANINGS = {
    "GpuXidStopped": {"lost", "firmware"},
    "GpuXidReset": {"reset"},
    "GpuXidMemory": {"memory"},
    "GpuXidMemoryContained": {"memory"},
    "GpuXidLink": {"link"},
}


@pytest.mark.parametrize(
    ("number", "meaning", "stops"),
    [
        (79, "lost", True),
        (167, "lost", True),
        (62, "firmware", True),
        (119, "firmware", True),
        (120, "firmware", True),
        (158, "firmware", True),
        (143, "firmware", False),
        (109, "reset", False),
        (48, "memory", False),
        (63, "memory", False),
        (94, "memory", False),
        (95, "memory", False),
        (140, "memory", False),
        (74, "link", False),
        (149, "link", False),
        (13, "application", False),
        (31, "application", False),
        (43, "application", False),
        (154, "other", False),
        (9999, "other", False),
    ],
)
def test_an_xid_has_a_meaning(number, meaning, stops):
    fault = of_xid(number)

    assert (fault.meaning, fault.stops) == (meaning, stops)


@pytest.mark.parametrize(
    ("action", "words", "stops"),
    [
        ("0x1 (GPU Reset Required)", "the driver wants it reset", True),
        ("0x1 (PF FLR)", "the driver wants it reset", True),
        ("0x2 (Node Reboot Required)", "the driver wants the node rebooted", True),
        ("0x3 (Drain P2P)", "the driver wants its peers to let go of it", False),
        ("0x4 (Drain and Reset)", "the driver wants it emptied, then reset", False),
        ("0x0 (None)", "a note, or not in the catalogue", False),
        ("0x", "a note, or not in the catalogue", False),
    ],
)
def test_a_wish_of_the_driver_is_read(action, words, stops):
    text = f", GPU recovery action changed from 0x0 (None) to {action}"
    fault = of_xid(154, text)

    assert (fault.words, fault.stops, recovers(154, text)) == (words, stops, "(None)" in action)


def test_every_alert_names_numbers_of_its_own_meaning():
    found = {name: {XIDS[number].meaning for number in numbers} for name, numbers in NAMED.items()}

    assert found == MEANINGS


def test_everything_that_stops_a_card_raises_an_alert():
    assert {number for number, fault in XIDS.items() if fault.stops} <= set(NAMED["GpuXidStopped"])


def test_every_error_of_the_memory_or_a_reset_raises_an_alert():
    told = {number for numbers in NAMED.values() for number in numbers}
    meant = {number for number, fault in XIDS.items() if fault.meaning in {"memory", "reset"}}

    assert meant <= told


def test_the_documents_name_every_number_that_stops_a_card():
    page = (ROOT / "docs/exporter.md").read_text(encoding="utf-8")
    stopping = {number for number, fault in XIDS.items() if fault.stops}

    assert stopping <= {int(number) for number in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
