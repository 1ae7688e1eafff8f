"""Posting one event: signed anew each time, no redirect followed, no second try."""

import hashlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.webhook.event import event, signature
from reaper.notifiers.webhook.settings import WebhookSettings
from reaper.ports import Clock, Delivered, Letter, NotifyError

if TYPE_CHECKING:
    from aiohttp import ClientResponse

SIGNATURE: Final = "X-GPU-Reaper-Signature"
EVENT: Final = "X-GPU-Reaper-Event"

_LATER: Final = frozenset((408, 425, 429))
_LONGEST_WAIT: Final = 3600.0


class Webhook:
    """Posts each notice to the site's address."""

    name = "webhook"
    personal = False

    def __init__(self, settings: WebhookSettings, *, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self.beside = settings.beside

    async def deliver(self, letter: Letter) -> Delivered:
        """Post once; any status of 2xx means taken."""
        now = self._clock.now()
        body = event(letter, now=now).model_dump_json().encode()
        ids = "\0".join(notice.id for notice in letter.notices)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "gpu-reaper",
            EVENT: hashlib.sha256(ids.encode()).hexdigest()[:32],
            SIGNATURE: signature(body, self._key(), int(now)),
        }
        async with self._posted(body, headers) as response:
            if not 200 <= response.status < 300:
                raise _refused(response)
        return Delivered(at=self._clock.now(), handle=headers[EVENT])

    @asynccontextmanager
    async def _posted(
        self, body: bytes, headers: dict[str, str]
    ) -> AsyncIterator["ClientResponse"]:
        """Post the body and judge whatever goes wrong on the way; no address or key is repeated."""
        from aiohttp import (
            ClientConnectorError,
            ClientError,
            ClientSession,
            ClientSSLError,
            ClientTimeout,
            ConnectionTimeoutError,
        )

        settings = self._settings
        limits = ClientTimeout(total=settings.timeout, sock_connect=settings.timeout / 2)
        secured = urlsplit(settings.url).scheme == "https"
        context = self._context() if secured else True
        try:
            async with (
                ClientSession(timeout=limits) as session,
                session.post(
                    settings.url, data=body, headers=headers, allow_redirects=False, ssl=context
                ) as response,
            ):
                yield response
        except ClientSSLError as error:
            text = f"webhook: the connection is not safe ({type(error).__name__}); check `ca`"
            raise NotifyError(text, recoverable=False) from None
        except (ClientConnectorError, ConnectionTimeoutError) as error:
            text = f"webhook: no connection ({type(error).__name__}); nothing was sent"
            raise NotifyError(text, recoverable=True) from None
        except (ClientError, TimeoutError, OSError) as error:
            text = f"webhook: no answer ({type(error).__name__}); it may have arrived"
            raise NotifyError(text, recoverable=True, ambiguous=True) from None

    def _context(self) -> ssl.SSLContext:
        try:
            return ssl.create_default_context(cafile=self._settings.ca)
        except (OSError, ssl.SSLError) as error:
            text = f"webhook: {self._settings.ca} holds no usable authority: {error.strerror}"
            raise NotifyError(text, recoverable=False) from None

    def _key(self) -> str:
        try:
            return secret(self._settings.key)
        except SecretError as error:
            raise NotifyError(f"webhook: {error}", recoverable=False) from None


def _refused(response: "ClientResponse") -> NotifyError:
    status = response.status
    later = status >= 500 or status in _LATER
    cure = "it is tried again" if later else "look into what answers there"
    return NotifyError(
        f"webhook: refused with status {status}; {cure}",
        recoverable=later,
        retry_after=_wait(response.headers.get("Retry-After", "")) if later else None,
    )


def _wait(text: str) -> float | None:
    """Return the seconds of a Retry-After header; None where there are none."""
    return min(float(text), _LONGEST_WAIT) if text.strip().isdecimal() else None
