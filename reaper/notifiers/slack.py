"""
Direct messages in Slack, and a channel for the operators.

A direct message counts as delivered once Slack has given its channel and timestamp.  Nothing is
retried here, the SDK's own retries are off: who sends again is decided where the outbox is kept.
The token is read for each delivery, so a new one needs no restart, and never leaves this module.
"""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.slack_answers import Answer, scopes, unclear, verdict, wait, word
from reaper.notifiers.slack_blocks import blocks, fallback
from reaper.notifiers.texts import write
from reaper.ports import Clock, Delivered, Letter, NotifyError, Person
from reaper.schema import Mistake, Secret, Settings, Span

if TYPE_CHECKING:
    from slack_sdk.web.async_client import AsyncWebClient
    from slack_sdk.web.async_slack_response import AsyncSlackResponse

SDK_LOG: Final = logging.getLogger(f"{__name__}.sdk")
"""The SDK logs whole requests at debug level: it gets a log that keeps none."""

SDK_LOG.setLevel(logging.CRITICAL)

SCOPES: Final = ("chat:write", "users:read.email")
"""What the app must be allowed to do."""

KNOWN_FOR: Final = 86400.0
"""Seconds for which an id found by e-mail is believed: addresses change with people, rarely."""


class SlackSettings(Settings):
    """The Slack app: its bot token with the scopes chat:write and users:read.email."""

    kind: Literal["slack"] = "slack"
    token: Secret
    operator_channel: str = Field(
        default="", pattern=r"^([CG][A-Z0-9]{2,})?$", examples=["C0123456"]
    )
    """Id of the channel for what operators should see; without it they read the page."""
    base_url: str = "https://slack.com/api/"
    """Another address is for a gateway, or for tests on loopback."""
    timeout: Span = 10.0
    """Seconds for one call: Slack answers within two, and the outbox has others to send."""

    @field_validator("base_url")
    @classmethod
    def _keep_the_token_private(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(value)):
            return value
        raise Mistake("the token would travel readably", "write an https:// address")


class SlackDirect:
    """Sends each notice to its person alone."""

    name = "slack"
    personal = True

    def __init__(self, settings: SlackSettings, *, clock: Clock) -> None:
        self._post = _Post(settings)
        self._clock = clock
        self._ids: dict[str, tuple[str, float]] = {}

    async def deliver(self, letter: Letter) -> Delivered:
        """Send once to the person's id, looked up by e-mail where none is configured."""
        async with self._post.client() as client:
            person = letter.person
            address = person.addresses.get(self.name) or await self._lookup(client, person)
            handle = await self._post.send(client, address, letter)
        return Delivered(at=self._clock.now(), handle=handle)

    async def lacking_scopes(self) -> tuple[str, ...]:
        """Ask Slack whether it takes the token, and return the scopes that it lacks."""
        async with self._post.client() as client, _judged("auth.test", sends=False):
            answer = await client.auth_test()
            given = str(answer.headers.get("X-OAuth-Scopes", "")).replace(" ", "").split(",")
        return tuple(scope for scope in SCOPES if scope not in given)

    async def _lookup(self, client: "AsyncWebClient", person: Person) -> str:
        if not person.email:
            raise NotifyError(
                f"slack: {person.user} has no Slack id and no e-mail address; "
                "add one to the people file",
                recoverable=False,
            )
        known, until = self._ids.get(person.email, ("", 0.0))
        if known and self._clock.elapsed() < until:
            return known
        async with _judged("users.lookupByEmail", sends=False):
            answer = await client.users_lookupByEmail(email=person.email)
            found = str(answer["user"]["id"])
        self._ids[person.email] = (found, self._clock.elapsed() + KNOWN_FOR)
        return found


class SlackOperators:
    """Posts notices into the operators' channel; that reaches no owner, so it never counts."""

    name = "slack-operators"
    personal = False

    def __init__(self, settings: SlackSettings, *, clock: Clock) -> None:
        self._post = _Post(settings)
        self._clock = clock
        self._channel = settings.operator_channel

    async def deliver(self, letter: Letter) -> Delivered:
        """Post once into the channel."""
        async with self._post.client() as client:
            handle = await self._post.send(client, self._channel, letter)
        return Delivered(at=self._clock.now(), handle=handle)


