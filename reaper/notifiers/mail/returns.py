"""
Messages that came back: reports of mail servers, told from all else in the return address's box.

A report names the message it is about by its Message-ID.  A delay is no return.  The box is read,
never changed; whoever could put a false report there could stop an escalation, never start one.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from reaper.notifiers.texts import tame
from reaper.ports import NotifyError, Returned

MOST_BYTES: Final = 16 * 2**20
"""What is read of an mbox: its newest part."""

LONGEST: Final = 256 * 1024
"""Bytes of one report that are read: the message it brings back may be large."""

_ID: Final = re.compile(r"<[0-9a-f]{32}@[A-Za-z0-9.-]{1,253}>")
_LINE: Final = re.compile(rf"({_ID.pattern})\s+(.*)")


class Box:
    """The messages of a return address, each read once."""

    def __init__(self, *, maildir: Path | None, mbox: Path | None) -> None:
        self._maildir = maildir
        self._mbox = mbox
        self._known: dict[str, Returned | None] = {}
        self._state: tuple[int, int] = (0, 0)

    def read(self) -> tuple[Returned, ...]:
        """Return every report in the box; NotifyError when it cannot be read."""
        try:
            if self._maildir:
                self._read_folder(self._maildir)
            elif self._mbox:
                self._read_file(self._mbox)
        except OSError as error:
            text = f"mail: returned messages cannot be read: {error}"
            raise NotifyError(text, recoverable=True) from None
        return tuple(found for found in self._known.values() if found)

    def _read_folder(self, folder: Path) -> None:
        names = {entry.path for part in ("new", "cur") for entry in os.scandir(folder / part)}
        self._known = {name: found for name, found in self._known.items() if name in names}
        for name in names - self._known.keys():
            with suppress(FileNotFoundError), Path(name).open("rb") as file:
                self._known[name] = report(file.read(LONGEST))

    def _read_file(self, path: Path) -> None:
        status = path.stat()
        state = (status.st_mtime_ns, status.st_size)
        if state == self._state:
            return
        with path.open("rb") as file:
            file.seek(max(0, status.st_size - MOST_BYTES))
            content = file.read(MOST_BYTES)
        self._known = {str(at): report(text) for at, text in enumerate(_split(content))}
        self._state = state


def _split(content: bytes) -> Iterator[bytes]:
    """Split an mbox at its separator lines."""
    for text in re.split(rb"(?:^|\n)From [^\n]*\n", content):
        if text.strip():
            yield text[:LONGEST]


def listed(text: str) -> tuple[Returned, ...]:
    """Read what a site's own program printed: a line each, Message-ID and reason."""
    found = (_LINE.fullmatch(line.strip()) for line in text.splitlines())
    return tuple(Returned(handle=one[1], why=_why(one[2])) for one in found if one)


def report(content: bytes) -> Returned | None:
    """Return what a message reports as undeliverable; None when it reports no such thing."""
    message = message_from_bytes(content, policy=policy.default)
    if not _is_report(message):
        return None
    why = next(filter(None, map(_failed, _statuses(message))), "")
    found = _ID.search(_about(message))
    return Returned(handle=found[0], why=_why(why)) if why and found else None


def _is_report(message: EmailMessage) -> bool:
    kind = message.get_content_type()
    return kind == "multipart/report" and message.get_param("report-type") == "delivery-status"


def _statuses(message: EmailMessage) -> Iterator[Mapping[str, str]]:
    """Return the fields that a report gives for each recipient."""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status":
            for group in part.get_payload():
                if hasattr(group, "items"):
                    yield {name.lower(): str(value) for name, value in group.items()}


def _failed(fields: Mapping[str, str]) -> str:
    """Return why a recipient failed for good; an empty text when not."""
    if fields.get("action", "").strip().lower() != "failed":
        return ""
    said = fields.get("diagnostic-code", "").partition(";")[2].strip()
    return said or f"status {fields.get('status', 'not given').strip()}"


def _about(message: EmailMessage) -> str:
    """Return the heads of the message that came back, where its Message-ID stands."""
    texts = [str(message.get("In-Reply-To", "")), str(message.get("References", ""))]
    for part in message.walk():
        if part.get_content_type() in ("message/rfc822", "text/rfc822-headers"):
            texts[:0] = _message_ids(part)
    return " ".join(texts)


def _message_ids(part: EmailMessage) -> list[str]:
    payload = part.get_payload()
    if part.is_multipart() and isinstance(payload, list):
        return [str(one.get("Message-ID", "")) for one in payload if isinstance(one, EmailMessage)]
    heads = re.findall(r"(?im)^message-id:\s*(<[^>\s]+>)", str(payload))
    return [str(head) for head in heads]


def _why(text: str) -> str:
    return f"returned: {tame(text, longest=160)}"
