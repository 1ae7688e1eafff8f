"""
A letter set as an e-mail: text and HTML that say the same, and headers that machines heed.

The Message-ID follows from the notices alone, so that a message which is sent again, because its
fate is unknown, is the same message to every mail program.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as WIRE
from email.utils import format_datetime
from re import fullmatch
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from reaper.languages.language import Language, language
from reaper.notifiers.letters import write
from reaper.notifiers.mail.settings import MailSettings
from reaper.notifiers.texts import Answer, Message, paragraphs, tame
from reaper.ports import Letter
from reaper.schema.mail import ADDRESS

LONGEST_SUBJECT: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An answer as its reader sees it: with an address that asks first, or the command to type."""

    label: str
    address: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A message as it goes over the wire, and its Message-ID."""

    id: str
    content: bytes


def compose(letter: Letter, settings: MailSettings, *, now: float) -> Posted:
    """Return the message for a letter; raise ValueError when its person has no usable address."""
    address, written = _to(letter), write(letter)
    mail = _headed(letter, settings, now=now)
    words = language("notices", letter.person.language)
    links = tuple(_link(answer, letter.page) for answer in _one_of_each(written.answers, letter))
    mail.set_content(_text(written, links, words))
    mail.add_alternative(_page(written, links, words), subtype="html")
    mail["Content-Language"] = words.code
    name = tame(letter.person.contact or letter.person.name, longest=60)
    to = f"{_words('To', name)} <{address}>" if name else address
    subject = _words("Subject", tame(written.title, longest=LONGEST_SUBJECT))
    head = f"To: {to}\r\nSubject: {subject}\r\n".encode("ascii")
    return Posted(id=str(mail["Message-ID"]), content=head + mail.as_bytes(policy=WIRE))


def _headed(letter: Letter, settings: MailSettings, *, now: float) -> EmailMessage:
    """Return a message without a body, with all that is no free text in its head."""
    mail = EmailMessage()
    mail["From"] = Address("gpu-reaper", addr_spec=settings.sender)
    if settings.reply_to:
        mail["Reply-To"] = Address(addr_spec=settings.reply_to)
    mail["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    mail["Message-ID"] = message_id(letter, settings.domain)
    mail["References"] = f"<case-{_hash(letter.notice.case_id)}@{settings.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail["List-Id"] = f"gpu-reaper notices <gpu-reaper.{settings.domain}>"
    return mail


def _words(header: str, text: str) -> str:
    """
    Encode free text; EmailMessage itself loses spaces between encoded words where it folds.

    What looks encoded is encoded once more, so that nobody decodes what a person wrote.
    """
    simple = text.isascii() and "=?" not in text
    if simple and header == "To":
        return '"' + text.replace("\\", "").replace('"', "'") + '"'
    charset = None if simple else "utf-8"
    return Header(text, charset, header_name=header).encode(linesep="\r\n")


def message_id(letter: Letter, domain: str) -> str:
    """Return the Message-ID of a letter."""
    return f"<{_hash(*(notice.id for notice in letter.notices))}@{domain}>"


def _hash(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def _to(letter: Letter) -> str:
    address = letter.person.email
    if not fullmatch(ADDRESS, address):
        what = "has an e-mail address that cannot be used" if address else "has no e-mail address"
        raise ValueError(f"{tame(letter.person.user)} {what}; correct it where people are listed")
    return address


def _one_of_each(answers: Sequence[Answer], letter: Letter) -> Sequence[Answer]:
    """Leave out what its page offers anyway: the page of a link lets choose how long."""
    if not letter.page:
        return answers
    first = {(answer.allocation, answer.verb): answer for answer in reversed(answers)}
    return [answer for answer in answers if first[answer.allocation, answer.verb] is answer]


def _link(answer: Answer, page: str) -> Link:
    usable = page and answer.token
    address = f"{page}answer/{answer.token}?do={answer.verb}" if usable else ""
    return Link(label=answer.label, address=address, command=answer.command)


def _text(written: Message, links: Sequence[Link], words: Language) -> str:
    facts = [f"{label}: {value}" for label, value in written.facts]
    answers = [f"{link.label}: {link.address or link.command}" for link in links]
    warned = words.text("links") if any(link.address for link in links) else ""
    body = paragraphs(
        *(written.title, written.lead, facts, written.next, answers, warned, written.link)
    )
    return f"{body}\n"


def _page(written: Message, links: Sequence[Link], words: Language) -> str:
    return _ENVIRONMENT.get_template("mail.html").render(
        message=written,
        links=links,
        language=words.code,
        warned=words.text("links"),
        web=written.link.startswith(("https://", "http://")),
    )


_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("reaper.notifiers.mail"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
