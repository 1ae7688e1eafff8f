"""
A reaper and the large cluster that it looks at, minute by minute, built once for all benches.

The nodes' pages are fetched over HTTP, or parsed, or what they mean is given as an engine would.
"""

import asyncio
import cProfile
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from time import perf_counter, process_time
from typing import Protocol, TypeVar

from reaper.activity.exporters.fetch import Fetched
from reaper.activity.exporters.page import PageReader, signs
from reaper.activity.exporters.reporter import Reporter
from reaper.activity.exposition import Exposition
from reaper.app.sweeping import Sweeper
from reaper.board import Board
from reaper.cycle.evidence.alike import Alike
from reaper.cycle.memory import Memory
from reaper.cycle.rules import Rules
from reaper.cycle.turn import Cycle
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.track import HORIZON, Track
from reaper.domain.judgement.policy import Match, Mode, Policy, Rung
from reaper.edge.clock import JumpingClock
from reaper.ports import NodeReport, Readings
from reaper.questions import Questions
from reaper.store import open_store
from reaper.store.settings import StoreSettings
from reaper.web.exposition.metrics import Scene, render
from reaper.web.html.page import Guest, Look, Page
from tests.bench.drawn_node import DrawnNode
from tests.bench.whole_cluster import DrawnCluster
from tests.builders import START
from tests.pages import people

T = TypeVar("T")

ROUNDS = (14.0, 29.0, 44.0, 59.0)
"""When within a minute the nodes are asked."""

POLICIES = (
    Policy(
        name="notebooks",
        version="v1",
        match=Match(purpose=(Purpose.INTERACTIVE,)),
        mode=Mode.NOTIFY,
        rungs=(Rung(step="warn", after=1800.0), Rung(step="warn", after=3600.0, final=True)),
    ),
    Policy(
        name="quiet-training",
        version="v1",
        match=Match(purpose=(Purpose.TRAINING,), requeueable=True),
        mode=Mode.OBSERVE,
        rungs=(
            Rung(step="warn", after=120.0),
            Rung(step="warn", after=300.0, final=True),
            Rung(step="release", grace=3600.0),
        ),
    ),
)


@dataclass(slots=True)
class Spent:
    """CPU and wall seconds by part, of one minute."""

    cpu: dict[str, float] = field(default_factory=dict)
    wall: dict[str, float] = field(default_factory=dict)

    async def on(self, part: str, work: Awaitable[T]) -> T:
        """Await something and count what it took."""
        cpu, wall = process_time(), perf_counter()
        found = await work
        self.cpu[part] = self.cpu.get(part, 0.0) + process_time() - cpu
        self.wall[part] = self.wall.get(part, 0.0) + perf_counter() - wall
        return found


class AtOnce(ThreadPoolExecutor):
    """Threads of which none is ever started."""

    def submit(self, fn: Callable[..., T], /, *given: object, **named: object) -> "Future[T]":
        """Do the work now."""
        done: Future[T] = Future()
        try:
            done.set_result(fn(*given, **named))
        except Exception as error:  # noqa: BLE001 - as a thread would
            done.set_exception(error)
        return done


@dataclass(slots=True)
class Eye:
    """What reads one node's pages, as the observer of exporters has it."""

    node: DrawnNode
    pages: Exposition = field(default_factory=Exposition)
    folk: Exposition = field(default_factory=Exposition)
    reader: PageReader = field(default_factory=PageReader)
    reporter: Reporter = field(default_factory=lambda: Reporter("node"))

    def read(self, page: bytes, seen: bytes, at: float) -> NodeReport:
        """Return what both pages say."""
        fetched = Fetched(body=page, sent=at, received=at + 0.2)
        told = self.reporter.report(self.reader.read(self.pages.parse(page)), fetched)
        found = signs(self.folk.parse(seen), node=told.node, as_of=at) if seen else ()
        return NodeReport(
            **{name: getattr(told, name) for name in told.__slots__}
            | {"target": f"{told.node}:9450", "signs": found}
        )


class Asked(Protocol):
    """What answers for the nodes over HTTP."""

    async def draw(self, at: float) -> None:
        """Let every node say what it does at a time."""

    async def readings(self) -> Readings:
        """Ask every node."""


