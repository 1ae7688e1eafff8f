"""
Asks an engine one question over HTTP, or says in one sentence why there is no answer.

A question is an instant query at a time that has passed.  Never follows a redirect and never
reads more than the limit; what it says holds no secret.
"""

import asyncio
import string
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

import aiohttp

from reaper.activity.credentials import authorization, trust
from reaper.activity.prometheus.settings import EngineSettings
from reaper.ports import SourceError

_CHUNK: Final = 1024 * 1024
_CONNECT: Final = 5.0
_SHOWN: Final = 200
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
_PLAIN: Final = frozenset(string.ascii_letters + string.digits + "-._~%")
_CURES: Final = {
    401: "check bearer or basic",
    403: "check bearer or basic, and the tenant under headers",
    404: "is this the address before /api/v1?",
    413: "lower nodes_per_query",
    422: "lower nodes_per_query where it is a limit",
    429: "lower concurrency",
}


class Engine:
    """One engine's API; its session is opened at the first question, in its event loop."""

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self.name = settings.url
        self._session: aiohttp.ClientSession | None = None
        self._headers: dict[str, str] = {}
        self._lane = asyncio.Semaphore(settings.concurrency)

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def renew_credentials(self) -> None:
        """Read the credential again; raise SourceError when it cannot be read."""
        settings = self.settings
        self._headers = {
            **settings.headers,
            **authorization(settings.bearer, settings.basic, whose=self.name),
        }

    async def ask(self, expression: str, at: float) -> bytes:
        """Return the answer to an instant query as it came; raise SourceError."""
        async with self._lane:
            try:
                return await self._post(expression, at)
            except TimeoutError:
                within = self.settings.timeout
                raise SourceError(f"{self.name}: no answer within {within:g} s") from None
            except aiohttp.ClientConnectorCertificateError as error:
                said = f"its certificate is not trusted: {error}; check ca"
                raise SourceError(f"{self.name}: {said}") from None
            except (aiohttp.ClientError, OSError, ValueError) as error:
                raise SourceError(f"{self.name}: cannot be asked: {error}") from None

    async def _post(self, expression: str, at: float) -> bytes:
        question = {
            "query": expression,
            "time": f"{at:.3f}",
            # VictoriaMetrics moves a fresh time into the past without this; others ignore it.
            "nocache": "1",
            # Thanos and its kin: all stores or an error.
            "partial_response": "false",
        }
        async with (
            asyncio.timeout(self.settings.timeout),
            self._opened().post(
                f"{self.settings.url}/api/v1/query",
                data=_encoded(question),
                headers={**self._headers, **_FORM},
                allow_redirects=False,
            ) as response,
        ):
            body = await self._body(response)
            if response.status != 200:
                raise SourceError(f"{self.name}: {_refusal(response.status, body)}")
            return body

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        limit = self.settings.answer_limit
        pieces: list[bytes] = []
        size = 0
        async for piece in response.content.iter_chunked(_CHUNK):
            size += len(piece)
            if size > limit:
                said = f"an answer is larger than answer_limit, {limit} bytes"
                raise SourceError(f"{self.name}: {said}; lower nodes_per_query")
            pieces.append(piece)
        return b"".join(pieces)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            tls = trust(self.settings.ca, whose=self.name)
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=tls),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT),
                cookie_jar=aiohttp.DummyCookieJar(),
                read_bufsize=_CHUNK,
                # Compressing costs both sides more than these answers cost a cluster's network.
                headers={"User-Agent": "gpu-reaper", "Accept-Encoding": "identity"},
            )
        return self._session


def _encoded(question: Mapping[str, str]) -> bytes:
    """Write a form; a query names hundreds of targets, so that each character is quoted once."""
    return "&".join(f"{name}={_quoted(text)}" for name, text in question.items()).encode()


def _quoted(text: str) -> str:
    found = text.replace("%", "%25")
    for character in set(text) - _PLAIN:
        found = found.replace(character, quote(character, safe=""))
    return found


def _refusal(status: int, body: bytes) -> str:
    said = " ".join(body[:_SHOWN].decode(errors="replace").split())
    cure = _CURES.get(status, "")
    return "; ".join(part for part in (f"answers {status}: {said}", cure) if part)
