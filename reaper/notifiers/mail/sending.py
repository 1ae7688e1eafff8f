"""
Sending one message: a connection of its own, each step with its meaning, no second try.

Until the message goes out a failure means that nothing arrived; after that only the server's own
refusal does.
"""

import ssl
from asyncio import timeout
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.mail import replies
from reaper.notifiers.mail.message import Posted, compose
from reaper.notifiers.mail.settings import MailSettings
from reaper.ports import Clock, Delivered, Letter, NotifyError

if TYPE_CHECKING:
    from aiosmtplib import SMTP


_GOODBYE: Final = 2.0
"""Seconds for the server to say good-bye."""


class Mail:
    """Sends each notice to its person's address."""

    name = "mail"
    personal = True

    def __init__(self, settings: MailSettings, *, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock

    async def deliver(self, letter: Letter) -> Delivered:
        """Send once; delivered means that the server has accepted it for this person."""
        try:
            mail = compose(letter, self._settings, now=self._clock.now())
        except ValueError as error:
            raise NotifyError(f"mail: {error}", recoverable=False) from None
        await self._send(mail, letter.person.email)
        return Delivered(at=self._clock.now(), handle=mail.id)

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
                await server.login(settings.user, password)
            yield server
            with suppress(Exception):
                await server.quit(timeout=_GOODBYE)
        finally:
            server.close()


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
