"""
Fetches one page over HTTP, or says in one sentence why not.

Never follows a redirect and never reads more than the limit; what it says holds no secret.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

import aiohttp
from yarl import URL

from reaper.activity.credentials import CURE, authorization, in_clear, trust
from reaper.activity.exporters.certificate import ProvenResponse
from reaper.activity.exporters.settings import ExporterSettings
from reaper.ports import Clock, SourceError

_ACCEPT: Final = "text/plain;version=0.0.4;q=1,*/*;q=0.1"
_CHUNK: Final = 256 * 1024
_WHOSE: Final = "exporters"
#: Seconds for the connection alone: a node that is off must not take the time of a page.
_CONNECT: Final = 2.0
#: Longer than the interval, so that a connection lives from scrape to scrape.
_KEEP_ALIVE: Final = 4.0
_AFTER_REDIRECT: Final = "give the address it points to instead"
_CURES: Final = {
    301: _AFTER_REDIRECT,
    302: _AFTER_REDIRECT,
    307: _AFTER_REDIRECT,
    308: _AFTER_REDIRECT,
    401: "check bearer or basic",
    403: "check bearer or basic",
    404: "is this a gpu-exporter's address?",
}


class MissingPageError(SourceError):
    """The target answers, but has no such page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """
    A page as it came: `sent` and `received` by our clock, `date` by the server's or None.

    `certified` are the nodes that the server's certificate names.
    """

    body: bytes
    sent: float
    received: float
    date: float | None = None
    openmetrics: bool = False
    certified: tuple[str, ...] = ()


class Fetcher:
    """One client session for all targets; opened at the first fetch, in its event loop."""

    def __init__(self, settings: ExporterSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None
        self._headers: dict[str, str] = {}

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def renew_credentials(self) -> None:
        """Read the credential again; raise SourceError when it cannot be read."""
        settings = self._settings
        self._headers = authorization(settings.bearer, settings.basic, whose=_WHOSE)

    async def fetch(self, url: URL) -> Fetched:
        """Fetch a page; raise SourceError with what went wrong."""
        try:
            return await self._get(url)
        except TimeoutError:
            raise SourceError(f"no answer within {self._settings.timeout:g} s") from None
        except aiohttp.ClientConnectorCertificateError as error:
            why = _reason(error.certificate_error)
            raise SourceError(f"its certificate is not trusted: {why}") from None
        except aiohttp.ClientConnectorError as error:
            raise SourceError(f"cannot be reached: {_unreached(error)}") from None
        except (aiohttp.ClientError, ValueError) as error:
            raise SourceError(f"its answer broke off or is no HTTP: {error}") from None
        except OSError as error:
            raise SourceError(f"cannot be reached: {error.strerror or error}") from None

    async def _get(self, url: URL) -> Fetched:
        sent = self._clock.now()
        session = self._opened()
        async with (
            asyncio.timeout(self._settings.timeout),
            session.get(
                url,
                headers=self._private(url),
                allow_redirects=False,
                server_hostname=self._settings.server_name or None,
            ) as response,
        ):
            _refuse_status(response)
            return Fetched(
                body=await self._body(response),
                sent=sent,
                received=self._clock.now(),
                date=_date(response.headers.get("Date", "")),
                openmetrics=response.content_type == "application/openmetrics-text",
                certified=response.certified if isinstance(response, ProvenResponse) else (),
            )

    def _private(self, url: URL) -> Mapping[str, str]:
        """Return the credential's header, where it may be sent; raise SourceError where not."""
        if self._headers and not self._settings.in_clear and in_clear(url):
            raise SourceError(f"its credential would travel readably; {CURE}")
        return self._headers

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """Read the body piece by piece, so that a small compressed one cannot fill the memory."""
        limit = self._settings.page_limit
        pieces: list[bytes] = []
        size = 0
        async for piece in response.content.iter_chunked(_CHUNK):
            size += len(piece)
            if size > limit:
                raise SourceError(f"its page is larger than page_limit, {limit} bytes")
            pieces.append(piece)
        return b"".join(pieces)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            settings = self._settings
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    limit=0,
                    ssl=trust(settings.ca, whose=_WHOSE),
                    keepalive_timeout=settings.interval * _KEEP_ALIVE,
                ),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT),
                response_class=ProvenResponse,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Accept": _ACCEPT, "User-Agent": "gpu-reaper"},
            )
        return self._session


def _reason(error: Exception) -> str:
    """Return what the TLS library finds wrong with a certificate."""
    return str(getattr(error, "verify_message", "") or error)


def _unreached(error: aiohttp.ClientConnectorError) -> str:
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"its host's name is not known here ({error.strerror})"
    if isinstance(error, aiohttp.ClientConnectorSSLError):
        return "it does not speak TLS as asked for"
    if isinstance(error.os_error, ConnectionRefusedError):
        return "connection refused"
    return error.strerror or str(error)


def _refuse_status(response: aiohttp.ClientResponse) -> None:
    if response.status == 200:
        return
    cure = _CURES.get(response.status, "")
    said = f"answers {response.status} {response.reason or ''}".strip()
    error = MissingPageError if response.status == 404 else SourceError
    raise error(f"{said}; {cure}" if cure else said)


@lru_cache(maxsize=64)
def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