@dataclass(slots=True, kw_only=True)
class Plant:
    """A reaper and the cluster that it looks at."""

    cluster: DrawnCluster
    cycle: Cycle
    questions: Questions
    sweeper: Sweeper = field(default_factory=Sweeper)
    page: Page = field(default_factory=lambda: Page(Look(zone=UTC, version="0")))
    asked: Asked | None = None
    eyes: list[Eye] = field(default_factory=list)

    async def minute(
        self, turn: int, *, whole: bool = False, churns: bool = False, profile: Path | None = None
    ) -> Spent:
        """
        Take a minute: a round, claims, a turn, a page and the metrics.

        A `whole` one has all four rounds; in one that `churns` some runs end and others begin.
        """
        spent, clock, board = Spent(), self.cycle.clock, self.cycle.board
        begin = START + 60.0 * turn
        if churns:
            self.cluster.churn(turn, begin)
        for second in ROUNDS if whole else ROUNDS[-1:]:
            clock.jump(begin + second + 0.5)
            await self._look(begin + second, spent)
        claims, waiting = self.cluster.claims(begin + 59.8), self.cluster.waiting(begin + 59.8)
        board.put(source="slurm", role="holder", answer=claims, took=1.0)
        board.put(source="slurm", role="demand", answer=waiting, took=0.1)
        clock.jump(begin + 60.5)
        with _profiled(profile):
            await spent.on("turn", self.sweeper.turn(self.cycle.turn))
        await spent.on("picture", self._shown(clock.now()))
        if turn == 0:
            seen(self.cycle.memory, self.cluster, int(START // 60))
        return spent

    async def _shown(self, now: float) -> None:
        picture = await self.questions.status()
        assert self.page.overview(picture, guest=Guest(now=now, nonce="n"))
        assert render(Scene(picture=picture, now=now, version="0"))

    async def _look(self, at: float, spent: Spent) -> None:
        """Let every node be seen; what writes its page is not counted."""
        found = []
        if self.asked is not None:
            await self.asked.draw(at)
            found = [*(await spent.on("asking", self.asked.readings())).nodes]
            assert not any(report.error for report in found)
        for eye in self.eyes:
            page, folk = eye.node.page(at), people(eye.node.report(at))
            found.append(await spent.on("parse", _now(eye.read, page, folk, at)))
        found = found or [node.report(at) for node in self.cluster.nodes]
        await spent.on("board", _now(_post, self.cycle.board, found, at))


async def planted(
    place: Path,
    drawn: DrawnCluster,
    *,
    at: float = START,
    url: str | None = None,
    cluster: str = "bench",
    remembers: bool = True,
) -> Plant:
    """
    Build a reaper with a store at a place, for the cluster that it looks at.

    It `remembers` what a reaper would that ran all the time; else it reads its store.
    """
    store = await open_store(StoreSettings(directory=place, url=url), cluster=cluster)
    cycle = Cycle(
        rules=Rules(cluster=cluster, policies=POLICIES),
        board=Board(),
        store=store,
        clock=JumpingClock(at=at),
        epoch=await store.lead("bench", at),
    )
    if remembers:
        first = int(at // 60)
        known = dict(drawn.tracks(first - HORIZON, first))
        cycle.memory = Memory(tracks=Alike().all_recent(known))
    return Plant(cluster=drawn, cycle=cycle, questions=Questions(store=store))


@contextmanager
def _profiled(place: Path | None) -> Iterator[None]:
    if place is None:
        yield
        return
    # A profiler sees one thread: what a turn gives to others is done in this one.
    asyncio.get_running_loop().set_default_executor(AtOnce())
    with cProfile.Profile() as profile:
        yield
    profile.dump_stats(place)


async def _now(work: Callable[..., T], *given: object) -> T:
    return work(*given)


def _post(board: Board, found: list[NodeReport], at: float) -> None:
    board.put(
        source="exporters", role="activity", answer=Readings(as_of=at, nodes=tuple(found)), took=1.0
    )


def seen(memory: Memory, cluster: DrawnCluster, minute: int) -> None:
    """Let a first minute, before which no reading came, be seen: else nothing idles unbroken."""
    alike: dict[str, Track] = {}
    for gpu, track in cluster.tracks(minute + 1 - HORIZON, minute + 1):
        memory.tracks[gpu] = alike.setdefault(track.letters, track)
