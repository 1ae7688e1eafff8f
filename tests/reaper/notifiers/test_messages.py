"""Every message as its reader sees it; the golden files are meant to be read."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from reaper.domain.escalation.notice import Notice
from reaper.notifiers.slack.blocks import blocks, fallback
from reaper.notifiers.texts import plain, write
from tests.channels import MIRA, NOON, letter, notice

Golden = Callable[[str, str], None]

TRAINING = {
    "allocation": "slurm/815",
    "name": "resnet",
    "devices": 8,
    "nodes": ("gpu01", "gpu02"),
    "purpose": "training",
    "policy": "quiet-training",
    "reason": "8 of 8 GPUs idle for 5 h",
    "idle_since": NOON - 18000.0,
    "idle_seconds": 18000.0,
    "cost_per_hour": 15.2,
    "release_at": NOON + 3600.0,
    "can_save": True,
    "requeue": True,
    "keeps_left": 1,
}
DONE = {"release_at": None, "outcome": "the time limit was shrunk; gone at 13:02"}
REVERTED = {"release_at": None, "outcome": "its owner object started it again after 4 min"}
FAILED = {"release_at": None, "outcome": "scontrol: Access/permission denied"}

MESSAGES = {
    "warning": notice(),
    "warning-would-be": notice(would=True),
    "warning-one-gpu": notice(devices=1, cost_per_hour=None, page=""),
    "warning-without-release": notice(release_at=None),
    "warning-keeps-used-up": notice(keeps_left=0),
    "warning-repeated": replace(notice(), repeats=True),
    "final": notice("final"),
    "final-would-be": notice("final", would=True),
    "final-training": notice("final", **TRAINING),
    "final-training-would-be": notice("final", **TRAINING, would=True),
    "released": notice("released", **DONE),
    "released-would-be": notice("released", release_at=None, would=True),
    "released-training": notice("released", **TRAINING | DONE),
    "reverted": notice("reverted", **REVERTED),
    "failed": notice("failed", **FAILED),
    "operator": notice("operator", **FAILED),
    "operator-unknown-owner": notice("operator", **FAILED, user=""),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_reads(name: str, golden: Golden):
    golden(f"messages/{name}.txt", plain(write(letter(MESSAGES[name]))) + "\n")


@pytest.mark.parametrize("name", ["warning", "final-training", "operator"])
def test_a_message_is_set_for_slack(name: str, golden: Golden):
    message = write(letter(MESSAGES[name]))
    told = {"text": fallback(message), "blocks": blocks(message)}

    golden(f"messages/{name}.slack.json", json.dumps(told, indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("name", [name for name in MESSAGES if "would-be" in name])
def test_outside_act_mode_nothing_is_said_to_happen(name: str):
    text = plain(write(letter(MESSAGES[name])))

    assert "would be" in text or "would have been" in text
    assert " will be released" not in text
    assert "does not act yet" in text


@pytest.mark.parametrize("name", MESSAGES)
def test_no_one_is_blamed_and_nothing_shouts(name: str):
    text = plain(write(letter(MESSAGES[name]))).lower()

    assert not any(word in text for word in ("waste", "abuse", "violat", "must ", "fail to", "!"))


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_fits_on_a_screen(name: str):
    text = plain(write(letter(MESSAGES[name])))

    assert len(text.splitlines()) <= 26
    assert max(map(len, text.splitlines())) <= 160


def test_times_are_those_of_the_readers_clock():
    there = replace(MIRA, zone="America/New_York")

    assert "Mon 30 Nov 05:15 EST" in plain(write(letter(MESSAGES["warning"], to=there)))


@pytest.mark.parametrize("zone", ["", "Nowhere/At_All", "../etc/passwd"])
def test_a_zone_that_is_not_known_is_utc(zone: str):
    assert "10:15 UTC" in plain(write(letter(MESSAGES["warning"], to=replace(MIRA, zone=zone))))


def test_a_language_that_is_not_spoken_is_english():
    assert write(letter(MESSAGES["warning"], to=replace(MIRA, language="xx"))).title.startswith(
        "Your 2 GPUs"
    )


def test_the_command_to_keep_names_the_allocation_and_the_longest_time():
    text = plain(write(letter(MESSAGES["final"])))

    assert 'gpu-reaper keep slurm/4711 --for 4h --reason "…"' in text
    assert "2 keeps left today" in text


def test_many_nodes_are_counted_rather_than_listed():
    wide: Notice = notice(nodes=tuple(f"gpu{number:02}" for number in range(9)))

    assert "on gpu00, gpu01, gpu02 and 6 more nodes" in write(letter(wide)).lead
