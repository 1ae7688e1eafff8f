"""Messages as Slack gets them, buttons included; the golden files are meant to be read."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from reaper.domain.escalation.notice import NoticeKind
from reaper.domain.escalation.sequel import Fate, Sequel
from reaper.notifiers.letters import amended, write
from reaper.notifiers.slack.blocks import blocks, fallback
from reaper.notifiers.texts import Message
from reaper.ports import Letter
from tests.channels import MIRA, NOON, notice

Golden = Callable[[str, str], None]


def letter(count: int = 1, *, kind: NoticeKind = "final", language: str = "en") -> Letter:
    """Return a letter whose rights to answer are names, so that they can be read."""
    notices = tuple(
        replace(notice(kind, allocation=f"slurm/{4711 + number}", mornings_left=1), id=f"n{number}")
        for number in range(count)
    )
    rights = {item.id: f"the right to answer {item.id}" for item in notices}
    person = replace(MIRA, language=language)
    return Letter(notices=notices, person=person, tokens=rights, page="https://gpus.example.org/")


KEPT: Mapping[str, Sequel] = {"n0": Sequel(fate=Fate.KEPT, by="mira", until=NOON + 14400.0)}

GALLERY = {
    "final": write(letter()),
    "final-ru": write(letter(language="ru")),
    "digest": write(letter(6, kind="warning")),
    "released": write(letter(kind="released")),
    "kept": amended(letter(), KEPT),
    "kept-ru": amended(letter(language="ru"), KEPT),
    "digest-kept": amended(letter(6, kind="warning"), KEPT),
}


@pytest.mark.parametrize("name", GALLERY)
def test_a_message_is_set_with_its_buttons(name: str, golden: Golden):
    message: Message = GALLERY[name]
    told = {"text": fallback(message), "blocks": blocks(message)}

    golden(f"messages/slack/{name}.json", json.dumps(told, indent=2, ensure_ascii=False) + "\n")
