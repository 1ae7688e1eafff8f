"""Every message as its reader sees it; the golden files are meant to be read."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from reaper.domain.escalation.notice import Notice
from reaper.domain.escalation.sequel import Fate, Sequel
from reaper.notifiers.letters import amended, write
from reaper.notifiers.slack.blocks import blocks, fallback
from reaper.notifiers.texts import plain
from reaper.ports import Letter
from tests.channels import MIRA, NOON, letter, notice
from tests.messages import LETTERS, spoken

Golden = Callable[[str, str], None]

BLAME = (
    *("waste", "abuse", "violat", "must ", "fail to", "!"),
    *("наруш", "винов", "обязан", "немедленно", "должны"),
)

LANGUAGES = {"en": "", "ru": "ru/"}
"""Folders of the golden files."""

EVERY = pytest.mark.parametrize(
    "written",
    [
        pytest.param(spoken(written, language), id=f"{name}-{language}")
        for name, written in LETTERS.items()
        for language in LANGUAGES
    ],
)


@pytest.mark.parametrize("name", LETTERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_reads(name: str, language: str, golden: Golden):
    text = plain(write(spoken(LETTERS[name], language)))

    golden(f"messages/{LANGUAGES[language]}{name}.txt", text + "\n")


@pytest.mark.parametrize("name", ["warning", "final-training", "operator"])
def test_a_message_is_set_for_slack(name: str, golden: Golden):
    message = write(LETTERS[name])
    told = {"text": fallback(message), "blocks": blocks(message)}

    golden(f"messages/{name}.slack.json", json.dumps(told, indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("name", [name for name in LETTERS if "would-be" in name])
def test_outside_act_mode_nothing_is_said_to_happen(name: str):
    text = plain(write(LETTERS[name]))

    assert "would be" in text or "would have been" in text
    assert " will be released" not in text


@pytest.mark.parametrize("name", [name for name in LETTERS if "would-be" in name])
def test_outside_act_mode_russian_says_so_too(name: str):
    text = plain(write(spoken(LETTERS[name], "ru")))

    assert re.search(r"\b(бы|было бы)\b", text)
    assert "будут освобождены" not in text


@EVERY
def test_no_one_is_blamed_and_nothing_shouts(written: Letter):
    text = plain(write(written)).lower()

    assert not any(word in text for word in BLAME)


@EVERY
def test_a_message_fits_on_a_screen(written: Letter):
    text = plain(write(written))

    assert len(text.splitlines()) <= 26
    assert max(map(len, text.splitlines())) <= 160


def test_times_are_those_of_the_readers_clock():
    there = replace(MIRA, zone="America/New_York")

    assert "Mon 30 Nov 05:15 EST" in plain(write(letter(notice(), to=there)))


@pytest.mark.parametrize("zone", ["", "Nowhere/At_All", "../etc/passwd"])
def test_a_zone_that_is_not_known_is_utc(zone: str):
    assert "10:15 UTC" in plain(write(letter(notice(), to=replace(MIRA, zone=zone))))


def test_a_language_that_is_not_spoken_is_english():
    written = write(spoken(LETTERS["warning"], "xx"))

    assert written.title.startswith("Your 2 GPUs")


def test_the_command_to_keep_names_the_allocation_and_the_longest_time():
    text = plain(write(LETTERS["final"]))

    assert 'gpu-reaper keep slurm/4711 --for 4h --reason "…"' in text
    assert "2 keeps left today" in text


def test_many_nodes_are_counted_rather_than_listed():
    wide: Notice = notice(nodes=tuple(f"gpu{number:02}" for number in range(9)))

    assert "on gpu00, gpu01, gpu02 and 6 more nodes" in write(letter(wide)).lead


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fate_is_told_when_a_message_is_brought_up_to_date(language: str, golden: Golden):
    written = spoken(LETTERS["final"], language)
    ident = written.notice.id
    told = [
        f"{fate}: {amended(written, {ident: sequel}).next[0]}"
        for fate in Fate
        if (sequel := Sequel(fate=fate, by="mira", until=NOON))
    ]

    golden(f"messages/{LANGUAGES[language]}fates.txt", "\n".join(told) + "\n")


@pytest.mark.parametrize(("language", "by"), [("en", "by an operator"), ("ru", "(оператор)")])
def test_what_an_operator_kept_is_told_without_a_name(language: str, by: str):
    written = spoken(LETTERS["final"], language)
    kept = Sequel(fate=Fate.KEPT, until=NOON)

    assert by in amended(written, {written.notice.id: kept}).next[0]
