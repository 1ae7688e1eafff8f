"""The cycle itself: one turn after another, each in one transaction."""

import logging
from dataclasses import dataclass, field

from reaper.board import Board, Tally
from reaper.cycle import minutes, ownership
from reaper.cycle.advising import advise, hangs
from reaper.cycle.counting import count
from reaper.cycle.deafness import ears
from reaper.cycle.decide import Decisions, decide
from reaper.cycle.docket import Docket
from reaper.cycle.drawing import Canvas, draw
from reaper.cycle.escalating import escalate
from reaper.cycle.keeping import inputs_of
from reaper.cycle.ledgering import Entries, ledgered
from reaper.cycle.memory import Memory
from reaper.cycle.minutes import Closed
from reaper.cycle.noting import Noted, note
from reaper.cycle.owners import people
from reaper.cycle.ownership import Ownership
from reaper.cycle.plan import Plan
from reaper.cycle.renewing import renewed, watched
from reaper.cycle.rules import Rules
from reaper.cycle.serving import services
from reaper.cycle.standing import standing
from reaper.cycle.vitals import vitals
from reaper.cycle.writing import write
from reaper.domain.escalation.case import State
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.escalation.telling import remembered
from reaper.domain.facts.host import Host, after
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.facts.typed import all_typed
from reaper.domain.picture import Picture
from reaper.domain.spoken import count as counted
from reaper.ports import Books, Clock, Store

_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Cycle:
    """Turns the board's answers into cases, notices and intents, minute by minute."""

    rules: Rules
    board: Board
    store: Store
    clock: Clock
    epoch: int
    jumps: bool = False
    """The clock leaps over minutes in which nothing happens: a long step is no silence of ours."""
    memory: Memory | None = None
    turned: tuple[float, float] | None = None
    """Unix and monotonic seconds of the newest turn that was written."""
    tally: Tally = field(default_factory=Tally)
    """Counts of the performers, shared with them; a turn takes them into the totals."""

    async def turn(self) -> str:
        """
        Take one turn and return its sentence.

        A turn that fails leaves nothing behind, neither in the store nor in memory.
        """
        began = self.clock.elapsed()
        try:
            sentence = await self._turn(self.clock.now(), self.clock.elapsed())
        except BaseException:
            self.tally.add("cycles:failed")
            raise
        self.tally.seconds += self.clock.elapsed() - began
        return sentence

    async def _turn(self, now: float, elapsed: float) -> str:
        counts, seconds = dict(self.tally.counts), self.tally.seconds
        if self.memory is None:
            self.memory = await self._load(now)
        memory, self.memory = self.memory, None
        async with self.store.transaction(self.epoch) as books:
            plan, pulse, docket, noted = await self._plan(books, memory, now, elapsed)
            await write(books, plan, now)
        memory.take(plan.records, plan.letters)
        memory.inputs, memory.looked = noted.held, self.rules.pace.closed(now)
        memory.hosts, memory.services = dict(docket.hosts), dict(docket.services)
        memory.typed = dict(docket.typed)
        memory.proven = plan.proven
        memory.last_inputs = inputs_of(plan.picture.rows, now)
        if plan.notices:
            memory.told = remembered(memory.told, plan.notices, now)
        if pulse.covered >= self.rules.bounds.coverage * pulse.allocated:
            # What was not seen yet has not "turned idle" when it is first seen so.
            memory.idle_counts.append((self.rules.pace.closed(now), pulse.idle))
        cases = [row for row in plan.picture.rows if row.case is not None]
        self.board.watched = frozenset(node for row in cases for node in row.nodes)
        self.board.owners = frozenset(row.owner for row in cases if row.owner)
        memory.last_turn = self.turned = (now, elapsed)
        memory.totals = dict(plan.picture.totals)
        self.memory = memory
        self.tally.taken(counts, seconds)
        _log.info("%s", plan.picture.sentence)
        return plan.picture.sentence

    async def rest(self) -> None:
        """Write what the next start goes on from: every device as it was seen last."""
        if self.memory is not None:
            async with self.store.transaction(self.epoch) as books:
                await books.keep_records(tuple(self.memory.records.values()))

    async def _load(self, now: float) -> Memory:
        async with self.store.reading() as books:
            return await Memory.load(books, now=now, pace=self.rules.pace)

    async def _plan(
        self, books: Books, memory: Memory, now: float, elapsed: float
    ) -> tuple[Plan, Vitals, Docket, Noted]:
        owned = self._owned(memory, now)
        closed = self._close(memory, owned, now)
        view = _View(memory=memory, closed=closed)
        docket = Docket(
            rules=self.rules,
            standing=await standing(
                books, self.rules, now=now, jumps=self.jumps, ears=ears(self.board)
            ),
            records=view.records,
            tracks=view.tracks,
            waiting=owned.waiting,
            people=people(self.board),
            hosts=self._hosts(memory, owned, now),
            now=now,
            catches=owned.catches,
            typed=all_typed(memory.typed, owned.united.allocations),
            told=memory.told,
            services=services(memory.services, self.board, now=now, pace=self.rules.pace),
        )
        pulse = vitals(
            owned,
            docket.tracks,
            memory,
            self.board,
            now=now,
            elapsed=elapsed,
            pace=self.rules.pace,
        )
        decisions = decide(docket, owned.united.allocations, pulse, self.epoch, silent=owned.stale)
        await escalate(books, decisions, self.rules, now)
        _advise(decisions, docket, memory)
        count(memory, decisions, self.rules, self.tally, owned)
        ledger = await ledgered(books, docket, owned, memory.held)
        canvas = Canvas(
            rules=self.rules,
            board=self.board,
            ownership=owned,
            records=docket.records,
            tracks=docket.tracks,
            keeps=docket.standing.keeps,
            holds=(*docket.standing.holds, *decisions.holds),
            hosts=docket.hosts,
            services=docket.services,
            typed=docket.typed,
            now=now,
        )
        picture = draw(
            canvas,
            decisions.items,
            decisions.cases,
            sentence=sentence(decisions),
            pulse=pulse,
            totals=memory.totals,
        )
        noted = note(docket, decisions.items, memory.inputs, looked=memory.looked, jumps=self.jumps)
        plan = _assembled(decisions, owned, closed, ledger, picture, noted, memory, docket)
        return plan, pulse, docket, noted

    def _owned(self, memory: Memory, now: float) -> Ownership:
        return ownership.read(
            self.board,
            memory.records,
            memory.proven,
            now=now,
            pace=self.rules.pace,
            inputs=memory.last_inputs,
        )

    def _hosts(self, memory: Memory, owned: Ownership, now: float) -> dict[str, Host]:
        """Return what runs do on their hosts; one that falls silent is unseen, not forgotten."""
        minute = self.rules.pace.closed(now)
        live = (item.run.key for item in owned.united.allocations)
        known = {key for key in live if key in memory.hosts}
        return {
            key: after(memory.hosts.get(key), owned.pressures.get(key, {}), minute=minute)
            for key in (*owned.pressures, *(known - owned.pressures.keys()))
        }

    def _close(self, memory: Memory, owned: Ownership, now: float) -> Closed:
        pace = self.rules.pace
        return minutes.close(
            memory.records,
            owned.devices,
            self.board.readings(pace.ends(pace.closed(now))),
            pace=pace,
            thresholds=self.rules.thresholds,
            contested=owned.united.contested | self.board.contradicted,
            tenants=owned.tenants,
            jumped=memory.looked if self.jumps else None,
        )


