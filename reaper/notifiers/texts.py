"""
What a notice says, as a value that every channel sets in its own way.

The figures are those of the notice's story, word for word those of the verdict.  A language is a
table of writers in a file of its own.  Names that users chose are tamed first: none can shape a
message.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from unicodedata import category
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reaper.domain.escalation.notice import NoticeKind, Story
from reaper.ports import Letter

LONGEST: Final = 200
"""Characters of a name or reason that a message shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A title, one sentence, labelled figures, what happens next, and where to read more."""

    title: str
    lead: str
    facts: tuple[tuple[str, str], ...] = ()
    next: tuple[str, ...] = field(default=())
    link: str = ""


Writer = Callable[[Story, ZoneInfo], Message]
"""Tells one kind of notice in one language, with instants in the person's zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How each kind of notice is told; `twice` is said where an earlier attempt may have come."""

    writers: Mapping[NoticeKind, Writer]
    twice: str


def write(letter: Letter) -> Message:
    """Write a letter for its person, in their language (English where it is not spoken)."""
    notice, person = letter.notice, letter.person
    languages = _languages()
    language = languages.get(person.language, languages["en"])
    message = language.writers[notice.kind](_tamed_story(notice.story), _zone(person.zone))
    return replace(message, next=(*message.next, language.twice)) if notice.repeats else message


def plain(message: Message) -> str:
    """Set a message as plain text: for a terminal, a mail, a notification."""
    facts = [f"{label}: {value}" for label, value in message.facts]
    parts = (message.title, message.lead, "\n".join(facts), "\n".join(message.next), message.link)
    return "\n\n".join(part for part in parts if part)


def tame(text: str, *, longest: int = LONGEST) -> str:
    """Return a foreign text on one line: no control or direction marks, no endless length."""
    begin = text[: longest * 8]
    clean = "".join(" " if category(letter)[0] in "CZ" else letter for letter in begin)
    line = " ".join(clean.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def local(at: float, zone: ZoneInfo) -> datetime:
    """Return an instant on a person's clock."""
    return datetime.fromtimestamp(at, zone)


def _languages() -> Mapping[str, Language]:
    from reaper.notifiers.english import ENGLISH

    return {"en": ENGLISH}


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _tamed_story(story: Story) -> Story:
    return replace(
        story,
        allocation=tame(story.allocation),
        user=tame(story.user),
        name=tame(story.name, longest=60),
        nodes=tuple(tame(node, longest=60) for node in story.nodes),
        model=tame(story.model, longest=60),
        reason=tame(story.reason),
        outcome=tame(story.outcome),
        policy=tame(story.policy, longest=60),
    )
