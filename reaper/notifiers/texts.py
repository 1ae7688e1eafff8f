"""
What a notice says, as a value that every channel sets in its own way.

The figures are those of the notice's story, word for word those of the verdict.  A language is a
table of writers in a file of its own.  Names that users chose are tamed first: none can shape a
message.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from shlex import quote
from typing import Final, Literal
from unicodedata import category
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reaper.domain.escalation.notice import Notice, NoticeKind, Story
from reaper.domain.escalation.sequel import Fate
from reaper.ports import Letter, Person
from reaper.schema import duration

LONGEST: Final = 200
"""Characters of a name or reason that a message shows."""


Verb = Literal["keep", "until_morning", "release", "dispute"]
"""What a person may answer; each is a request of the same name."""

KEPT_SHORT: Final = 3600.0
"""Seconds of the shorter keep that is offered beside the longest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    One thing that its reader may answer, as a button, a link or a command.

    `confirm` is what is asked before it is done, "" where nothing need be asked; `seconds` is how
    long a keep lasts; `token` is the signed right to answer, "" where only the command is left.
    """

    verb: Verb
    label: str
    allocation: str
    confirm: str = ""
    seconds: float = 0.0
    token: str = ""

    @property
    def command(self) -> str:
        """Return what its reader may type instead."""
        name = quote(self.allocation)
        words = {
            "keep": f"keep {name} --for {duration(self.seconds)}",
            "until_morning": f"keep {name} --until-morning",
        }
        return f'gpu-reaper {words.get(self.verb) or f"{self.verb} {name}"} --reason "…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A title, one sentence, labelled figures, what happens next, answers, where to read more."""

    title: str
    lead: str
    facts: tuple[tuple[str, str], ...] = ()
    next: tuple[str, ...] = field(default=())
    answers: tuple[Answer, ...] = ()
    link: str = ""
    why: str = ""
    """What the link is called, in the reader's language."""
    back: str = ""
    """What leaves a question unanswered is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads, in which time zone."""

    zone: ZoneInfo
    absent: str = ""
    """Name of the person that has left for whom they answer; "" for nobody."""


Writer = Callable[[Story, Reader], Message]
"""Tells one kind of notice in one language, with instants in the reader's zone."""

Digest = Callable[[NoticeKind, tuple[Story, ...], Reader], Message]
"""Tells several notices of one kind at once."""

Asking = Callable[[Verb, Story, float], tuple[str, str]]
"""Names an answer that lasts so many seconds, and asks before it is done ("": need not)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """
    How everything is told in one language.

    `twice` is said where an earlier attempt may have come, `late` where it could not be told when
    it was due, `links` where links take the answers,
    `absent` where its reader answers for the person of that name, who has left, `fates` where a
    message is brought up to date (`{by}` and `{until}` are filled in), `operator` is whom they name
    for one; `why` is what a link is called, `back` what leaves a question; `moment` writes an
    instant.
    """

    writers: Mapping[NoticeKind, Writer]
    digest: Digest
    asking: Asking
    twice: str
    late: str
    links: str
    absent: str
    fates: Mapping[Fate, str]
    operator: str
    why: str
    back: str
    moment: Callable[[float, ZoneInfo], str]


# ------------------------------------------------------------------ letters


def write(letter: Letter) -> Message:
    """Write a letter for its person, in their language (English where it is not spoken)."""
    language, kind = spoken(letter.person.language), letter.notice.kind
    stories = tuple(_tamed_story(notice.story) for notice in letter.notices)
    reader = _reader(letter.person)
    if len(stories) > 1:
        message = replace(language.digest(kind, stories, reader), link=letter.page)
    else:
        message = language.writers[kind](stories[0], reader)
    absent = (language.absent.format(reader.absent),) if reader.absent else ()
    late = (language.late,) if any(story.late for story in stories) else ()
    again = (language.twice,) if any(notice.repeats for notice in letter.notices) else ()
    answers = tuple(
        answer
        for notice, story in zip(letter.notices, stories, strict=True)
        for answer in _answers(notice, story, language, letter)
    )
    return replace(
        message,
        next=(*absent, *late, *message.next, *again),
        answers=answers,
        why=language.why,
        back=language.back,
    )


def spoken(name: str) -> Language:
    """Return the language of a name; English where it is not spoken."""
    from reaper.notifiers.english import ENGLISH
    from reaper.notifiers.russian import RUSSIAN

    return {"ru": RUSSIAN}.get(name, ENGLISH)


def _answers(
    notice: Notice, story: Story, language: Language, letter: Letter
) -> tuple[Answer, ...]:
    """Return what may be answered to a notice: in a digest, the longest keep, else a dispute."""
    single = len(letter.notices) == 1
    several = offered(notice.kind, story)
    brief = tuple(pair for pair in several if pair[0] in ("keep", "dispute"))[:1]
    shown = several if single else brief
    return tuple(
        _answer(verb, lasting, story, language, letter.tokens.get(notice.id, ""), single=single)
        for verb, lasting in shown
    )


def _answer(
    verb: Verb, lasting: float, story: Story, language: Language, token: str, *, single: bool
) -> Answer:
    label, confirm = language.asking(verb, story, lasting)
    return Answer(
        verb=verb,
        label=label if single else f"{story.allocation}: {label}",
        allocation=story.allocation,
        confirm=confirm,
        seconds=lasting,
        token=token,
    )


def offered(kind: NoticeKind, story: Story) -> tuple[tuple[Verb, float], ...]:
    """Return the answers that are taken, keeps with their seconds; none to what one asked for."""
    if kind in ("operator", "advice") or story.own:
        return ()
    if kind not in ("warning", "final"):
        return (("dispute", 0.0),)
    keeps = story.keeps_left > 0 and story.keep_seconds > 0
    lengths = dict.fromkeys((story.keep_seconds, min(story.keep_seconds, KEPT_SHORT)))
    return (
        *((("keep", seconds) for seconds in lengths) if keeps else ()),
        *((("until_morning", 0.0),) if story.mornings_left > 0 else ()),
        ("release", 0.0),
        ("dispute", 0.0),
    )


# ------------------------------------------------------------------ setting


def plain(message: Message) -> str:
    """Set a message as plain text, with commands as answers: for a terminal, a log, a mailbox."""
    facts = [f"{label}: {value}" for label, value in message.facts]
    answers = [f"{answer.label}: {answer.command}" for answer in message.answers]
    return paragraphs(message.title, message.lead, facts, message.next, answers, message.link)


def paragraphs(*parts: str | Iterable[str]) -> str:
    """Join paragraphs, each a text or lines, with an empty line between; empty ones vanish."""
    texts = [part if isinstance(part, str) else "\n".join(part) for part in parts]
    return "\n\n".join(text for text in texts if text)


def tame(text: str, *, longest: int = LONGEST) -> str:
    """Return a foreign text on one line: no control or direction marks, no endless length."""
    begin = text[: longest * 8]
    clean = "".join(" " if category(letter)[0] in "CZ" else letter for letter in begin)
    line = " ".join(clean.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def local(at: float, zone: ZoneInfo) -> datetime:
    """Return an instant on a person's clock."""
    return datetime.fromtimestamp(at, zone)


def _reader(person: Person) -> Reader:
    name = tame(person.name or person.user, longest=60)
    return Reader(zone=zone_of(person), absent=name if person.left else "")


def zone_of(person: Person) -> ZoneInfo:
    """Return a person's time zone; UTC where there is none of that name."""
    try:
        return ZoneInfo(person.zone)
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
