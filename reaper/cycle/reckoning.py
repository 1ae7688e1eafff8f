"""
What one turn reckons, in parts between which the books are read: see, decide, draw up; pure.

Each part takes long on a large cluster and runs beside the loop: it reads a board that stands
still, and a memory that is this turn's alone until it is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from reaper.board import Board, Tally
from reaper.cycle.decided import Decided, advise_on, planned
from reaper.cycle.evaluation.advising import is_due
from reaper.cycle.evaluation.decide import Decisions, decide
from reaper.cycle.evaluation.docket import Docket
from reaper.cycle.evidence import closing
from reaper.cycle.evidence.carrying import Carrying, working
from reaper.cycle.evidence.closing import Fresh
from reaper.cycle.evidence.noting import note
from reaper.cycle.evidence.serving import services
from reaper.cycle.item import Standing
from reaper.cycle.ledger.counting import count
from reaper.cycle.ledger.ledgering import ledgered
from reaper.cycle.memory import Memory
from reaper.cycle.ownership import uniting
from reaper.cycle.ownership.owners import people
from reaper.cycle.ownership.uniting import Ownership
from reaper.cycle.rules import Rules
from reaper.cycle.snapshot.drawing import Canvas, draw
from reaper.cycle.snapshot.vitals import vitals
from reaper.domain.escalation.case import State
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.escalation.keep import keyed
from reaper.domain.facts.host import Host, after
from reaper.domain.facts.serving import Service
from reaper.domain.facts.typed import all_typed
from reaper.domain.picture import Picture
from reaper.domain.spoken import count as counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a turn sees before it judges: who holds what, new minutes, hosts and servers."""

    owned: Ownership
    fresh: Fresh
    hosts: Mapping[str, Host]
    answering: Mapping[str, Service]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a turn has decided on what it saw."""

    docket: Docket
    pulse: Vitals
    decisions: Decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoning:
    """One turn at `now`; `tally` holds what was counted when it began."""

    rules: Rules
    board: Board
    memory: Memory
    tally: Tally
    epoch: int
    jumps: bool
    now: float
    elapsed: float

    @property
    def size(self) -> int:
        """Return how many nodes there are to look at."""
        return len(self.board.good)

    def see(self) -> Sight:
        """Unite who holds what, and close every device's minutes."""
        memory, board, now = self.memory, self.board, self.now
        owned = uniting.read(
            board,
            memory.records,
            memory.proven,
            now=now,
            pace=self.rules.pace,
            inputs=memory.last_inputs,
            before=memory.allocations,
            ground=memory.ground,
        )
        return Sight(
            owned=owned,
            fresh=closing.close(memory, owned, board, self.rules, now=now, jumps=self.jumps),
            hosts=self._hosts(owned),
            answering=services(memory.services, board, now=now, pace=self.rules.pace),
        )

    def decide(self, sight: Sight, standing: Standing) -> Judged:
        """Judge every allocation, move its case, ration what is due."""
        owned, docket = sight.owned, self._docket(sight, standing)
        pulse = vitals(
            owned,
            docket.tracks,
            self.memory,
            self.board,
            now=self.now,
            elapsed=self.elapsed,
            pace=self.rules.pace,
        )
        decisions = decide(docket, owned.united.allocations, pulse, self.epoch, silent=owned.stale)
        return Judged(docket=docket, pulse=pulse, decisions=decisions)

    def draw_up(self, sight: Sight, judged: Judged) -> Decided:
        """Draw the picture and put together what is written."""
        memory, owned, docket = self.memory, sight.owned, judged.docket
        decisions = judged.decisions
        advise_on(decisions, docket, before=memory.before)
        count(memory, decisions, self.rules, self.tally, owned)
        ledger = ledgered(docket, owned, memory.held)
        picture = self._picture(owned, judged)
        noted = note(docket, decisions.items, memory.inputs, looked=memory.looked, jumps=self.jumps)
        return Decided(
            plan=planned(decisions, owned, sight.fresh, ledger, picture, noted, memory, docket),
            pulse=judged.pulse,
            docket=docket,
            noted=noted,
            items=decisions.items,
            owned=owned,
        )

    def _docket(self, sight: Sight, standing: Standing) -> Docket:
        memory, owned = self.memory, sight.owned
        return Docket(
            rules=self.rules,
            standing=standing,
            records=memory.records,
            tracks=memory.tracks,
            waiting=owned.waiting,
            people=people(self.board),
            hosts=sight.hosts,
            now=self.now,
            catches=owned.catches,
            typed=all_typed(memory.typed, owned.united.allocations),
            told=memory.told,
            services=sight.answering,
            carrying=self._carrying(sight),
        )

    def _picture(self, owned: Ownership, judged: Judged) -> Picture:
        docket, decisions = judged.docket, judged.decisions
        canvas = Canvas(
            rules=self.rules,
            board=self.board,
            ownership=owned,
            records=self.memory.records,
            tracks=docket.tracks,
            keeps=keyed(docket.standing.keeps),
            holds=(*docket.standing.holds, *decisions.holds),
            hosts=docket.hosts,
            services=docket.services,
            typed=docket.typed,
            divided=docket.divided,
            words=self.memory.words,
            now=self.now,
        )
        return draw(
            canvas,
            decisions.items,
            decisions.cases,
            sentence=sentence(decisions),
            pulse=judged.pulse,
            totals=self.memory.totals,
        )

    def _hosts(self, owned: Ownership) -> dict[str, Host]:
        """Return what runs do on their hosts; one that falls silent is unseen, not forgotten."""
        minute, before = self.rules.pace.closed(self.now), self.memory.hosts
        nodes = {item.run.key: item.nodes for item in owned.united.allocations}
        silent = (before.keys() & nodes.keys()) - owned.pressures.keys()
        return {
            key: after(
                before.get(key),
                owned.pressures.get(key, {}),
                nodes=nodes.get(key, ()),
                minute=minute,
            )
            for key in (*owned.pressures, *silent)
        }

    def _carrying(self, sight: Sight) -> Carrying | None:
        """Return what may be carried over; None where the rules are new, or all are looked at."""
        memory, now, pace = self.memory, self.now, self.rules.pace
        found = memory.found
        if found is None or found.rules is not self.rules or is_due(memory.before, now):
            return None
        return Carrying(
            items=found.items,
            working=working(sight.fresh.letters, memory.tracks, now=now, pace=pace),
            records=memory.records,
            tracks=memory.tracks,
            services=sight.answering,
            now=now,
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
