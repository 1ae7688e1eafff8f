"""
What a notice says, as a value that every channel sets in its own way.

The figures are those of the notice's story, word for word those of the verdict.  A language is a
table of writers in a file of its own.  Names that users chose are tamed first: none can shape a
message.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal
from unicodedata import category
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reaper.domain.escalation.notice import NoticeKind, Story
from reaper.ports import Letter
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
        words = {
            "keep": f"keep {self.allocation} --for {duration(self.seconds)}",
            "until_morning": f"keep {self.allocation} --until-morning",
        }
        return f'gpu-reaper {words.get(self.verb) or f"{self.verb} {self.allocation}"} --reason "…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A title, one sentence, labelled figures, what happens next, answers, where to read more."""

    title: str
    lead: str
    facts: tuple[tuple[str, str], ...] = ()
    next: tuple[str, ...] = field(default=())
    answers: tuple[Answer, ...] = ()
    link: str = ""


Writer = Callable[[Story, ZoneInfo], Message]
"""Tells one kind of notice in one language, with instants in the person's zone."""


Asking = Callable[[Verb, Story, float], tuple[str, str]]
"""Names an answer that lasts so many seconds, and asks before it is done ("": need not)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How each kind of notice is told; `twice` is said where an earlier attempt may have come."""

    writers: Mapping[NoticeKind, Writer]
    asking: Asking
    twice: str


def write(letter: Letter) -> Message:
    """Write a letter for its person, in their language (English where it is not spoken)."""
    notice, person = letter.notice, letter.person
    languages = _languages()
    language = languages.get(person.language, languages["en"])
    story = _tamed_story(notice.story)
    message = language.writers[notice.kind](story, _zone(person.zone))
    again = (language.twice,) if notice.repeats else ()
    token = letter.tokens.get(notice.id, "")
    return replace(
        message,
        next=(*message.next, *again),
        answers=_answers(notice.kind, story, language, token),
    )


def _answers(kind: NoticeKind, story: Story, language: Language, token: str) -> tuple[Answer, ...]:
    """Return what may be answered to a notice of this kind."""
    told = [
        (verb, lasting, language.asking(verb, story, lasting))
        for verb, lasting in offered(kind, story)
    ]
    return tuple(
        Answer(
            verb=verb,
            label=label,
            allocation=story.allocation,
            confirm=confirm,
            seconds=lasting,
            token=token,
        )
        for verb, lasting, (label, confirm) in told
    )


def offered(kind: NoticeKind, story: Story) -> tuple[tuple[Verb, float], ...]:
    """Return the answers that are taken, keeps with their seconds; none by an operator's notice."""
    if kind == "operator":
        return ()
    if kind not in ("warning", "final"):
        return (("dispute", 0.0),)
    keeps = story.keeps_left > 0 and story.keep_seconds > 0
    lasting = (
        (story.keep_seconds, KEPT_SHORT)
        if story.keep_seconds > KEPT_SHORT
        else (story.keep_seconds,)
    )
    return (
        *((("keep", seconds) for seconds in lasting) if keeps else ()),
        *((("until_morning", 0.0),) if story.mornings_left > 0 else ()),
        ("release", 0.0),
        ("dispute", 0.0),
    )


def plain(message: Message) -> str:
    """Set a message as plain text, with commands as answers: for a terminal, a log, a mail."""
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
