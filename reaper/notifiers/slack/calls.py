"""
One call to Slack, judged: a client with the token as it stands now, errors in words of ours.

Nothing is retried here, the SDK's own retries are off: who sends again is decided where the outbox
is kept.  The SDK's errors carry the request with its token: none is chained.
"""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.slack.settings import SlackSettings, is_loopback
from reaper.notifiers.slack.verdicts import Reply, scopes, unclear, verdict, wait, word
from reaper.ports import NotifyError
from reaper.schema import Secret

if TYPE_CHECKING:
    from slack_sdk.web.async_client import AsyncWebClient

SDK_LOG: Final = logging.getLogger(f"{__name__}.sdk")
"""The SDK logs whole requests at debug level: it gets a log that keeps none."""

SDK_LOG.setLevel(logging.CRITICAL + 1)

BOT: Final = "xoxb-"
APP: Final = "xapp-"


@asynccontextmanager
async def calling(settings: SlackSettings) -> AsyncIterator["AsyncWebClient"]:
    """Open a client with the bot token as it stands now; raise NotifyError."""
    from aiohttp import ClientSession, ClientTimeout
    from slack_sdk.web.async_client import AsyncWebClient

    token = slack_token(settings.token, BOT, "bot token")
    limits = ClientTimeout(total=settings.timeout, sock_connect=settings.timeout / 2)
    async with ClientSession(timeout=limits) as session:
        client = AsyncWebClient(
            token=token,
            base_url=settings.base_url,
            session=session,
            retry_handlers=[],
            logger=SDK_LOG,
        )
        if is_loopback(settings.base_url):
            client.proxy = None
        yield client


@asynccontextmanager
async def judged(method: str, *, sends: bool) -> AsyncIterator[None]:
    """Turn whatever a call raises into a NotifyError."""
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
        raise verdict(_reply(method, error.response, sends=sends)) from None
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


def slack_token(reference: Secret, begins: str, what: str) -> str:
    """Return a token that begins as its kind does; raise NotifyError."""
    try:
        token = secret(reference)
    except SecretError as error:
        raise NotifyError(f"slack: {error}", recoverable=False) from None
    if not token.startswith(begins):
        cure = f"put the {what} there, which begins with {begins}"
        raise NotifyError(f"slack: {reference} is no {what}; {cure}", recoverable=False)
    return token


def _reply(method: str, response: Any, *, sends: bool) -> Reply:  # noqa: ANN401 - untyped there
    """Read what the SDK hands over: its own response, or aiohttp's where the body is garbled."""
    body = getattr(response, "data", None)
    fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
    status = getattr(response, "status_code", None) or getattr(response, "status", None)
    return Reply(
        method=method,
        status=int(status or 0),
        error=word(fields.get("error")),
        needed=scopes(fields.get("needed")),
        retry_after=wait(response.headers.get("Retry-After")),
        sends=sends,
    )
