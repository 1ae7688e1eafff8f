"""
A message brought up to date: what was told stands, what is next is what has become of it.

Answers that no longer help are gone.
"""

from collections.abc import Mapping
from dataclasses import replace

from reaper.domain.escalation.sequel import Sequel
from reaper.notifiers.texts import Message, spoken, tame, write, zone_of
from reaper.ports import Letter


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
    language = spoken(letter.person.language)
    until = "" if sequel.until is None else language.moment(sequel.until, zone_of(letter.person))
    by = tame(sequel.by, longest=60) or language.operator
    return language.fates[sequel.fate].format(by=by, until=until)
