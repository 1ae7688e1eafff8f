"""The composition root: what starts in which order, and the order in which it ends."""

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Final, get_args

from exporter.clock import SystemClock
from exporter.config import Config
from exporter.kernel.cost import give_back
from exporter.notify import Manager
from exporter.parts import Exporter
from exporter.sampling.frames import Ask
from exporter.sampling.snapshot import Cadence

log = logging.getLogger(__name__)

_EVERYTHING: Final[frozenset[Cadence]] = frozenset(get_args(Cadence))
#: GPM needs two samples at least 100 ms apart.
_BETWEEN: Final = 0.15
_LOOK: Final = 0.5


async def measure(exporter: Exporter, passes: int = 3) -> None:
    """Take a few passes of everything, close together."""
    exporter.listen()
    if exporter.dcgm is not None:
        await exporter.dcgm.once()
    for left in range(passes, 0, -1):
        exporter.attend()
        answer = await exporter.supervisor.ask(Ask(due=_EVERYTHING))
        if answer is not None:
            exporter.state.take(answer)
        await SystemClock().sleep(_BETWEEN if left > 1 else 0.0)


async def once(config: Config) -> tuple[str, int]:
    """Return both pages after one pass, and how many GPUs were seen."""
    exporter = Exporter(config)
    try:
        await measure(exporter)
        text = exporter.metrics()
        if config.access.people:
            text += exporter.people()
        if not exporter.state.devices:
            log.error("no GPU: %s", exporter.supervisor.trouble or exporter.unready())
        return text.decode(), len(exporter.state.devices)
    finally:
        await exporter.stop()


async def examine(config: Config, report: Callable[[Exporter], str]) -> str:
    """Return a report on an exporter that ran for a moment."""
    exporter = Exporter(config)
    try:
        await measure(exporter)
        return report(exporter)
    finally:
        await exporter.stop()


async def serve(config: Config) -> None:
    """Sample and serve until SIGTERM or SIGINT."""
    from exporter.serving import listening  # the web library takes a while; one report needs none

    for warning in config.warnings:
        log.warning("%s", warning)
    exporter, manager = Exporter(config), Manager()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(exporter.stop)
        await listening.serve(exporter, stack)
        await listening.serve_locally(exporter, stack)
        exporter.listen()
        work = {
            asyncio.create_task(exporter.sampler.run()),
            asyncio.create_task(_attend(exporter, manager)),
        }
        if exporter.dcgm is not None:
            work.add(asyncio.create_task(exporter.dcgm.run()))
        stack.push_async_callback(_cancel, work)
        give_back()
        manager.ready(exporter.status())
        ending = asyncio.create_task(ended.wait())
        done, _ = await asyncio.wait({ending, *work}, return_when=asyncio.FIRST_COMPLETED)
        manager.stopping()
        for task in done:
            task.result()
    log.info("ended")


async def _attend(exporter: Exporter, manager: Manager) -> None:
    clock = SystemClock()
    while True:
        exporter.attend()
        manager.attend(clock.monotonic(), exporter.sampler.turns, exporter.status())
        await clock.sleep(_LOOK)


async def _cancel(tasks: "set[asyncio.Task[None]]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
