"""A turn that carries over what goes on decides as one that looks at everything anew."""

import asyncio
from dataclasses import dataclass, field, replace

from hypothesis import event, given, settings
from hypothesis import strategies as st

from reaper.board import Board
from reaper.cycle.memory import Memory
from reaper.cycle.rules import Rules
from reaper.cycle.turn import Cycle
from reaper.domain.facts.allocation import Claim, Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.share import NodeSign, Share
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Match, Mode, Rung
from reaper.domain.money.entries import Event
from reaper.domain.picture import Picture
from reaper.edge.clock import JumpingClock
from reaper.ports import Claims, NodeReport, Readings
from reaper.store.memory import MemoryStore
from tests.builders import HOUR, MINUTE, START, claim, device, policy, reading
from tests.thoroughness import examples

NODES = ("gpu01", "gpu02")
CARDS = 3
WARN = (Rung(step="warn", after=6 * MINUTE), Rung(step="warn", after=9 * MINUTE, final=True))
RULES = Rules(
    cluster="test",
    policies=(
        # Too young for now, but for one of the runs not for ever.
        policy(*WARN, name="old", match=Match(older_than=3 * HOUR + 9 * MINUTE), mode=Mode.NOTIFY),
        policy(*WARN, name="sessions", match=Match(session=("jupyter",)), mode=Mode.OBSERVE),
        policy(*WARN, name="rest", mode=Mode.NOTIFY, counting=("idle", "low")),
    ),
)
HELD = (
    claim("101", gpus=2, purpose=Purpose.TRAINING),
    claim("103", gpus=3, node="gpu02", purpose=Purpose.OTHER, requeueable=True),
)
#: Seconds at work in a minute by its letter; ``L`` is hardly any.
BUSY = {"A": 30.0, "L": 1.0, "H": 0.0, "E": 0.0}

