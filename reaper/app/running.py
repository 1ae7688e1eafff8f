"""Running a configuration until SIGTERM: store, leadership, parts, web, service."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict

from reaper.activity.exporters.activity import ExporterActivity
from reaper.app.compose import adapters, rules
from reaper.app.parts import Adapters, Parts, wire
from reaper.app.service import Service
from reaper.board import Board
from reaper.config import Configuration
from reaper.cycle.rules import Rules
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.edge.clock import SystemClock
from reaper.ports import Clock, Store
from reaper.questions import Questions
from reaper.reports.week import this_week
from reaper.requests import Requests
from reaper.store import open_store
from reaper.web.server import Web

_log = logging.getLogger(__name__)


async def run(configuration: Configuration, *, pace: Pace = NORMAL) -> None:
    """Run the reaper until it is told to stop."""
    clock = SystemClock()
    built = adapters(configuration, clock)
    async with started(configuration, rules(configuration, pace=pace), built, clock) as service:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, service.stop)
        await service.run()


@asynccontextmanager
async def started(
    configuration: Configuration,
    decides: Rules,
    built: Adapters,
    clock: Clock,
    *,
    rate: float = 1.0,
) -> AsyncIterator[Service]:
    """Start everything but the turns; end it in reverse order."""
    async with AsyncExitStack() as stack:
        store = await open_store(
            configuration.store, cluster=configuration.cluster, pace=decides.pace
        )
        stack.push_async_callback(store.close)
        epoch = await store.lead(f"{socket.gethostname()}:{os.getpid()}", clock.now())
        parts = wire(rules=decides, clock=clock, store=store, epoch=epoch, adapters=built)
        await _enter(stack, built)
        service = Service(parts, rate=rate)
        web = _web(configuration, parts, service, store)
        await web.start()
        stack.push_async_callback(web.stop)
        _log.info("page and API at http://%s, commands at %s", *_addresses(configuration))
        yield service


async def _enter(stack: AsyncExitStack, built: Adapters) -> None:
    """Open the adapters that keep connections."""
    for activity in built.activities:
        if isinstance(activity, ExporterActivity):
            await stack.enter_async_context(activity)


def _web(configuration: Configuration, parts: Parts, service: Service, store: Store) -> Web:
    return Web(
        questions=Questions(store=store),
        requests=Requests(
            store=store,
            clock=parts.clock,
            policies=configuration.policies,
            epoch=parts.epoch,
        ),
        clock=parts.clock,
        settings=configuration.web,
        operators=configuration.operators,
        debug=lambda: debug(parts.board),
    )


def _addresses(configuration: Configuration) -> tuple[str, str]:
    return str(configuration.web.listen), str(configuration.web.socket)


def debug(board: Board) -> object:
    """Return what each source last said, its age and error, for ``/debug/board``."""
    return {f"{role}/{source}": asdict(post) for (role, source), post in board.posts.items()}