class _Post:
    """A client for one delivery, and the one call that sends."""

    def __init__(self, settings: SlackSettings) -> None:
        self._settings = settings

    @asynccontextmanager
    async def client(self) -> AsyncIterator["AsyncWebClient"]:
        """Open a client with the token as it stands now."""
        from aiohttp import ClientSession, ClientTimeout
        from slack_sdk.web.async_client import AsyncWebClient

        token = _token(self._settings.token)
        whole = self._settings.timeout
        limits = ClientTimeout(total=whole, sock_connect=whole / 2)
        async with ClientSession(timeout=limits) as session:
            client = AsyncWebClient(
                token=token,
                base_url=self._settings.base_url,
                session=session,
                retry_handlers=[],
                logger=SDK_LOG,
            )
            if _is_loopback(self._settings.base_url):
                client.proxy = None
            yield client

    async def send(self, client: "AsyncWebClient", address: str, letter: Letter) -> str:
        """Send one message and return where it lies: ``channel:timestamp``."""
        message = write(letter)
        async with _judged("chat.postMessage", sends=True):
            answer = await client.chat_postMessage(
                channel=address,
                text=fallback(message),
                blocks=blocks(message),
                mrkdwn=False,
                unfurl_links=False,
                unfurl_media=False,
            )
            return _handle(answer)


def _handle(answer: "AsyncSlackResponse") -> str:
    channel, at = answer.get("channel"), answer.get("ts")
    if not channel or not at:
        raise unclear("chat.postMessage", "gave no timestamp", sends=True)
    return f"{channel}:{at}"


@asynccontextmanager
async def _judged(method: str, *, sends: bool) -> AsyncIterator[None]:
    """
    Turn whatever a call raises into a NotifyError.

    The SDK's errors carry the request with its token: none is chained.
    """
    from aiohttp import (
        ClientConnectorError,
        ClientError,
        ClientHttpProxyError,
        ClientSSLError,
        ConnectionTimeoutError,
    )
    from slack_sdk.errors import SlackApiError, SlackClientError

    try:
        yield
    except SlackApiError as error:
        raise verdict(_answer(method, error.response, sends=sends)) from None
    except (ClientSSLError, ClientHttpProxyError) as error:
        what = f"is not reachable safely ({type(error).__name__})"
        cure = "check the certificate, base_url and the proxy"
        raise NotifyError(f"slack: {method} {what}; {cure}", recoverable=False) from None
    except (ClientConnectorError, ConnectionTimeoutError) as error:
        text = f"slack: {method} found no connection ({type(error).__name__})"
        raise NotifyError(text, recoverable=True) from None
    except TimeoutError:
        raise unclear(method, "timed out", sends=sends) from None
    except (ClientError, OSError) as error:
        raise unclear(method, f"broke off ({type(error).__name__})", sends=sends) from None
    except (SlackClientError, AttributeError, LookupError, TypeError, ValueError) as error:
        said = f"gave an answer that is not Slack's ({type(error).__name__})"
        raise unclear(method, said, sends=sends) from None


def _answer(method: str, response: Any, *, sends: bool) -> Answer:  # noqa: ANN401 - untyped there
    """Read what the SDK hands over: its own response, or aiohttp's where the body is garbled."""
    body = getattr(response, "data", None)
    fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
    status = getattr(response, "status_code", None) or getattr(response, "status", None)
    return Answer(
        method=method,
        status=int(status or 0),
        error=word(fields.get("error")),
        needed=scopes(fields.get("needed")),
        retry_after=wait(response.headers.get("Retry-After")),
        sends=sends,
    )


def _token(reference: Secret) -> str:
    try:
        token = secret(reference)
    except SecretError as error:
        raise NotifyError(f"slack: {error}", recoverable=False) from None
    if not token.startswith("xoxb-"):
        cure = "put the bot token there, which begins with xoxb-"
        raise NotifyError(f"slack: {reference} is no bot token; {cure}", recoverable=False)
    return token


def _is_loopback(address: str) -> bool:
    return urlsplit(address).hostname in ("127.0.0.1", "::1", "localhost")
