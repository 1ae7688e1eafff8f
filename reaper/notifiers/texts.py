"""
What a notice says, as a value that every channel sets in its own way.

Names that users chose are tamed first: none can shape a message.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from shlex import quote
from typing import Final, Literal
from unicodedata import category

from reaper.schema import duration

LONGEST: Final = 200
"""Characters of a name or reason that a message shows."""

Verb = Literal["keep", "until_morning", "release", "dispute"]
"""What a person may answer; each is a request of the same name."""


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
