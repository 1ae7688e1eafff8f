"""
Asks one API server over HTTP: get, list, watch, post, merge patch; each within its time.

It repeats nothing but a question whose credential was refused, once, with a fresh one.  It never
follows a redirect, never reads without a bound, and no text of it holds a credential.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from reaper.edge.kubernetes.access import Access, Door
from reaper.edge.kubernetes.discovery import Served, discover
from reaper.edge.kubernetes.errors import KubeError
from reaper.edge.kubernetes.refusals import refusal, unreached
from reaper.edge.kubernetes.watching import SILENT, Change, changes
from reaper.ports import Clock

MANAGER: Final = "gpu-reaper"
"""Under which name our changes stand in an object's managed fields."""

PAGE: Final = 500
"""Objects of one page: a few megabytes of pods."""

Object = Mapping[str, Any]

_Sending = AbstractAsyncContextManager[aiohttp.ClientResponse]

_CONNECT: Final = 5.0
_CHUNK: Final = 1 << 18
#: Bytes of one answer: a page of the largest objects that an API server stores.
_LONGEST: Final = 256 << 20
#: Seconds for which what is served is remembered: an operator may install a kind at any time.
_SERVED: Final = 600.0

_JSON: Final = "application/json"
_METADATA: Final = "as=PartialObjectMetadata{};g=meta.k8s.io;v=v1"
_MERGE: Final = "application/merge-patch+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """
    Some objects of a list, as of `version`.

    A list that expired half-way begins anew: with `first` all that came before is void.
    """

    items: list[Object]
    version: str
    first: bool


@dataclass(frozen=True, slots=True)
class _Question:
    """One request; `text` of a change, in the form that `content` names."""

    verb: str
    path: str
    query: Mapping[str, str]
    accept: str = _JSON
    text: bytes | None = None
    content: str = _JSON


class Connection:
    """One API server; knows nothing of GPUs.  Its session opens at the first question."""

    def __init__(self, name: str, door: Door, clock: Clock, *, timeout: float = 30.0) -> None:
        """Take the cluster's name and the way to it; `timeout` in seconds of one answer."""
        self.name = name
        self._door = door
        self._clock = clock
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None
        self._served: tuple[float, Served] | None = None

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None
            # What was aborted is closed by the loop.
            await self._clock.sleep(0)

    async def get(self, path: str, *, metadata: bool = False, **query: str) -> Object:
        """Return an object, or its metadata alone; raise KubeError."""
        return await self._ask("GET", path, query, accept=_accept("", metadata=metadata))

    async def fetch(self, path: str, accept: str) -> Object:
        """Return an answer in another form; raise KubeError."""
        return await self._ask("GET", path, {}, accept=accept)

    async def post(self, path: str, body: Object) -> Object:
        """Create an object, or ask what a review answers; raise KubeError."""
        return await self._ask("POST", path, {}, body=body)

    async def patch(self, path: str, body: Object, *, dry_run: bool = False) -> Object:
        """
        Merge a body into an object or a subresource; raise KubeError.

        Who depends on what was read writes `resourceVersion` and `uid` into the body's metadata:
        another object is then a conflict (409).
        """
        query = {"fieldManager": MANAGER, **({"dryRun": "All"} if dry_run else {})}
        return await self._ask("PATCH", path, query, body=body, content=_MERGE)

    async def pages(
        self, path: str, *, metadata: bool = False, limit: int = PAGE, **query: str
    ) -> AsyncGenerator[Page, None]:
        """Yield a list page by page; one that expires half-way is begun once more."""
        asked = {**query, "limit": str(limit)}
        accept = _accept("List", metadata=metadata)
        first, retried = True, False
        while True:
            try:
                answer = await self._ask("GET", path, asked, accept=accept)
            except KubeError as error:
                if error.status != 410 or retried or first:
                    raise
                asked.pop("continue", None)
                first, retried = True, True
                continue
            about = answer.get("metadata") or {}
            version = str(about.get("resourceVersion") or "")
            yield Page(items=answer.get("items") or [], version=version, first=first)
            following = about.get("continue")
            if not following:
                return
            first, asked = False, {**asked, "continue": str(following)}

    async def listed(
        self, path: str, *, metadata: bool = False, selector: str = ""
    ) -> list[Object]:
        """Return a list as a whole, or what of it has these labels; raise KubeError."""
        query = {"labelSelector": selector} if selector else {}
        found: list[Object] = []
        async for page in self.pages(path, metadata=metadata, limit=PAGE, **query):
            if page.first:
                found.clear()
            found += page.items
        return found

    async def watch(
        self,
        path: str,
        version: str,
        *,
        metadata: bool = False,
        lasting: float = 300.0,
        silent: float = SILENT,
        **query: str,
    ) -> AsyncGenerator[Change, None]:
        """
        Yield what changes after a version until the server ends it, after `lasting` seconds.

        Raise KubeError: 410 where the version expired, 0 where nothing was said for `silent`
        seconds.
        """
        asked = {
            **query,
            "watch": "1",
            "resourceVersion": version,
            "allowWatchBookmarks": "true",
            "timeoutSeconds": f"{lasting:.0f}",
        }
        question = _Question("GET", path, asked, accept=_accept("", metadata=metadata))
        said = self._said("watch", path)
        try:
            async with asyncio.timeout(self._timeout) as opening, self._opened(question) as found:
                opening.reschedule(None)
                try:
                    async with aclosing(changes(found.content, said, silent)) as told:
                        async for change in told:
                            yield change
                finally:
                    _abort(found)
        except TimeoutError:
            raise self._late(question) from None

    async def served(self) -> Served:
        """Return which kinds are served and where; remembered for ten minutes."""
        now = self._clock.elapsed()
        if self._served is None or now - self._served[0] > _SERVED:
            self._served = (now, await discover(self.fetch))
        return self._served[1]

    async def _ask(
        self,
        verb: str,
        path: str,
        query: Mapping[str, str],
        *,
        body: Object | None = None,
        accept: str = _JSON,
        content: str = _JSON,
    ) -> Object:
        text = None if body is None else json.dumps(body).encode()
        question = _Question(verb, path, query, accept=accept, text=text, content=content)
        try:
            async with asyncio.timeout(self._timeout), self._opened(question) as found:
                said = await _body(found, self._said(verb, path))
        except TimeoutError:
            raise self._late(question) from None
        return _object(said, self._said(verb, path))

    @asynccontextmanager
    async def _opened(self, question: "_Question") -> AsyncIterator[aiohttp.ClientResponse]:
        """Give an answer whose status is good; of a refused credential once a fresh one."""
        said = self._said(question.verb, question.path)
        for fresh in (False, True):
            access = await self._door.access()
            try:
                async with self._sent(access, question) as response:
                    if response.status == 401 and not fresh:
                        self._door.renew()
                        continue
                    if response.status >= 300:
                        body = await response.content.read(_CHUNK)
                        raise refusal(said, response, body, access.secrets)
                    yield response
                    return
            except (aiohttp.ClientError, OSError, ValueError) as error:
                if type(error) is TimeoutError:
                    raise
                raise unreached(said, error) from None

    def _sent(self, access: Access, question: "_Question") -> _Sending:
        headers = [*access.headers, ("Accept", question.accept)]
        if question.text is not None:
            headers.append(("Content-Type", question.content))
        return self._session_now().request(
            question.verb,
            f"{access.server}{question.path}",
            params=dict(question.query),
            data=question.text,
            headers=headers,
            ssl=access.tls or True,
            server_hostname=access.server_name or None,
            proxy=access.proxy or None,
            allow_redirects=False,
        )

    def _late(self, question: "_Question") -> KubeError:
        what = f"no answer within {self._timeout:g} s"
        return KubeError(f"{self._said(question.verb, question.path)}: {what}", reason="Timeout")

    def _session_now(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT),
                cookie_jar=aiohttp.DummyCookieJar(),
                read_bufsize=_CHUNK,
                headers={"User-Agent": MANAGER, "Accept-Encoding": "identity"},
            )
        return self._session

    def _said(self, verb: str, path: str) -> str:
        return f"{self.name}: {verb} {path}"


def _accept(form: str, *, metadata: bool) -> str:
    return f"{_JSON};{_METADATA.format(form)}" if metadata else _JSON


def _abort(response: aiohttp.ClientResponse) -> None:
    """Leave a watch that goes on: over TLS a parting would wait for the server's."""
    connection = response.connection
    if connection is not None and connection.transport is not None:
        connection.transport.abort()


async def _body(response: aiohttp.ClientResponse, said: str) -> bytes:
    found = bytearray()
    async for piece in response.content.iter_chunked(_CHUNK):
        found += piece
        if len(found) > _LONGEST:
            raise KubeError(f"{said}: says more than {_LONGEST} bytes", reason="Malformed")
    return bytes(found)


def _object(text: bytes, said: str) -> Object:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise KubeError(
            f"{said}: answers with no object; is this an API server?", reason="Malformed"
        )
    return found
