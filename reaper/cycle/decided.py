"""What a turn has come to: its plan, and what the memory takes of it once that is written; pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reaper.cycle.evaluation.advising import advise, hangs
from reaper.cycle.evaluation.decide import Decisions
from reaper.cycle.evaluation.docket import Docket
from reaper.cycle.evidence.carrying import Before
from reaper.cycle.evidence.closing import Fresh
from reaper.cycle.evidence.keeping import inputs_of
from reaper.cycle.evidence.noting import Noted
from reaper.cycle.evidence.renewing import EVERY, acted_on
from reaper.cycle.item import Item
from reaper.cycle.ledger.ledgering import Entries
from reaper.cycle.memory import Memory
from reaper.cycle.ownership.uniting import Ownership
from reaper.cycle.plan import Plan
from reaper.cycle.rules import Rules
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.interlock import Vitals
from reaper.domain.escalation.telling import remembered, unheard
from reaper.domain.picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One turn before it is written."""

    plan: Plan
    pulse: Vitals
    docket: Docket
    noted: Noted
    items: Sequence[Item]
    owned: Ownership

    def remember(self, memory: Memory, rules: Rules) -> None:
        """Take over what was written."""
        docket, plan, closed = self.docket, self.plan, rules.pace.closed(self.docket.now)
        memory.settle(plan.letters)
        memory.records.rest()
        memory.inputs, memory.looked = self.noted.held, closed
        memory.hosts, memory.services = dict(docket.hosts), dict(docket.services)
        memory.typed = dict(docket.typed)
        memory.proven = plan.proven
        memory.last_inputs = inputs_of(plan.picture.rows, docket.now)
        memory.totals = dict(plan.picture.totals)
        memory.found = Before(
            rules=rules,
            items={item.allocation.run.key: item for item in self.items if item.until > docket.now},
        )
        memory.allocations = {item.run.key: item for item in self.owned.united.allocations}
        memory.ground = self.owned.ground
        if plan.cases or plan.notices:
            heard = unheard(memory.told, plan.cases)
            memory.told = remembered(heard, plan.notices, docket.now)
        if self.pulse.covered >= rules.bounds.coverage * self.pulse.allocated:
            # What was not seen yet has not "turned idle" when it is first seen so.
            memory.idle_counts.append((closed, self.pulse.idle))


def advise_on(decisions: Decisions, docket: Docket, *, before: float | None) -> None:
    """Add the day's advice to what a turn wants written; `before` is when the last one was."""
    advised = advise(
        decisions.items,
        docket.tracks,
        docket.records,
        docket.rules,
        before=before,
        now=docket.now,
    )
    told = hangs(decisions.items, docket.rules, before=before, now=docket.now)
    decisions.events += (*advised.events, *told.events)
    decisions.notices += (*advised.notices, *told.notices)


def planned(  # noqa: PLR0917 - the parts of a plan
    decisions: Decisions,
    owned: Ownership,
    fresh: Fresh,
    ledger: Entries,
    picture: Picture,
    noted: Noted,
    memory: Memory,
    docket: Docket,
) -> Plan:
    """Return all that a turn writes."""
    known, intents = memory.proven, (*decisions.intents, *docket.standing.intents)
    acted = acted_on(owned.united.allocations, intents)
    names = dict.fromkeys((*fresh.due, *sorted(acted & memory.records.keys())))
    return Plan(
        renewed=tuple(memory.records[name] for name in names),
        letters=fresh.letters,
        inputs=noted.entries,
        input_letters=noted.letters,
        proven=owned.proven,
        new_proofs=owned.proven - known if owned.proven is not known else frozenset(),
        contradicted=tuple(owned.contradicted),
        tenures=ledger.tenures,
        capacity=ledger.capacity,
        demand=ledger.demand,
        cases=(*_changed(decisions, docket), *decisions.over),
        notices=tuple(decisions.notices),
        intents=tuple(decisions.intents),
        holds=tuple(decisions.holds),
        events=(*decisions.events, *ledger.events),
        picture=picture,
    )


def _changed(decisions: Decisions, docket: Docket) -> Iterator[Case]:
    """Yield the cases that are not as they were read, or were not written for long."""
    read, delayed = docket.standing.cases, {case.run.key for case in docket.standing.delayed}
    worked = _worked(decisions.items)
    for key, case in decisions.cases.items():
        before = None if key in delayed | worked else read.get(key)
        if before is None or not _goes_on(before, case):
            yield case


def _worked(items: Sequence[Item]) -> set[str]:
    """Return the runs whose cases have counted work: it is counted once."""
    return {
        item.allocation.run.key
        for item in items
        if item.situation is not None and item.situation.active_minutes
    }


def _goes_on(before: Case, after: Case) -> bool:
    """Tell whether only time has passed: minutes without work may be looked at again."""
    looked = after.judged_to - before.judged_to
    return looked < EVERY and replace(after, judged_to=before.judged_to) == before
