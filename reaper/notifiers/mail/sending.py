"""
Sending one message: a connection of its own, each step with its meaning, no second try.

Until the message goes out a failure means that nothing arrived; after that only the server's own
refusal does.
"""

import os
import ssl
from asyncio import timeout, to_thread
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from email.errors import MessageError
from typing import TYPE_CHECKING, Final

from reaper.domain.escalation.hearing import Hearing
from reaper.edge.command import CommandError, Runner, run
from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.ear import Ear
from reaper.notifiers.mail import replies
from reaper.notifiers.mail.bulletin import Bulletin, bind
from reaper.notifiers.mail.message import Posted, compose
from reaper.notifiers.mail.returns import Box, listed
from reaper.notifiers.mail.settings import MailSettings, ReturnsSettings
from reaper.ports import Clock, Delivered, Letter, NotifyError, Returned

if TYPE_CHECKING:
    from aiosmtplib import SMTP


_GOODBYE: Final = 2.0
"""Seconds for the server to say good-bye."""


_PAUSE: Final = 60.0
"""Seconds between two looks at what came back."""


def _nobody(_: Hearing) -> None:
    """Tell nobody, until somebody wants to know."""


class Mail:
    """Sends each notice to its person's address."""

    name = "mail"
    personal = True

    def __init__(self, settings: MailSettings, *, clock: Clock, runner: Runner = run) -> None:
        self._settings = settings
        self._clock = clock
        self._run = runner
        returns = settings.returns
        self._box = Box(maildir=returns.maildir, mbox=returns.mbox) if returns else None
        self._asked = -_PAUSE
        self.ear = Ear(channel=self.name, clock=clock, tell=_nobody) if returns else None
        """Whether what comes back is heard; None where nobody listens for it."""

    async def returned(self) -> Sequence[Returned]:
        """Return the messages that came back, at most once a minute."""
        returns, now = self._settings.returns, self._clock.elapsed()
        if returns is None or self.ear is None or now - self._asked < _PAUSE:
            return ()
        self._asked = now
        try:
            found = await self._found(returns)
        except NotifyError as error:
            self.ear.deaf(str(error))
            raise
        self.ear.hears()
        return found

    async def _found(self, returns: ReturnsSettings) -> Sequence[Returned]:
        if returns.command:
            return listed(await self._listing(returns.command))
        box = self._box
        return await to_thread(box.read) if box is not None else ()

    async def _listing(self, command: Sequence[str]) -> str:
        environment = {"PATH": os.environ.get("PATH", os.defpath)}
        try:
            told = await self._run(command, environment=environment, within=15.0, limit=1 << 20)
        except CommandError as error:
            raise NotifyError(f"mail: returned messages: {error}", recoverable=True) from None
        if told.status:
            text = f"mail: returned messages: {command[0]} ended with status {told.status}"
            raise NotifyError(text, recoverable=True)
        return told.out

    async def deliver(self, letter: Letter) -> Delivered:
        """Send once; delivered means that the server has accepted it for this person."""
        try:
            mail = compose(letter, self._settings, now=self._clock.now())
        except ValueError as error:
            raise NotifyError(f"mail: {error}", recoverable=False) from None
        await self._send(mail, letter.person.email)
        return Delivered(at=self._clock.now(), handle=mail.id)

    async def post(self, bulletin: Bulletin, address: str) -> str:
        """Send what is no notice once; return its Message-ID, or raise NotifyError."""
        try:
            mail = bind(bulletin, address, self._settings, now=self._clock.now())
        except (ValueError, MessageError) as error:
            raise NotifyError(f"mail: {address!r}: {error}", recoverable=False) from None
        await self._send(mail, address)
        return mail.id

    async def knock(self) -> None:
        """Connect, sign in and offer the sender, without a message; raise NotifyError."""
        trip = _Trip()
        async with _judged(trip), timeout(self._settings.timeout), self._connected(trip) as server:
            trip.step = "the sender"
            await server.mail(self._settings.sender)

    async def _send(self, mail: Posted, address: str) -> None:
        trip = _Trip()
        async with _judged(trip), timeout(self._settings.timeout), self._connected(trip) as server:
            trip.step = "the sender"
            await server.mail(self._settings.sender)
            trip.step = "the recipient"
            await server.rcpt(address)
            trip.step, trip.sent = "the message", True
            await server.data(mail.content)
            trip.accepted = True

    @asynccontextmanager
    async def _connected(self, trip: "_Trip") -> AsyncIterator["SMTP"]:
        """Open a connection, safe and signed in as the settings say, and say good-bye after."""
        from aiosmtplib import SMTP

        settings = self._settings
        password = trip.private = _password(settings)
        context = _context(settings)
        server = SMTP(
            hostname=settings.server.host,
            port=settings.server.port,
            use_tls=settings.secured == "tls",
            start_tls=False,
            tls_context=context,
            timeout=settings.timeout,
            local_hostname="localhost" if settings.server.loopback else None,
        )
        try:
            await server.connect()
            if settings.secured == "starttls":
                trip.step = "STARTTLS"
                await server.ehlo()
                if not server.supports_extension("starttls"):
                    raise trip.refused(502, "not offered")
                await server.starttls(tls_context=context)
            if password:
                trip.step = "the sign-in"
                await _sign_in(server, settings.user, password)
            yield server
            with suppress(Exception):
                await server.quit(timeout=_GOODBYE)
        finally:
            server.close()


