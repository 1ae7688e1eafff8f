"""
Keeps a shelf in step with an API server: a list, then watches that go on from it, for ever.

After a short silence a watch goes on where the last one ended; after a long one, or where the
server has forgotten, everything is listed anew.
"""

import logging
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, Final

from reaper.edge.kubernetes import Connection, KubeError
from reaper.platforms.kubernetes.mirror.shelf import NEVER, Shelf
from reaper.ports import Clock

_log = logging.getLogger(__name__)

#: Seconds between two tries after a failure, doubled up to the longest.
_FIRST: Final = 1.0
_LONGEST: Final = 60.0
#: Seconds after which it is asked again whether a kind is served by now.
_UNSERVED: Final = 600.0
#: Seconds of silence that a watch bridges; after longer ones a list is surer.
_BRIDGED: Final = 30.0
#: Seconds after its end by which a watch must have ended: bookmarks cannot be relied on, since a
#: server that has seen no object of a kind change since its start sends none.
_GRACE: Final = 15.0
_GONE: Final = 410


class Follower:
    """Follows one kind; `lasting` is how long a watch lasts, in seconds."""

    def __init__(
        self,
        shelf: Shelf[Any],
        connection: Connection,
        clock: Clock,
        *,
        lasting: float,
        told: Callable[[], None],
    ) -> None:
        """Take the shelf to keep; `told` is called whenever it is known how it stands."""
        self._shelf = shelf
        self._connection = connection
        self._clock = clock
        self._lasting = lasting
        self._told = told
        self._pause = _FIRST
        self._broke: float | None = None
        """Since when it is out of step, by the clock that never goes back."""

    async def follow(self) -> None:
        """Follow until cancelled."""
        while True:
            try:
                path = await self._path()
                if not self._bridged():
                    await self._list(path)
                while True:
                    await self._watch(path)
            except KubeError as error:
                await self._failed(error)

    def _bridged(self) -> bool:
        """Tell whether a watch may go on where the last one ended."""
        broke = self._broke
        return broke is not None and self._clock.elapsed() - broke <= _BRIDGED

    async def _path(self) -> str:
        """Return where the kind lies, once it is served."""
        wanted = self._shelf.wanted
        while True:
            served = await self._connection.served()
            path = served.path(wanted.group, wanted.kind)
            self._shelf.served = path is not None
            if path is not None:
                return path
            if wanted.group in served.silent:
                text = f"{wanted.group}: its own API server is silent"
                raise KubeError(text, reason="Silent")
            # A server that has just begun does not serve the kinds of others yet.
            was = self._shelf.as_of > NEVER
            self._shelf.trouble = "its kind is not served any more" if was else ""
            self._told()
            await self._clock.sleep(_UNSERVED)

    async def _list(self, path: str) -> None:
        """Read everything; what is there before stays until all of it is known."""
        shelf = self._shelf
        fresh = Shelf(wanted=shelf.wanted)
        began, version = self._clock.now(), ""
        query: dict[str, Any] = {}
        if shelf.wanted.listed:
            query["fieldSelector"] = shelf.wanted.listed
        pages = self._connection.pages(path, metadata=shelf.wanted.metadata, **query)
        async with aclosing(pages) as found:
            async for page in found:
                if page.first:
                    began, version = self._clock.now(), page.version
                    fresh.records.clear()
                for raw in page.items:
                    fresh.take(raw)
        shelf.records, self._broke = fresh.records, None
        shelf.in_step(began, version)
        self._told()

    async def _watch(self, path: str) -> None:
        """Take changes until the server ends the watch, which it does having told all."""
        shelf = self._shelf
        watch = self._connection.watch(
            path,
            shelf.version,
            metadata=shelf.wanted.metadata,
            lasting=self._lasting,
            silent=self._lasting + _GRACE,
        )
        began = self._clock.elapsed()
        async with aclosing(watch) as changes:
            async for change in changes:
                if change.kind == "DELETED":
                    shelf.drop(change.object)
                elif change.kind != "BOOKMARK":
                    shelf.take(change.object)
                shelf.in_step(self._clock.now(), change.version)
                self._ease()
        lasted = self._clock.elapsed() - began
        if lasted >= self._lasting / 2:
            shelf.in_step(self._clock.now(), shelf.version)
            self._ease()
        else:
            # A server that ends watches early would be asked without pause.
            await self._clock.sleep(min(_FIRST, self._lasting))

    def _ease(self) -> None:
        self._pause, self._broke = _FIRST, None
        self._told()

    async def _failed(self, error: KubeError) -> None:
        """Note the trouble and wait: what broke off may go on soon, what expired may not."""
        shelf = self._shelf
        lost = error.status == _GONE or error.reason == "Silent" or not shelf.version
        if lost:
            self._broke = float("-inf")
        elif self._broke is None:
            self._broke = self._clock.elapsed()
        if error.status == _GONE:
            _log.info("%s is listed anew: %s", shelf.kind, error)
        else:
            if str(error) != shelf.trouble:
                _log.warning("%s cannot be followed: %s", shelf.kind, error)
            shelf.trouble = str(error)
        self._told()
        pause = max(self._pause, error.retry_after or 0.0)
        self._pause = min(self._pause * 2, _LONGEST)
        await self._clock.sleep(pause)
