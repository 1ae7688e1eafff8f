"""
Asks all exporters, a bounded number at a time; a silent one delays nobody.

A round starts a question to every target that has none under way and waits for those that
answered last time.  Those that failed last time have a lane of their own and are waited for
only a moment: what they say counts when it comes.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Self

from reaper.activity.exporters.address import Target
from reaper.activity.exporters.binding import Bindings, bindings
from reaper.activity.exporters.contest import Homes, contested
from reaper.activity.exporters.exporter import Exporter
from reaper.activity.exporters.fetch import Fetcher
from reaper.activity.exporters.settings import ExporterSettings
from reaper.ports import Clock, NodeReport, Readings

_log = logging.getLogger(__name__)

#: Part of the concurrency that targets which failed last time may take.
_FAILING_PART: Final = 8
#: Seconds a round waits for targets that failed last time.
_MOMENT: Final = 0.5
#: A round waits for so many time-outs at most: the queue for a place counts too.
_PATIENCE: Final = 2.0


class ExporterActivity:
    """Activity from the nodes' own exporters; close it at the end."""

    name = "exporters"
    sees_people = True

    def __init__(self, settings: ExporterSettings, *, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._fetcher = Fetcher(settings, clock)
        self._discovery = settings.discovery()
        self._bindings = Bindings()
        self._homes = Homes()
        self._exporters: dict[Target, Exporter] = {}
        self._words: Mapping[str, str] = {}
        self._under_way: dict[Target, asyncio.Task[NodeReport]] = {}
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="first pages")
        self._lane = asyncio.Semaphore(settings.concurrency)
        self._failing_lane = asyncio.Semaphore(max(1, settings.concurrency // _FAILING_PART))
        self._direct_lane = asyncio.Semaphore(settings.concurrency)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the questions under way and close every connection."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._fetcher.close()
        self._aside.shutdown(wait=False, cancel_futures=True)

    def recall(self, words: Mapping[str, str]) -> None:
        """Remember which node's name a target gave first, as known before this start."""
        self._words = dict(words)

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with the lists of targets, a sentence each."""
        return self._discovery.problems

    async def unmatched(self) -> tuple[str, ...]:
        """Return nothing: there are no labels here that could match nobody."""
        return ()

    def authenticated(self, target: str) -> bool:
        """Tell whether nobody but the node's root can answer there: a pinned CA or a low port."""
        found = [item.target for item in self._exporters.values() if item.target.name == target]
        return bool(found) and all(self._is_authenticated(item) for item in found)

    def _is_authenticated(self, target: Target) -> bool:
        return self._settings.ca is not None if target.secure else target.privileged

    async def readings(self, minute: int) -> Readings:
        """Ask every target once and return the newest answer of each."""
        self._fetcher.renew_credentials()
        await self._discover()
        healthy = [self._start(item) for item in self._exporters.values() if not item.failing]
        failing = [self._start(item) for item in self._exporters.values() if item.failing]
        await _wait(healthy, self._settings.timeout * _PATIENCE)
        await _wait(failing, _MOMENT)
        reports = self._homes.at_home(
            item.report or item.failed("not asked yet") for item in self._every()
        )
        told = contested(reports, reports)
        self._homes.take(told)
        return Readings(as_of=self._clock.now(), nodes=told)

    async def ask(self, nodes: Sequence[str]) -> Readings:
        """Ask the exporters that may speak for these nodes now, for both pages."""
        self._fetcher.renew_credentials()
        await self._meet(nodes)
        asked = [item for item in self._every() if self._speaks(item, nodes)]
        answers = await asyncio.gather(*(self._ask_directly(item) for item in asked))
        missing = sorted(set(nodes) - {answer.node for answer in answers})
        known = [item.report for item in self._every() if item.report and item not in asked]
        every = self._homes.at_home((*answers, *known))
        return Readings(
            as_of=self._clock.now(),
            nodes=(*contested(every[: len(answers)], every), *map(self._unknown, missing)),
        )

    def _speaks(self, exporter: Exporter, nodes: Sequence[str]) -> bool:
        """Tell whether it may speak for one of the nodes: as it is bound, else as it has said."""
        bound = exporter.bound
        if not bound:
            return exporter.node in nodes
        return any(self._bindings.same(one, node) for one in bound for node in nodes)

    def _every(self) -> Iterable[Exporter]:
        return self._exporters.values()

    def _unknown(self, node: str) -> NodeReport:
        return NodeReport(
            node=node,
            target="",
            as_of=self._clock.now(),
            error="no target may speak for this node; write ADDRESS=NODE under targets",
        )

    async def _meet(self, nodes: Sequence[str]) -> None:
        """Ask the targets that nobody has asked yet, as after a start: one may be a wanted node."""
        if not self._exporters:
            await self._discover()
        known = {item.node for item in self._every()}
        if any(node not in known and not self._bindings.speaks(node) for node in nodes):
            strangers = [self._start(item) for item in self._every() if item.report is None]
            await _wait(strangers, self._settings.timeout * _PATIENCE)

    async def _discover(self) -> None:
        targets = await asyncio.to_thread(self._discovery.refresh)
        self._exporters = {
            target: self._exporters.get(target) or self._exporter(target) for target in targets
        }
        self._bindings = bindings(exporter.teller for exporter in self._every())
        for exporter in self._every():
            exporter.bindings = self._bindings

    def _exporter(self, target: Target) -> Exporter:
        first = "" if target.node else self._words.get(target.name, "")
        return Exporter(target, self._fetcher, self._clock, aside=self._aside, first=first)

    # -------------------------------------------------------------- questions

    def _start(self, exporter: Exporter) -> asyncio.Task[NodeReport]:
        """Start a question unless one is under way; the task outlives a cancelled round."""
        target = exporter.target
        if target not in self._under_way:
            task = asyncio.create_task(self._ask_in_turn(exporter), name=f"ask {target.name}")
            self._under_way[target] = task
            task.add_done_callback(lambda done: self._finish(exporter, done))
        return self._under_way[target]

    def _finish(self, exporter: Exporter, task: asyncio.Task[NodeReport]) -> None:
        del self._under_way[exporter.target]
        if not task.cancelled() and (error := task.exception()):
            _log.error("asking %s failed unexpectedly", exporter.target.name, exc_info=error)
            exporter.report = exporter.failed(f"asking failed unexpectedly: {error!r}")

    async def _ask_in_turn(self, exporter: Exporter) -> NodeReport:
        async with self._failing_lane if exporter.failing else self._lane:
            now = self._clock.elapsed()
            due = now >= exporter.people_due
            if due:
                exporter.people_due = now + self._settings.people_interval
            return await exporter.ask(people=due)

    async def _ask_directly(self, exporter: Exporter) -> NodeReport:
        async with self._direct_lane:
            return await exporter.ask(people=True)


async def _wait(tasks: Sequence[asyncio.Task[NodeReport]], seconds: float) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
