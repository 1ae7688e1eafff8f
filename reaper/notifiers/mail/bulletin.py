"""
A page for many, set as an e-mail with its enclosures: no notice, and nothing to answer.

Its Message-ID follows from what it is and for whom, so that one which is sent again, because its
fate is unknown, is the same message to every mail program.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from re import fullmatch
from typing import Final

from reaper.notifiers.mail.message import Posted
from reaper.notifiers.mail.settings import MailSettings
from reaper.notifiers.texts import tame
from reaper.schema.mail import ADDRESS

_LONGEST: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """A file that goes with it; `kind` is its media type."""

    name: str
    kind: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulletin:
    """What is sent: the same in text and HTML, and files; `id` is unique for ever."""

    id: str
    subject: str
    text: str
    html: str
    enclosures: tuple[Enclosure, ...] = ()


def bind(bulletin: Bulletin, address: str, settings: MailSettings, *, now: float) -> Posted:
    """Return the message for one address; raise ValueError for one that mail cannot go to."""
    if not fullmatch(ADDRESS, address):
        raise ValueError("is no address that mail can go to")
    mail = EmailMessage()
    mail["From"] = Address("gpu-reaper", addr_spec=settings.sender)
    if settings.reply_to:
        mail["Reply-To"] = Address(addr_spec=settings.reply_to)
    mail["To"] = Address(addr_spec=address)
    mail["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    digest = hashlib.sha256(f"{bulletin.id}\0{address}".encode()).hexdigest()[:32]
    mail["Message-ID"] = f"<{digest}@{settings.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail["List-Id"] = f"gpu-reaper reports <gpu-reports.{settings.domain}>"
    mail.set_content(bulletin.text)
    mail.add_alternative(bulletin.html, subtype="html")
    for item in bulletin.enclosures:
        main, _, sub = item.kind.partition("/")
        mail.add_attachment(item.content, maintype=main, subtype=sub, filename=item.name)
    head = f"Subject: {_subject(bulletin.subject)}\r\n".encode("ascii")
    return Posted(id=str(mail["Message-ID"]), content=head + mail.as_bytes(policy=SMTP))


def _subject(text: str) -> str:
    """Encode a subject; EmailMessage itself begins a long one on a line of its own."""
    line = tame(text, longest=_LONGEST)
    charset = None if line.isascii() else "utf-8"
    return Header(line, charset, header_name="Subject").encode(linesep="\r\n")