def _advise(decisions: Decisions, docket: Docket, memory: Memory) -> None:
    """Add the day's advice to what a turn wants written."""
    advised = advise(
        decisions.items,
        docket.tracks,
        docket.records,
        docket.rules,
        before=memory.before,
        now=docket.now,
    )
    told = hangs(decisions.items, docket.rules, before=memory.before, now=docket.now)
    decisions.events += (*advised.events, *told.events)
    decisions.notices += (*advised.notices, *told.notices)


def _assembled(  # noqa: PLR0917 - the parts of a plan
    decisions: Decisions,
    owned: Ownership,
    closed: Closed,
    ledger: Entries,
    picture: Picture,
    noted: Noted,
    memory: Memory,
    docket: Docket,
) -> Plan:
    cases, known = {*docket.standing.cases, *decisions.cases}, memory.proven
    written = renewed(
        closed.records,
        memory.records,
        watched(owned.united.allocations, cases),
        minute=docket.rules.pace.closed(docket.now),
    )
    return Plan(
        records=closed.records,
        renewed=written,
        letters=closed.letters,
        inputs=noted.entries,
        input_letters=noted.letters,
        proven=owned.proven,
        new_proofs=owned.proven - known if owned.proven is not known else frozenset(),
        contradicted=tuple(owned.contradicted),
        tenures=ledger.tenures,
        capacity=ledger.capacity,
        demand=ledger.demand,
        cases=(*decisions.cases.values(), *decisions.over),
        notices=tuple(decisions.notices),
        intents=tuple(decisions.intents),
        holds=tuple(decisions.holds),
        events=(*decisions.events, *ledger.events),
        picture=picture,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """Memory with a turn's fresh minutes laid over it, before anything is committed."""

    memory: Memory
    closed: Closed

    @property
    def records(self) -> dict[str, DeviceRecord]:
        """Return the records after this turn."""
        return {**self.memory.records, **self.closed.records}

    @property
    def tracks(self) -> dict[str, Track]:
        """Return the tracks after this turn."""
        fresh = {
            gpu: self.memory.tracks.get(gpu, Track(start=track.start)).extend(
                track.start, track.letters
            )
            for gpu, track in self.closed.letters.items()
        }
        return {**self.memory.tracks, **fresh}


def sentence(decisions: Decisions) -> str:
    """Say in one sentence what a turn did."""
    by_kind: dict[str, int] = {}
    for item in decisions.items:
        by_kind[str(item.verdict.kind)] = by_kind.get(str(item.verdict.kind), 0) + 1
    judged = ", ".join(f"{count} {kind}" for kind, count in sorted(by_kind.items())) or "nothing"
    open_cases = sum(1 for case in decisions.cases.values() if case.state is not State.CLOSED)
    return (
        f"judged {counted(len(decisions.items), 'allocation')} ({judged}); "
        f"{counted(open_cases, 'case')} open, {counted(len(decisions.notices), 'notice')}, "
        f"{counted(len(decisions.intents), 'act')}, "
        f"{counted(decisions.refused.total(), 'refusal')}"
    )