async def _sign_in(server: "SMTP", user: str, password: str) -> None:
    """Sign in once: to try every way with a wrong password could lock the account."""
    await server.ehlo()
    if "plain" in server.supported_auth_methods:
        await server.auth_plain(user, password)
    elif "login" in server.supported_auth_methods:
        await server.auth_login(user, password)
    else:
        await server.login(user, password)


class _Trip:
    """How far a message has come."""

    step = "the connection"
    sent = False
    accepted = False
    private = ""

    def refused(self, code: int, reply: str) -> NotifyError:
        """Return the error for a reply that refuses this step."""
        return replies.refused(self.step, code, reply, private=self.private)

    def lost(self, why: str) -> NotifyError:
        """Return the error for a connection that is lost at this step."""
        return replies.unclear(why) if self.sent else replies.unreachable(why)


@asynccontextmanager
async def _judged(trip: _Trip) -> AsyncIterator[None]:
    """Turn whatever a step raises into a NotifyError; none is chained, they carry what was sent."""
    from aiosmtplib import (
        SMTPException,
        SMTPNotSupported,
        SMTPRecipientsRefused,
        SMTPResponseException,
    )

    try:
        yield
    except SMTPResponseException as error:
        if not 400 <= error.code < 600:
            raise trip.lost("gave a reply that is not SMTP's") from None
        raise trip.refused(error.code, error.message) from None
    except SMTPRecipientsRefused as error:
        raise trip.refused(error.recipients[0].code, error.recipients[0].message) from None
    except SMTPNotSupported:
        raise trip.refused(502, "not offered") from None
    except ssl.SSLError as error:
        raise replies.unsafe(error.reason or type(error).__name__) from None
    except TimeoutError:
        if not trip.accepted:
            raise trip.lost("did not answer in time") from None
    except (SMTPException, OSError, EOFError, ValueError) as error:
        if isinstance(error.__cause__, ssl.SSLError):
            raise replies.unsafe(error.__cause__.reason or "TLS") from None
        raise trip.lost(f"broke off ({type(error).__name__})") from None


def _password(settings: MailSettings) -> str:
    try:
        return secret(settings.password) if settings.password else ""
    except SecretError as error:
        raise NotifyError(f"mail: {error}", recoverable=False) from None


def _context(settings: MailSettings) -> ssl.SSLContext | None:
    if settings.secured == "none":
        return None
    try:
        return ssl.create_default_context(cafile=settings.ca)
    except (OSError, ssl.SSLError) as error:
        text = f"mail: {settings.ca} holds no usable authority: {error.strerror or error}"
        raise NotifyError(text, recoverable=False) from None
