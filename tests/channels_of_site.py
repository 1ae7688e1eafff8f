"""The site's mail server, its own tool and its users' terminals as worlds for notifiers."""

import io
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from mailbox import mbox
from pathlib import Path
from pwd import getpwuid
from typing import Any

from reaper.edge.command import CommandMissingError, CommandTimeoutError, Finished
from reaper.notifiers import build
from reaper.notifiers.mail import Mail, MailSettings
from reaper.notifiers.mailbox import MailboxSettings
from reaper.notifiers.terminal import Terminal, TerminalSettings
from reaper.notifiers.webhook import Webhook, WebhookSettings
from reaper.ports import Clock
from tests.channels import Answers, World
from tests.fakes_smtp import PASSWORD, USER, smtp
from tests.fakes_webhook import KEY, webhook


def _patience(fault: str) -> float:
    """Return the seconds to wait: only what hangs need not be waited for."""
    return 0.5 if "hang" in fault else 20.0


@asynccontextmanager
async def mail(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open a mail server."""
    async with smtp() as fake:
        settings = mail_settings(folder, fake.port)
        (notifier,) = build(settings, clock=clock, stream=io.StringIO())
        assert isinstance(notifier, Mail)

        def fail(name: str) -> None:
            fake.fault = name
            notifier._settings = settings.model_copy(update={"timeout": _patience(name)})

        yield World(
            notifier=notifier,
            arrived=lambda: [_read(message) for _, _, message in fake.messages],
            fail=fail,
            attempts=lambda: fake.connections,
        )


@asynccontextmanager
async def hook(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open a site's own tool."""
    async with webhook() as fake:
        settings = webhook_settings(folder, fake.url)
        (notifier,) = build(settings, clock=clock, stream=io.StringIO())
        assert isinstance(notifier, Webhook)

        def fail(name: str) -> None:
            fake.fault = name
            notifier._settings = settings.model_copy(update={"timeout": _patience(name)})

        yield World(
            notifier=notifier,
            arrived=lambda: [body.decode() for body in fake.bodies],
            fail=fail,
            attempts=lambda: fake.attempts,
        )


def webhook_settings(folder: Path, url: str, **changes: Any) -> WebhookSettings:
    """Write the key to a file and the settings that name it."""
    key = folder / "webhook.key"
    key.write_text(f"{KEY}\n", encoding="utf-8")
    written = {"url": url, "key": {"file": str(key)}, "timeout": "20s"}
    return WebhookSettings.model_validate({**written, **changes})


@asynccontextmanager
async def local_mailbox(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open a folder of mailboxes."""
    place = folder / "mail"
    place.mkdir()
    (notifier,) = build(MailboxSettings(folder=place), clock=clock, stream=io.StringIO())
    tries: list[str] = []

    def fail(name: str) -> None:
        tries.append(name)
        if name == "no folder":
            place.rename(folder / "away")
        elif (folder / "away").exists():
            (folder / "away").rename(place)

    def arrived() -> list[str]:
        if not (place / "mira").exists():
            return []
        with closing(mbox(place / "mira")) as box:
            return [_kept(message) for message in box]

    yield World(
        notifier=notifier,
        arrived=arrived,
        fail=fail,
        attempts=lambda: len(tries),
    )


def _kept(message: Message) -> str:
    """Return what a person sees of a message in their mailbox."""
    whole = message_from_bytes(bytes(message), policy=policy.default)
    return f"{whole['Subject']}\n{whole.get_content()}"


@dataclass(slots=True)
class Shells:
    """A cluster whose jobs, and a machine whose user, have terminals."""

    fault: str = ""
    jobs: list[tuple[str, ...]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    async def run(
        self, argv: Sequence[str], *, environment: Mapping[str, str], within: float, limit: int
    ) -> Finished:
        """Be scontrol."""
        self.jobs.append(tuple(argv))
        if self.fault == "no scontrol":
            raise CommandMissingError("scontrol: No such file or directory")
        if self.fault == "scontrol hangs":
            raise CommandTimeoutError(f"scontrol did not answer in {within:g} s")
        if self.fault == "job is gone":
            return Finished(status=1, out="", err="slurm_notify_job error: Invalid job id\n")
        return Finished(status=0, out="", err="")

    def tell(self, uid: int, text: bytes) -> tuple[str, ...]:
        """Be the terminals of a user."""
        if self.fault:
            return ()
        self.shown.append(text.decode())
        return ("3",)


@asynccontextmanager
async def terminal(folder: Path, clock: Clock) -> AsyncIterator[World]:
    """Open terminals."""
    shells = Shells()
    notifier = Terminal(
        TerminalSettings(),
        clock=clock,
        runner=shells.run,
        environment={},
        account=lambda user: getpwuid(0),
        tell=shells.tell,
    )

    def fail(name: str) -> None:
        shells.fault = name

    yield World(
        notifier=notifier,
        arrived=lambda: list(shells.shown),
        fail=fail,
        attempts=lambda: len(shells.jobs),
    )


def mail_settings(folder: Path, port: int, **changes: Any) -> MailSettings:
    """Write the password to a file and the settings that name it."""
    password = folder / "smtp.password"
    password.write_text(f"{PASSWORD}\n", encoding="utf-8")
    written = {
        "server": f"127.0.0.1:{port}",
        "sender": "gpu-reaper@example.org",
        "user": USER,
        "password": {"file": str(password)},
        "timeout": "20s",
    }
    return MailSettings.model_validate({**written, **changes})


def _read(message: EmailMessage) -> str:
    """Return what a person sees of a message, as text."""
    body = message.get_body(("plain",))
    assert body is not None
    return f"{message['Subject']}\n{body.get_content()}"


MAIL: tuple[Answers, ...] = (
    ("busy", True, False, None),
    ("sign-in refused", False, False, None),
    ("sign-in later", True, False, None),
    ("sender refused", False, False, None),
    ("greylisted", True, False, None),
    ("mailbox full", True, False, None),
    ("no such person", False, False, None),
    ("error with the password in it", False, False, None),
    ("out of space", True, False, None),
    ("taken for spam", False, False, None),
    ("try the message later", True, False, None),
    ("garbled", False, True, None),
    ("hangs at once", True, False, None),
    ("hangs before the message", False, True, None),
    ("hangs after it", False, True, None),
    ("closes at once", True, False, None),
    ("closes before it", True, False, None),
    ("closes after it", False, True, None),
)

WEBHOOK: tuple[Answers, ...] = (
    ("moved", False, False, None),
    ("not found", False, False, None),
    ("signature refused", False, False, None),
    ("too many", True, False, 7.0),
    ("too many for an age", True, False, 3600.0),
    ("out of order", True, False, None),
    ("away", True, False, None),
    ("hangs", True, True, None),
    ("closes", True, True, None),
)

MAILBOX: tuple[Answers, ...] = (("no folder", True, False, None),)

TERMINAL: tuple[Answers, ...] = (
    ("no scontrol", False, False, None),
    ("scontrol hangs", False, True, None),
    ("job is gone", False, False, None),
)
