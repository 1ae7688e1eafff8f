"""The cycle itself: one turn after another, each in one transaction."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from reaper.board import Board, Tally
from reaper.cycle import closing, ownership
from reaper.cycle.advising import is_due
from reaper.cycle.carrying import Carrying, working
from reaper.cycle.closing import Fresh
from reaper.cycle.counting import count
from reaper.cycle.deafness import ears
from reaper.cycle.decide import Decisions, decide
from reaper.cycle.decided import Decided, advise_on, planned
from reaper.cycle.docket import Docket
from reaper.cycle.drawing import Canvas, draw
from reaper.cycle.escalating import escalate
from reaper.cycle.ledgering import ledgered
from reaper.cycle.memory import Memory
from reaper.cycle.noting import note
from reaper.cycle.owners import people
from reaper.cycle.ownership import Ownership
from reaper.cycle.rules import Rules
from reaper.cycle.serving import services
from reaper.cycle.standing import standing
from reaper.cycle.vitals import vitals
from reaper.cycle.writing import write
from reaper.domain.escalation.case import State
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.escalation.keep import keyed
from reaper.domain.facts.host import Host, after
from reaper.domain.facts.serving import Service
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
            decided = await self._decide(books, memory, now, elapsed)
            plan = decided.plan
            await write(books, plan, now)
        decided.remember(memory, self.rules)
        cases = [row for row in plan.picture.rows if row.case is not None]
        self.board.watched = frozenset(node for row in cases for node in row.nodes)
        self.board.owners = frozenset(row.owner for row in cases if row.owner)
        memory.last_turn = self.turned = (now, elapsed)
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

    async def _decide(self, books: Books, memory: Memory, now: float, elapsed: float) -> Decided:
        owned = self._owned(memory, now)
        fresh = closing.close(memory, owned, self.board, self.rules, now=now, jumps=self.jumps)
        docket = await self._docket(books, memory, owned, fresh, now)
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
        advise_on(decisions, docket, before=memory.before)
        count(memory, decisions, self.rules, self.tally, owned)
        ledger = await ledgered(books, docket, owned, memory.held)
        picture = self._picture(docket, owned, decisions, pulse, memory)
        noted = note(docket, decisions.items, memory.inputs, looked=memory.looked, jumps=self.jumps)
        return Decided(
            plan=planned(decisions, owned, fresh, ledger, picture, noted, memory, docket),
            pulse=pulse,
            docket=docket,
            noted=noted,
            items=decisions.items,
            allocations=owned.united.allocations,
        )

    async def _docket(
        self, books: Books, memory: Memory, owned: Ownership, fresh: Fresh, now: float
    ) -> Docket:
        hosts = self._hosts(memory, owned, now)
        answering = services(memory.services, self.board, now=now, pace=self.rules.pace)
        return Docket(
            rules=self.rules,
            standing=await standing(
                books, self.rules, now=now, jumps=self.jumps, ears=ears(self.board)
            ),
            records=memory.records,
            tracks=memory.tracks,
            waiting=owned.waiting,
            people=people(self.board),
            hosts=hosts,
            now=now,
            catches=owned.catches,
            typed=all_typed(memory.typed, owned.united.allocations),
            told=memory.told,
            services=answering,
            carrying=self._carrying(memory, fresh, hosts, answering, now),
        )

    def _picture(
        self,
        docket: Docket,
        owned: Ownership,
        decisions: Decisions,
        pulse: Vitals,
        memory: Memory,
    ) -> Picture:
        canvas = Canvas(
            rules=self.rules,
            board=self.board,
            ownership=owned,
            records=docket.records,
            tracks=docket.tracks,
            keeps=keyed(docket.standing.keeps),
            holds=(*docket.standing.holds, *decisions.holds),
            hosts=docket.hosts,
            services=docket.services,
            typed=docket.typed,
            divided=docket.divided,
            words=memory.words,
            now=docket.now,
        )
        return draw(
            canvas,
            decisions.items,
            decisions.cases,
            sentence=sentence(decisions),
            pulse=pulse,
            totals=memory.totals,
        )

    def _owned(self, memory: Memory, now: float) -> Ownership:
        return ownership.read(
            self.board,
            memory.records,
            memory.proven,
            now=now,
            pace=self.rules.pace,
            inputs=memory.last_inputs,
            before=memory.allocations,
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

    def _carrying(
        self,
        memory: Memory,
        fresh: Fresh,
        hosts: Mapping[str, Host],
        answering: Mapping[str, Service],
        now: float,
    ) -> Carrying | None:
        """Return what may be carried over; None where the rules are new, or all are looked at."""
        found, pace = memory.found, self.rules.pace
        if found is None or found.rules is not self.rules or is_due(memory.before, now):
            return None
        return Carrying(
            items=found.items,
            working=working(fresh.letters, memory.tracks, now=now, pace=pace),
            records=memory.records,
            tracks=memory.tracks,
            hosts=hosts,
            services=answering,
            now=now,
            pace=pace,
        )


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