histories = st.lists(
    st.tuples(st.sampled_from(["A", "AL", "AH", "H", "?", "AAAH", "L"]), st.integers(1, 300)),
    min_size=1,
    max_size=4,
).map(lambda runs: "".join((shape * times)[:times] for shape, times in runs))
minutes = st.lists(st.tuples(st.sampled_from("AAAAAHL"), st.integers(1, 14)), max_size=6).map(
    lambda runs: "".join(letter * times for letter, times in runs)[:40]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What happens on each device, on whose node nobody looks, and who came and typed when."""

    before: list[str]
    letters: list[str]
    blind: frozenset[tuple[str, int]]
    typed: dict[int, float]
    moved: int
    anew: frozenset[tuple[str, int]]
    """On which nodes the exporter starts anew, its counters with it, and in which minutes."""

    @property
    def length(self) -> int:
        """Return how many minutes are played."""
        return max(map(len, self.letters))

    def claims(self, minute: int) -> tuple[Claim, ...]:
        """Return the scheduler's word; one claim changes once."""
        first, second = (replace(one, as_of=START + minute * MINUTE) for one in HELD)
        return (first, second if minute < self.moved else replace(second, user="noor"))


@st.composite
def drawings(draw: st.DrawFn) -> Drawn:
    """Draw a small cluster."""
    cards = len(NODES) * CARDS
    blind = st.tuples(st.sampled_from(NODES), st.integers(0, 40))
    typed = st.dictionaries(st.integers(0, 40), st.floats(0, 600), max_size=3)
    anew = st.tuples(st.sampled_from(NODES), st.integers(0, 40))
    return Drawn(
        before=draw(st.lists(histories, min_size=cards, max_size=cards)),
        letters=draw(st.lists(minutes, min_size=cards, max_size=cards)),
        blind=frozenset(draw(st.lists(blind, max_size=3))),
        typed=draw(typed),
        moved=draw(st.integers(1, 12)),
        anew=frozenset(draw(st.lists(anew, max_size=2))),
    )


@dataclass(slots=True, kw_only=True)
class Played:
    """One reaper that looks at a drawing."""

    drawn: Drawn
    forgets: bool = False
    backwards: bool = False
    carried: int = 0
    busy: dict[str, float] = field(default_factory=dict)
    begun: dict[str, float] = field(default_factory=lambda: dict.fromkeys(NODES, START - HOUR))
    """When the exporter of a node started."""

    async def play(self) -> list[tuple[Picture, list[Event]]]:
        """Return what was shown and written in every minute."""
        store, clock = MemoryStore(cluster="test"), JumpingClock(at=START)
        cycle = Cycle(
            rules=RULES,
            board=Board(),
            store=store,
            clock=clock,
            epoch=await store.lead("test", START),
        )
        async with store.transaction(cycle.epoch) as books:
            await books.append_minutes(self._tracks())
            await books.keep_records([DeviceRecord(device=one) for one in _devices()])
        found = []
        for minute in range(self.drawn.length):
            self._look(cycle.board, minute)
            clock.jump(START + (minute + 1) * MINUTE)
            if self.forgets and cycle.memory is not None:
                _forget(cycle.memory)
            await cycle.turn()
            found.append(await _shown(store, clock.now()))
            memory = cycle.memory
            self.carried += sum(i.carried for i in memory.found.items.values()) if memory else 0
        return found

    def _tracks(self) -> dict[str, Track]:
        end = NORMAL.closed(START) + 1
        return {
            one.gpu: Track(start=end - len(letters), letters=letters)
            for one, letters in zip(_devices(), self.drawn.before, strict=True)
        }

    def _look(self, board: Board, minute: int) -> None:
        at = START + minute * MINUTE + 59
        reports = [
            self._report(node, minute, at)
            for node in NODES
            if (node, minute) not in self.drawn.blind
        ]
        claims = self.drawn.claims(minute)
        if self.backwards:
            reports, claims = reports[::-1], claims[::-1]
        nodes = Readings(as_of=at, nodes=tuple(reports))
        board.put(source="nodes", role="activity", answer=nodes, took=1.0)
        board.put(source="slurm", role="holder", answer=Claims(as_of=at, claims=claims), took=1.0)

    def _report(self, node: str, minute: int, at: float) -> NodeReport:
        readings, last = [], self.begun[node]
        if (node, minute) in self.drawn.anew:
            last = self.begun[node] = at - 50
            self.busy |= {one.gpu: 0.0 for one in _devices() if one.node == node}
        for one, letters in zip(_devices(), self.drawn.letters, strict=True):
            if one.node == node:
                letter = letters[minute] if minute < len(letters) else "A"
                self.busy[one.gpu] = self.busy.get(one.gpu, 0.0) + BUSY[letter]
                readings.append(_reading(at, one.gpu, self.busy[one.gpu], last))
        shares = _shares(node)
        return NodeReport(
            node=node,
            target=f"{node}:9450",
            as_of=at,
            started=last,
            devices=tuple(one for one in _devices() if one.node == node),
            readings=tuple(readings[::-1] if self.backwards else readings),
            shares=shares[::-1] if self.backwards else shares,
            signs=self._signs(node, minute, at),
        )

    def _signs(self, node: str, minute: int, at: float) -> tuple[NodeSign, ...]:
        came = min(self.drawn.typed, default=99)
        if node != NODES[0] or minute < came:
            return ()
        last = max(when for when in self.drawn.typed if when <= minute)
        seen = START + last * MINUTE + self.drawn.typed[last] % MINUTE
        sign = Sign(kind="jupyter", last_seen=min(seen, at), as_of=at)
        start = HELD[0].run.started
        return (NodeSign(node=node, platform="slurm", id="101", start=start, sign=sign),)


def _devices() -> list:
    return [device(index, node=node) for node in NODES for index in range(CARDS)]


def _shares(node: str) -> tuple[Share, ...]:
    return tuple(
        Share(
            node=node,
            gpu=device(place.index or 0, node=node).gpu,
            platform="slurm",
            id=one.run.id,
            start=one.run.started,
        )
        for one in HELD
        for place in one.places
        if place.node == node
    )


def _reading(at: float, gpu: str, busy: float, started: float) -> Reading:
    found = reading(at, gpu=gpu, busy=busy, epoch=f"{started}")
    return replace(found, observed=dict.fromkeys(found.observed, at - started))


def _forget(memory: Memory) -> None:
    """Forget all that is carried over; what is known of devices is added up to now."""
    memory.found, memory.allocations, memory.ground = None, {}, None
    memory.records.settle(tuple(memory.records))


async def _shown(store: MemoryStore, now: float) -> tuple[Picture, list[Event]]:
    async with store.reading() as books:
        picture = await books.picture()
        assert picture is not None
        events = await books.events(begin=now, end=now + 1)
        return picture, sorted(events, key=lambda one: (one.run_key, one.kind, one.text))


@given(drawings())
@settings(max_examples=examples(100), deadline=None)
def test_what_is_carried_over_and_the_order_of_answers_change_nothing(drawn: Drawn) -> None:
    """The same picture and the same events, minute by minute."""
    usual = Played(drawn=drawn)
    shown = asyncio.run(usual.play())

    assert asyncio.run(Played(drawn=drawn, forgets=True).play()) == shown
    assert asyncio.run(Played(drawn=drawn, backwards=True).play()) == shown
    event("something is carried over" if usual.carried else "nothing is")
