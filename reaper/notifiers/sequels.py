"""
A message brought up to date: what was told stands, what is next is what has become of it.

Answers that no longer help are gone.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from reaper.domain.escalation.sequel import Fate, Sequel
from reaper.notifiers.texts import Message, local, tame, write
from reaper.ports import Letter

Sentences = Mapping[Fate, str]
"""What is said of each fate; `{by}` and `{until}` are filled in."""

ENGLISH: Final[Sentences] = {
    Fate.KEPT: "Kept until {until}, by {by}.",
    Fate.DISPUTED: "Disputed: nothing happens to it until an operator has looked.",
    Fate.ASKED: "{by} asked for its release, which is under way.",
    Fate.RETURNED: "It is in use again: this notice is over.",
    Fate.RELEASED: "It was released.",
    Fate.GIVEN_BACK: "It was released, as {by} asked. Thank you.",
    Fate.REPLACED: "A newer message tells how it stands.",
    Fate.PASSED: "This notice is over: nothing more follows from it.",
}

RUSSIAN: Final[Sentences] = {
    Fate.KEPT: "Оставлено до {until} ({by}).",
    Fate.DISPUTED: "Оспорено: ничего не произойдёт, пока не посмотрит оператор.",
    Fate.ASKED: "Запрошено освобождение ({by}), оно выполняется.",
    Fate.RETURNED: "Снова используется: это уведомление больше не действует.",
    Fate.RELEASED: "Ресурсы освобождены.",
    Fate.GIVEN_BACK: "Освобождено по запросу ({by}). Спасибо.",
    Fate.REPLACED: "Как обстоят дела, говорит более новое сообщение.",
    Fate.PASSED: "Это уведомление больше не действует: за ним ничего не последует.",
}

_SPOKEN: Final[Mapping[str, Sentences]] = {"ru": RUSSIAN}


def amended(letter: Letter, sequels: Mapping[str, Sequel]) -> Message:
    """Write a letter as it stands now, given the sequels of its notices by id."""
    message = write(letter)
    over = {letter.tokens.get(ident, "") for ident in sequels}
    several = len(letter.notices) > 1
    told = tuple(
        f"{tame(notice.story.allocation)}: {said}" if several else said
        for notice in letter.notices
        if (said := _said(letter, sequels.get(notice.id)))
    )
    standing = message.next if len(sequels) < len(letter.notices) else ()
    answers = tuple(answer for answer in message.answers if answer.token not in over)
    return replace(message, next=(*told, *standing), answers=answers)


def _said(letter: Letter, sequel: Sequel | None) -> str:
    if sequel is None:
        return ""
    person = letter.person
    sentences = _SPOKEN.get(person.language, ENGLISH)
    until = "" if sequel.until is None else _moment(sequel.until, person.zone)
    return sentences[sequel.fate].format(by=tame(sequel.by, longest=60), until=until)


def _moment(at: float, zone: str) -> str:
    try:
        there = ZoneInfo(zone)
    except (KeyError, ValueError):
        there = ZoneInfo("UTC")
    return f"{local(at, there):%Y-%m-%d %H:%M %Z}"
