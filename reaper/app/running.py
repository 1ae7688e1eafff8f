"""Running a configuration until SIGTERM: store, leadership, parts, web, service."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, replace
from typing import Final

from reaper.app import hearing
from reaper.app.books.ledgering import Bookkeeping, bookkeeping
from reaper.app.books.reporting import context, printed, written
from reaper.app.compose import adapters, answer_key, page, rules
from reaper.app.parts import Adapters, wire
from reaper.app.service import Service
from reaper.app.stranded import stranded
from reaper.app.tongues import Tongues
from reaper.app.wishing import Wisher
from reaper.board import Board, Post
from reaper.config import Configuration
from reaper.cycle.rules import Rules
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.edge.clock import AnchoredClock, PacedClock, SystemClock
from reaper.ports import (
    Clock,
    Known,
    Listener,
    NoRoomError,
    People,
    Person,
    ReaperError,
    Recalling,
    Resuming,
    Store,
)
from reaper.questions import Questions
from reaper.store import open_store
from reaper.web import sockets
from reaper.web.given import Given
from reaper.web.json_api.asks import ReportAsk
from reaper.web.server import Web
from reaper.web.settings import WebSettings

#: Real seconds after which a start that had no room tries again.
_AGAIN: Final = 5.0


class StoppedError(ReaperError):
    """It was told to stop before it could start."""


#: New values after which the collector of reference cycles looks: a turn of a large cluster makes
#: a million that hold no cycle, and looking as often as usual takes a fifth of its time.
SELDOM: Final = (100_000, 20, 50)


async def run(configuration: Configuration, *, pace: Pace = NORMAL) -> None:
    """Run the reaper until it is told to stop, be it while it still starts."""
    gc.set_threshold(*SELDOM)
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    clock = SystemClock()
    built = adapters(configuration, clock, pace=pace)
    decides = rules(configuration, pace=pace)
    try:
        async with started(configuration, decides, built, clock, told=told) as service:
            stopping = asyncio.create_task(_stop(service, told))
            try:
                await service.run()
            finally:
                stopping.cancel()
    except StoppedError:
        return


async def _stop(service: Service, told: asyncio.Event) -> None:
    await told.wait()
    service.stop()


@asynccontextmanager
async def started(
    configuration: Configuration,
    decides: Rules,
    built: Adapters,
    clock: Clock,
    *,
    rate: float = 1.0,
    told: asyncio.Event | None = None,
    beside: WebSettings | None = None,
) -> AsyncIterator[Service]:
    """
    Start everything but the turns; end it in reverse order.

    `beside` is a second site over the same cluster, as a demonstration has one.
    A second reaper on the same socket is refused before it takes the first one's leadership.
    While the store has no room, what can be read is shown; raise StoppedError when told meanwhile.
    """
    sockets.clear(configuration.web.socket)
    async with AsyncExitStack() as stack:
        store, epoch, key = await _opened(configuration, decides, clock, told or asyncio.Event())
        stack.push_async_callback(store.close)
        parts = wire(
            rules=decides,
            clock=clock,
            store=store,
            epoch=epoch,
            adapters=built,
            rate=rate,
            key=key,
            page=page(configuration),
        )
        await _enter(stack, built, store)
        books = bookkeeping(configuration, parts, built)
        ears = hearing.listeners(configuration, parts, built, key=key)
        chores = {**books.chores, "hear wishes": Wisher(parts.board, parts.requests).turn}
        service = Service(hearing.asked(parts, ears), rate=rate, chores=chores)
        given = _given(configuration, service, books, ears, rate=rate, people=built.people)
        for settings in (configuration.web, *([beside] if beside else ())):
            web = Web(given=given, settings=settings, operators=configuration.operators)
            await web.start()
            stack.push_async_callback(web.stop)
            service.pages.append(web.address)
        for ear in ears:
            await stack.enter_async_context(ear)
        yield service


async def _opened(
    configuration: Configuration, decides: Rules, clock: Clock, told: asyncio.Event
) -> tuple[Store, int, bytes]:
    """Return the store, our epoch and our key: at once, or when there is room for them."""
    try:
        return await _led(configuration, decides, clock)
    except NoRoomError as error:
        why = str(error)
    async with stranded(configuration, decides, clock, why=why):
        while True:
            try:
                async with asyncio.timeout(_AGAIN):
                    await told.wait()
                raise StoppedError(f"it was told to stop while there was no room ({why})")
            except TimeoutError:
                pass
            with suppress(NoRoomError):
                return await _led(configuration, decides, clock)


async def _led(
    configuration: Configuration, decides: Rules, clock: Clock
) -> tuple[Store, int, bytes]:
    store = await open_store(configuration.store, cluster=configuration.cluster, pace=decides.pace)
    async with AsyncExitStack() as undoing:
        undoing.push_async_callback(store.close)
        epoch = await store.lead(f"{socket.gethostname()}:{os.getpid()}", clock.now())
        key = answer_key(configuration)
        undoing.pop_all()
    return store, epoch, key


async def _enter(stack: AsyncExitStack, built: Adapters, store: Store) -> None:
    """Open the adapters that keep connections; those that know of the past are told of it."""
    for close in built.closings:
        stack.push_async_callback(close)
    async with store.reading() as books:
        written, picture = await books.heartbeat(), await books.picture()
    words = {line.target: line.node for line in picture.nodes if line.target} if picture else {}
    for activity in built.activities:
        if isinstance(activity, Recalling):
            activity.recall(words)
    for source in (*built.activities, *built.holders):
        if isinstance(source, Resuming):
            source.resume(written)
    for adapter in (*built.activities, *built.servings):
        if isinstance(adapter, AbstractAsyncContextManager):
            await stack.enter_async_context(adapter)


def _given(
    configuration: Configuration,
    service: Service,
    books: Bookkeeping,
    ears: tuple[Listener, ...],
    *,
    rate: float,
    people: Sequence[People],
) -> Given:
    parts = service.parts
    told = context(configuration, pace=parts.rules.pace)

    async def report(ask: ReportAsk) -> str | bytes:
        now = parts.clock.now()
        if ask.form == "pdf":
            return await printed(parts.store, told, now=now, ask=ask)
        return await written(parts.store, told, now=now, ask=ask)

    return Given(
        questions=Questions(store=parts.store),
        requests=parts.requests,
        clock=parts.clock,
        told_by=AnchoredClock(clock=parts.clock, anchor=lambda: parts.cycle.turned),
        cycling=lambda: service.cycling,
        debug=lambda: debug(parts.board),
        key=answer_key(configuration),
        policies=configuration.policies,
        report=report,
        weeks=books.summing.weeks,
        doors=tuple(door for ear in ears for door in ear.doors),
        rate=rate,
        beat=parts.clock.rate if isinstance(parts.clock, PacedClock) else None,
        reads=Tongues(people=people, board=parts.board, clock=parts.clock),
        configuration=str(configuration.path.absolute()) if configuration.path else "",
    )


def debug(board: Board) -> object:
    """Return what each source last said, its age and error; of people no addresses."""
    return {f"{role}/{source}": asdict(_bare(post)) for (role, source), post in board.posts.items()}


def _bare(post: Post) -> Post:
    """Return a post without what only their channels need to know of people."""
    if not isinstance(post.answer, Known):
        return post
    names = {user: person and Person(user=user) for user, person in post.answer.people.items()}
    return replace(post, answer=replace(post.answer, people=names))
