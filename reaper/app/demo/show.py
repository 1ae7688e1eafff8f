"""Running the demonstration, and telling what happens in it."""

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Final

from reaper.app.compose import adapters, rules
from reaper.app.demo.folder import Folder
from reaper.app.running import started
from reaper.app.service import Service
from reaper.config import load
from reaper.domain.facts.grid import Pace
from reaper.domain.money.entries import Event
from reaper.edge.clock import FastClock, SystemClock
from reaper.ports import Store
from reaper.schema import Address
from reaper.web import sockets

#: A day's pace in all but this: the demonstration's policies need not be observed for a week.
PACE: Final = Pace(observe=0.0)

#: How many times as fast as the world a demonstration runs, unless it is told otherwise.
RATE: Final = 30.0

#: How often the feed looks for something new; real seconds.
_LOOK: Final = 0.5

#: Where the commands lie that are told; another terminal need not find them by itself.
_PROGRAMS: Final = Path(sys.executable).parent

#: What the feed tells; everything is in the store.
_TOLD: Final = {
    "case opened": "is idle",
    "warning": "warning goes to its owner's mailbox",
    "final": "final warning goes to its owner's mailbox",
    "save intended": "the grace is over: asking it to save itself",
    "saved": "saved itself, proven by a fresh file",
    "not saved": "no save is proven",
    "release intended": "the grace is over: releasing it",
    "verified": "released, and verified as gone",
    "case closed": "case closed",
    "keep": "kept",
    "failed": "the release failed",
    "interlock": "an interlock tripped",
}

Say = Callable[[str], None]


async def demo(
    *,
    say: Say,
    listen: Address,
    rate: float = RATE,
    scenario: Path | None = None,
    directory: Path | None = None,
    lasts: float | None = None,
) -> None:
    """
    Run the demonstration until it is interrupted, or for `lasts` real seconds.

    Everything lives in a scratch folder that is removed afterwards, unless one is named; the
    folder of a demonstration that runs is left alone.
    """
    async with AsyncExitStack() as stack:
        path = directory or Path(stack.enter_context(TemporaryDirectory(prefix="gpu-reaper-demo-")))
        folder = Folder(path=path, rate=rate, epoch=float(int(SystemClock().now())))
        sockets.clear(folder.socket)
        played, ports = folder.write(listen, scenario)
        await stack.enter_async_context(folder.exporters(ports))
        configuration = load(folder.configuration)
        clock = FastClock(rate=rate, epoch=folder.epoch)
        decides = replace(rules(configuration, pace=PACE), lacking="")
        service = await stack.enter_async_context(
            started(configuration, decides, adapters(configuration, clock), clock, rate=rate)
        )
        _stops_by_signal(service)
        say(_welcome(folder, service.page or listen, played.title, len(ports)))
        await _until_stopped(service, say, folder.epoch, lasts)


def _welcome(folder: Folder, listen: Address, title: str, nodes: int) -> str:
    return "\n".join(
        (
            f"{title}: {nodes} nodes, each a real gpu-exporter process",
            f"The clock runs {folder.rate:g} times as fast: a minute is {60 / folder.rate:.1f} s",
            "",
            f"  page      http://{listen}/",
            f"  commands  export GPU_REAPER_SOCKET={quote(str(folder.socket))}",
            f"            export GPU_REAPER_CONFIG={quote(str(folder.configuration))}",
            f"            export PATH={quote(str(_PROGRAMS))}:$PATH",
            "            gpu-reaper status",
            "            gpu-reaper explain 4711",
            "            gpu-reaper keep 4711 --for 2h --reason 'needed after lunch'",
            "            gpu-reaper report",
            "            gpu-reaper doctor",
            f"  mail      {folder.mail}",
            "",
            "Ctrl-C ends it and leaves nothing behind.",
            "",
        )
    )


def _stops_by_signal(service: Service) -> None:
    """Stop by a signal, also of a terminal that is closed; what nohup ignores stays ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, service.stop)


async def _until_stopped(service: Service, say: Say, epoch: float, lasts: float | None) -> None:
    if lasts is not None:
        asyncio.get_running_loop().call_later(lasts, service.stop)
    feed = asyncio.create_task(_feed(service.parts.store, say, epoch))
    try:
        await service.run()
    finally:
        feed.cancel()
        await asyncio.gather(feed, return_exceptions=True)


async def _feed(store: Store, say: Say, epoch: float) -> None:
    """Tell new events as they are written."""
    clock, told = SystemClock(), 0
    names: dict[str, str] = {}
    while True:
        async with store.reading() as books:
            events = await books.events()
        for event in events[told:]:
            if event.kind == "run began":
                names[event.run_key] = event.text
            elif event.kind in _TOLD:
                say(_line(event, names.get(event.run_key, ""), epoch))
        told = len(events)
        await clock.sleep(_LOOK)


def _line(event: Event, run: str, epoch: float) -> str:
    at = datetime.fromtimestamp(event.at, tz=UTC)
    minutes = (event.at - epoch) / 60
    detail = event.text if event.kind in ("case opened", "case closed", "keep") else ""
    what = f"{_TOLD[event.kind]}{': ' + detail if detail else ''}"
    return f"{at:%H:%M:%S} (minute {minutes:3.0f})  {run:14} {what}"
