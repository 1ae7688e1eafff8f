"""
A start for which the store has no room: what can be read is shown, with the reason, until it has.

Nothing is judged, warned of or done meanwhile, and nothing can be asked for: it could not be
written down.
"""

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import NoReturn

from reaper.app.compose import answer_key
from reaper.config import Configuration
from reaper.cycle.rules import Rules
from reaper.domain.picture import HoldLine, Picture
from reaper.domain.reason import because
from reaper.edge.secrets import SecretError
from reaper.ports import Books, Clock, Store, StoreError
from reaper.questions import OURSELVES, Questions
from reaper.requests import RefusedError, Requests
from reaper.store import open_reading
from reaper.store.memory import MemoryStore
from reaper.web.given import Given
from reaper.web.html.view import NO_ROOM
from reaper.web.server import Web

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOnly:
    """A store that is only read, since it has no room; whoever wants to write is told why."""

    inner: Store
    why: str

    def transaction(self, epoch: int) -> NoReturn:
        """Refuse."""
        raise RefusedError("no-room", why=self.why)

    def reading(self) -> AbstractAsyncContextManager[Books]:
        """Read as usual."""
        return self.inner.reading()

    async def lead(self, holder: str, now: float) -> int:
        """Refuse."""
        self.transaction(0)

    async def close(self) -> None:
        """Close as usual."""
        await self.inner.close()


@dataclass(kw_only=True)
class Excused(Questions):
    """Questions whose picture says that nothing new comes, and why."""

    clock: Clock
    rules: Rules
    since: float
    why: str

    async def status(self) -> Picture | None:
        """Return the last picture, or an empty one, with a hold."""
        known = await super().status()
        pace = self.rules.pace
        picture = known or Picture(
            at=self.clock.now(),
            cluster=self.rules.cluster,
            sentence="nothing was judged yet",
            step=pace.step,
            pace_normal=pace.normal,
        )
        reason = because("store-full", why=self.why)
        held = HoldLine(
            id=NO_ROOM,
            kind=NO_ROOM,
            reason=reason,
            by=OURSELVES,
            begin=self.since,
            until=None,
            scope="",
        )
        return replace(picture, holds=(held, *picture.holds))


@asynccontextmanager
async def stranded(
    configuration: Configuration, rules: Rules, clock: Clock, *, why: str
) -> AsyncIterator[Web]:
    """Serve pages and commands from what can be read until the end of the block."""
    async with AsyncExitStack() as stack:
        store = ReadOnly(inner=await _readable(configuration, rules), why=why)
        stack.push_async_callback(store.close)
        given = Given(
            questions=Excused(store=store, clock=clock, rules=rules, since=clock.now(), why=why),
            requests=Requests(
                store=store, clock=clock, policies=rules.policies, epoch=0, zone=rules.zone
            ),
            clock=clock,
            told_by=clock,
            cycling=lambda: True,
            debug=lambda: {"why": why},
            key=_key(configuration),
            policies=configuration.policies,
            configuration=str(configuration.path.absolute()) if configuration.path else "",
        )
        web = Web(given=given, settings=configuration.web, operators=configuration.operators)
        await web.start()
        stack.push_async_callback(web.stop)
        _log.error("%s: nothing is judged or done until there is room; the pages stay", why)
        yield web


async def _readable(configuration: Configuration, rules: Rules) -> Store:
    """Return the store as it lies there; an empty one where nothing can be read either."""
    try:
        return await open_reading(
            configuration.store, cluster=configuration.cluster, pace=rules.pace
        )
    except StoreError:
        return MemoryStore(cluster=configuration.cluster, pace=rules.pace)


def _key(configuration: Configuration) -> bytes:
    """Return the key that signs answers; one that nobody knows where none can be kept."""
    try:
        return answer_key(configuration)
    except (SecretError, StoreError):
        return secrets.token_bytes(32)
