"""
Takes whole minutes of a large cluster in a process of its own, and prints what each part took.

Reads one line of JSON (`gpus`, `minutes`, `warm`: the minutes before every round is played,
`directory` and `url` of the store, `pages`: whether the nodes' pages are parsed or what they mean
is given, `profile`: a file for one of the last turn) and writes one line.
"""

import asyncio
import cProfile
import gc
import json
import resource
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

from reaper.activity.exporters.fetch import Fetched
from reaper.activity.exporters.page import PageReader, signs
from reaper.activity.exporters.reporter import Reporter
from reaper.activity.exposition import Exposition
from reaper.app.running import SELDOM
from reaper.board import Board
from reaper.cycle.alike import Alike
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
from reaper.web.metrics import Scene, render
from reaper.web.page import Guest, Look, Page
from tests.bench.whole_cluster import DrawnCluster, DrawnNode
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


@dataclass(slots=True, kw_only=True)
class Plant:
    """A reaper and the cluster that it looks at."""

    order: dict
    cluster: DrawnCluster
    cycle: Cycle
    questions: Questions
    eyes: list[Eye]

    async def minute(self, turn: int) -> Spent:
        """Take one whole minute: four rounds, claims, a turn, a page and the metrics."""
        spent, clock, board = Spent(), self.cycle.clock, self.cycle.board
        begin = START + 60.0 * turn
        counted = self.eyes and turn >= self.order["warm"]
        for second in ROUNDS if counted else ROUNDS[-1:]:
            clock.jump(begin + second + 0.5)
            await self._look(begin + second, spent)
        claims, waiting = self.cluster.claims(begin + 59.8), self.cluster.waiting(begin + 59.8)
        board.put(source="slurm", role="holder", answer=claims, took=1.0)
        board.put(source="slurm", role="demand", answer=waiting, took=0.1)
        clock.jump(begin + 60.5)
        with self._profile(turn):
            await spent.on("turn", self.cycle.turn())
        await spent.on("picture", _shown(self.questions, clock.now()))
        return spent

    async def _look(self, at: float, spent: Spent) -> None:
        """Let every node be seen; what writes its page is not counted."""
        found = []
        for eye in self.eyes:
            page, seen = eye.node.page(at), people(eye.node.report(at))
            found.append(await spent.on("parse", _now(eye.read, page, seen, at)))
        found = found or [node.report(at) for node in self.cluster.nodes]
        await spent.on("board", _now(_post, self.cycle.board, found, at))

    @contextmanager
    def _profile(self, turn: int) -> Iterator[None]:
        wanted = self.order.get("profile")
        if not wanted or turn != self.order["minutes"] - 1:
            yield
            return
        # A profiler sees one thread: what a turn gives to others is done in this one.
        asyncio.get_running_loop().set_default_executor(AtOnce())
        with cProfile.Profile() as profile:
            yield
        profile.dump_stats(wanted)


async def _now(work: Callable[..., T], *given: object) -> T:
    return work(*given)


def _post(board: Board, found: list[NodeReport], at: float) -> None:
    board.put(
        source="exporters", role="activity", answer=Readings(as_of=at, nodes=tuple(found)), took=1.0
    )


async def _shown(questions: Questions, now: float) -> None:
    picture = await questions.status()
    page = Page(Look(zone=UTC, version="0"))
    assert page.overview(picture, guest=Guest(now=now, nonce="n"))
    assert render(Scene(picture=picture, now=now, version="0"))


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    cluster = DrawnCluster(order["gpus"])
    settings = StoreSettings(directory=Path(order["directory"]), url=order.get("url"))
    store = await open_store(settings, cluster=f"bench{order['gpus']}")
    cycle = Cycle(
        rules=Rules(cluster="bench", policies=POLICIES),
        board=Board(),
        store=store,
        clock=JumpingClock(at=START),
        epoch=await store.lead("bench", START),
    )
    first = int(START // 60)
    known = dict(cluster.tracks(first - HORIZON, first))
    cycle.memory = Memory(tracks=Alike().all_recent(known))
    del known
    plant = Plant(
        order=order,
        cluster=cluster,
        cycle=cycle,
        questions=Questions(store=store),
        eyes=[Eye(node) for node in cluster.nodes] if order["pages"] else [],
    )
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    found = []
    for turn in range(order["minutes"]):
        before = _written()
        spent = await plant.minute(turn)
        if turn == 0:
            seen(cycle.memory, cluster, first)
        found.append({"cpu": spent.cpu, "wall": spent.wall, "written": _written() - before})
    sentence = (await plant.questions.status()).sentence
    await store.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"minutes": found, "said": sentence, "bytes": peak}))


def seen(memory: Memory, cluster: DrawnCluster, minute: int) -> None:
    """Let a first minute, before which no reading came, be seen: else nothing idles unbroken."""
    alike: dict[str, Track] = {}
    for gpu, track in cluster.tracks(minute + 1 - HORIZON, minute + 1):
        memory.tracks[gpu] = alike.setdefault(track.letters, track)


def _written() -> int:
    """Return the bytes that this process has asked to be written."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


if __name__ == "__main__":
    asyncio.run(main())
