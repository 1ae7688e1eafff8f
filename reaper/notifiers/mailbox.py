"""
Notices in a person's mailbox on this machine: one mbox file per user, as local mail is kept.

The file is the person's alone, so a delivery counts.  For workstations and the demo.
"""

import mailbox
from asyncio import to_thread
from email.message import EmailMessage
from pathlib import Path
from typing import Final, Literal

from reaper.notifiers.kind import ChannelSettings, Kind
from reaper.notifiers.letters import write
from reaper.notifiers.texts import plain, tame
from reaper.ports import Clock, Delivered, Letter, NotifyError


class MailboxSettings(ChannelSettings):
    """``{kind: mailbox, folder: /var/mail}``."""

    kind: Literal["mailbox"] = "mailbox"
    folder: Path = Path("/var/mail")
    """Folder with one mbox file per user."""


class Mailbox:
    """Appends each notice to its person's mailbox; whoever has left has none."""

    name = "mailbox"
    personal = True

    def __init__(self, settings: MailboxSettings, *, clock: Clock) -> None:
        self._folder = settings.folder
        self._clock = clock

    async def deliver(self, letter: Letter) -> Delivered:
        """Append the notice; a folder that is missing or full is a NotifyError."""
        if letter.person.left:
            raise NotifyError("mailbox: whoever has left reads none", recoverable=False)
        notice = letter.notice
        user = tame(letter.person.user)
        if "/" in user or user.startswith("."):
            raise NotifyError(f"mailbox: {user!r} names no mailbox", recoverable=False)
        text = write(letter)
        mail = EmailMessage()
        mail["Subject"] = text.title
        mail["From"] = "gpu-reaper"
        mail["To"] = user
        mail["Message-ID"] = f"<{notice.id.replace(' ', '_')}@gpu-reaper>"
        mail.set_content(plain(text))
        try:
            await to_thread(_append, self._folder / user, mail)
        except (OSError, mailbox.Error) as error:
            raise NotifyError(f"mailbox of {user}: {error}", recoverable=True) from error
        return Delivered(at=self._clock.now(), handle=notice.id)


def _append(path: Path, mail: EmailMessage) -> None:
    box = mailbox.mbox(path)
    try:
        box.lock()
        box.add(mail)
        box.flush()
    finally:
        box.unlock()
        box.close()


CHANNEL: Final = Kind(
    settings=MailboxSettings,
    personal=True,
    build=lambda settings, site: (Mailbox(settings, clock=site.clock),),
)
