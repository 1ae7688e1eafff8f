"""Running the demonstration, and telling what happens in it."""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Final

from exporter.contract.scenario import Scenario
from reaper.app.compose import adapters, rules
from reaper.app.demo.folder import Folder, free
from reaper.app.demo.pacing import Pacer
from reaper.app.demo.past import remember
from reaper.app.demo.visiting import OPERATOR, visiting, welcome
from reaper.app.running import started
from reaper.app.service import Service
from reaper.config import Configuration, load
from reaper.domain.escalation import interlock
from reaper.domain.facts.grid import Pace
from reaper.domain.money.entries import Event
from reaper.edge.clock import SystemClock
from reaper.languages.catalogue import said
from reaper.ports import Store
from reaper.questions import Questions
from reaper.schema import Address, Secret
from reaper.store import open_store
from reaper.web import sockets
from reaper.web.roles import Members, ProxySignIn, Roles
from reaper.web.settings import WebSettings

#: A day's pace in all but this: the demonstration's policies need not be observed for a week.
PACE: Final = Pace(observe=0.0)

#: How many times as fast as the world a demonstration runs, unless it is told otherwise.
RATE: Final = 30.0

#: How often the feed looks for something new; real seconds.
_LOOK: Final = 0.5

#: Below this share of the held GPUs an exporter had no time to look, and nothing would be released.
_SEEN: Final = interlock.Bounds().coverage

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

_DETAILED: Final = frozenset(("case opened", "case closed", "keep", "failed", interlock.KIND))

#: How every stop is lifted once it was looked at.
LIFT: Final = "gpu-reaper resume --reason 'looked at it'"

Say = Callable[[str], None]


async def demo(
    *,
    say: Say,
    listen: Address,
    rate: float = RATE,
    anywhere: bool = False,
    scenario: Path | None = None,
    directory: Path | None = None,
    lasts: float | None = None,
) -> None:
    """
    Run the demonstration until it is interrupted, or for `lasts` real seconds.

    With `anywhere` another port will do where that of `listen` is taken.

    Everything lives in a scratch folder that is removed afterwards, unless one is named; the
    folder of a demonstration that runs is left alone.
    """
    async with AsyncExitStack() as stack:
        path = directory or Path(stack.enter_context(TemporaryDirectory(prefix="gpu-reaper-demo-")))
        folder = Folder(path=path, rate=rate, epoch=float(int(SystemClock().now())))
        sockets.clear(folder.socket)
        sockets.clear(folder.visits)
        played, ports = folder.write(free(listen, yield_to_others=anywhere), scenario)
        pacer = Pacer(path=folder.tempo, epoch=folder.epoch, wanted=rate)
        clock = pacer.begin()
        say(f"{played.title}: {len(ports)} nodes, each a real gpu-exporter process, are started …")
        running = await stack.enter_async_context(folder.exporters(ports))
        await folder.answered(ports, running)
        configuration = load(folder.configuration)
        decides = replace(rules(configuration, pace=PACE), lacking="")
        if scenario is None:
            await _remembered(configuration, played, folder.epoch)
        word = _made(folder.secret)
        service = await stack.enter_async_context(
            started(
                configuration,
                decides,
                adapters(configuration, clock),
                clock,
                rate=rate,
                beside=_signed_in(configuration.web, folder),
            )
        )
        _stops_by_signal(service)
        page, site = (one or listen for one in service.pages)
        links = await stack.enter_async_context(visiting(site, word))
        say(welcome(folder, page, links, pacer.go(), rate))
        await _until_stopped(service, say, folder.epoch, lasts, pacer)


async def _remembered(configuration: Configuration, played: Scenario, epoch: float) -> None:
    """Write the weeks before, in which the policy of the notebooks came into force."""
    notebooks = next(one for one in configuration.policies if one.name == "notebooks")
    store = await open_store(configuration.store, cluster=configuration.cluster, pace=PACE)
    try:
        await remember(store, played, notebooks.version, epoch)
    finally:
        await store.close()


def _made(path: Path) -> str:
    """Write a word that nobody else can guess, for this run alone."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        word = token_urlsafe()
        file.write(word)
    return word


def _signed_in(web: WebSettings, folder: Folder) -> WebSettings:
    """Return the settings of the site where people sign in, behind a proxy of ours."""
    return web.model_copy(
        update={
            "listen": Address("127.0.0.1", 0),
            "socket": folder.visits,
            "sign_in": ProxySignIn(groups="", secret=Secret(file=folder.secret)),
            "roles": Roles(operators=Members(users=(OPERATOR,))),
        }
    )


def _stops_by_signal(service: Service) -> None:
    """Stop by a signal, also of a terminal that is closed; what nohup ignores stays ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, service.stop)


async def _until_stopped(
    service: Service, say: Say, epoch: float, lasts: float | None, pacer: Pacer
) -> None:
    if lasts is not None:
        asyncio.get_running_loop().call_later(lasts, service.stop)
    told = (
        asyncio.create_task(_feed(service.parts.store, say, epoch)),
        asyncio.create_task(_paced(service, pacer, say)),
    )
    try:
        await service.run()
    finally:
        for task in told:
            task.cancel()
        await asyncio.gather(*told, return_exceptions=True)


async def _paced(service: Service, pacer: Pacer, say: Say) -> None:
    """Let the clock run as fast as samples and turns follow."""
    clock, questions, newest = SystemClock(), Questions(store=service.parts.store), 0.0
    saw = False
    while True:
        await clock.sleep(_LOOK)
        picture = await questions.status()
        sees = picture is not None and picture.coverage >= _SEEN
        fresh = picture is not None and picture.at > newest
        # The first picture is of a minute that nobody saw begin.
        blind = saw and fresh and not sees
        saw, newest = saw or sees, picture.at if picture else 0.0
        pacer.follow(1.0 if blind else behind(service), say)


def behind(service: Service) -> float:
    """Return by how many steps the newest sample, or the newest turn, is later than it should."""
    parts, step = service.parts, service.parts.rules.pace.step
    now, elapsed = parts.clock.now(), parts.clock.elapsed()
    sampled = (
        max((one.at for one in report.readings), default=report.as_of)
        for report in parts.board.good.values()
    )
    pages = [now - at - step / 2 for at in sampled]
    turned = parts.cycle.turned
    turns = [elapsed - turned[1] - step] if turned else []
    return max([0.0, *pages, *turns]) / step


async def _feed(store: Store, say: Say, epoch: float) -> None:
    """Tell new events as they are written."""
    clock, told = SystemClock(), 0
    names: dict[str, str] = {}
    while True:
        async with store.reading() as books:
            events = await books.events(begin=epoch)
        for event in events[told:]:
            if event.kind == "run began":
                names[event.run_key] = said(event.text)
            elif event.kind in _TOLD:
                say(_line(event, names.get(event.run_key, ""), epoch))
        told = len(events)
        await clock.sleep(_LOOK)


def _line(event: Event, run: str, epoch: float) -> str:
    at = datetime.fromtimestamp(event.at, tz=UTC)
    minutes = (event.at - epoch) / 60
    detail = said(event.text) if event.kind in _DETAILED else ""
    what = f"{_TOLD[event.kind]}{': ' + detail if detail else ''}"
    if event.kind == interlock.KIND:
        what += f"; nothing is released until you type: {LIFT}"
    return f"{at:%H:%M:%S} (minute {minutes:3.0f})  {run:14} {what}"
