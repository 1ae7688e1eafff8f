"""
The decisions of one turn: outcomes first, then cases, then the budget, then what to write.

Pure; observe and act take the same way, and only the phase of an intent tells them apart.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reaper.cycle.evaluation.docket import Docket
from reaper.cycle.evaluation.intending import intended, undoing
from reaper.cycle.evaluation.outcome import UNSAVED, Followed, follow
from reaper.cycle.item import Item, Standing
from reaper.cycle.snapshot import wording
from reaper.domain.escalation.budget import Candidate, ration
from reaper.domain.escalation.case import Case, Saying, State
from reaper.domain.escalation.decision import Hold, Intent
from reaper.domain.escalation.interlock import Vitals, trips
from reaper.domain.escalation.notice import Notice, NoticeKind
from reaper.domain.facts.allocation import Allocation
from reaper.domain.judgement.policy import Mode
from reaper.domain.money.entries import CASE_CLOSED, GIVEN_BACK, OWN_END, Event
from reaper.domain.reason import Reason, because


@dataclass(slots=True, kw_only=True)
class Decisions:
    """What a turn wants written; built up in order, then frozen into the plan."""

    items: tuple[Item, ...] = ()
    cases: dict[str, Case] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    intents: list[Intent] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    over: list[Case] = field(default_factory=list)
    """Closed cases that changed: their disputes go on."""
    refused: Counter[str] = field(default_factory=Counter)
    """Steps that were due and not taken, by rule."""

    def keep(self, case: Case) -> None:
        """Note a case's new state."""
        self.cases[case.run.key] = case


def decide(
    docket: Docket,
    allocations: Sequence[Allocation],
    vitals: Vitals,
    epoch: int,
    *,
    silent: frozenset[str] = frozenset(),
) -> Decisions:
    """Decide one turn over all allocations; `silent` are the holders that do not answer."""
    decisions = Decisions(cases={case.run.key: case for case in docket.standing.delayed})
    standing = _followed(docket, decisions)
    tripped = trips(vitals, standing.intents, standing.holds, docket.rules.bounds)
    for hold in tripped:
        decisions.holds.append(hold)
        decisions.events.append(_hold_event(hold))
    holds = (*standing.holds, *decisions.holds)
    judged = replace(docket, standing=replace(standing, holds=holds))
    decisions.items = judged.items(allocations)
    wanting = [item for item in decisions.items if _turn(item, judged, decisions)]
    _ration(wanting, judged, decisions, vitals, epoch)
    live = frozenset(allocation.run.key for allocation in allocations)
    _end(standing, live, silent, docket.now, decisions)
    return decisions


def _followed(docket: Docket, decisions: Decisions) -> Standing:
    """Move the cases that act by the fate of their intents, before anything else."""
    by_id = {intent.effect.id: intent for intent in docket.standing.intents}
    cases = dict(docket.standing.cases)
    for key, case in docket.standing.cases.items():
        if case.state not in (State.ACTING, State.VERIFYING):
            continue
        followed = follow(case, by_id.get(case.intent_id), docket.now)
        decisions.keep(followed.case)
        cases[key] = followed.case
        if followed.hold:
            decisions.holds.append(followed.hold)
        if followed.event:
            decisions.events.append(_outcome_event(followed, docket.now))
        _tell(followed, docket, decisions)
        if followed.undo:
            decisions.intents.append(undoing(followed.case, followed.undo, docket.now))
    still = {key: case for key, case in cases.items() if case.state is not State.CLOSED}
    return replace(docket.standing, cases=still)


#: Kind of the event of an owner's wish that came to nothing.
NOT_RELEASED: Final = "owner's release not done"

#: Seconds before its time limit from which on a run has ended by that, and not by its owner.
_AT_ITS_LIMIT: Final = 60.0

_ENDINGS: Final[Mapping[str, NoticeKind]] = {
    "verified": "released",
    "failed": "failed",
    "reverted": "reverted",
    UNSAVED: "failed",
    GIVEN_BACK: "released",
    OWN_END: "released",
}


def _tell(followed: Followed, docket: Docket, decisions: Decisions) -> None:
    """Tell the owner how the release ended."""
    kind = _ENDINGS.get(followed.event)
    if kind is None:
        return
    case = followed.case
    told = docket.standing.notices.get(case.id, ())
    notice = (
        wording.own_ending(
            case, case.own_release, kind, followed.text, now=docket.now, rules=docket.rules
        )
        if case.own_release
        else wording.ending(case, told, kind, followed.text, docket.now)
    )
    if notice is not None:
        decisions.notices.append(notice)


def _turn(item: Item, docket: Docket, decisions: Decisions) -> bool:
    """Take over an item's turn; return whether it wants to act."""
    turn = item.turn
    if turn is None:
        return False
    case = turn.case
    if item.opened:
        text = because(
            "case-opened",
            run=str(item.allocation.run),
            policy=case.policy,
            reason=item.verdict.reason,
        )
        decisions.events.append(wording.event(item, "case opened", text, case))
    if turn.close:
        case = replace(case, state=State.CLOSED, closed=docket.now, outcome=turn.close, due=None)
        decisions.events.append(wording.event(item, CASE_CLOSED, turn.close, case))
    if turn.warn is not None and item.policy is not None:
        keeps = tuple(docket.standing.keeps)
        notice = wording.warning(
            item, case, turn.warn, policy=item.policy, keeps=keeps, rules=docket.rules
        )
        decisions.notices.append(notice)
        decisions.events.append(wording.event(item, notice.kind, item.verdict.reason, case))
    case = replace(case, saying=_saying(item, case, docket, decisions))
    if turn.given_up is not None:
        _given_up(item, turn.given_up, docket, decisions)
    if turn.undo is not None:
        decisions.intents.append(undoing(case, turn.undo, docket.now))
    decisions.keep(case)
    decisions.refused.update(refusal.rule for refusal in turn.refusals)
    return turn.act is not None


def _saying(item: Item, case: Case, docket: Docket, decisions: Decisions) -> Saying | None:
    """Return what a warning that is on its way says now."""
    told = (*docket.standing.notices.get(case.id, ()), *decisions.notices[-1:])
    keeps = tuple(docket.standing.keeps)
    return wording.saying(item, case, told, keeps=keeps, rules=docket.rules)


def _given_up(item: Item, reason: Reason, docket: Docket, decisions: Decisions) -> None:
    """Tell an owner that the release that he asked for was not done, and why."""
    asked = item.case.own_release if item.case else None
    if asked is None or item.case is None:
        return
    decisions.events.append(wording.event(item, NOT_RELEASED, reason, item.case))
    decisions.notices.append(
        wording.own_ending(item.case, asked, "failed", reason, now=docket.now, rules=docket.rules)
    )


def _ration(
    wanting: Sequence[Item],
    docket: Docket,
    decisions: Decisions,
    vitals: Vitals,
    epoch: int,
) -> None:
    own = [item for item in wanting if item.turn and item.turn.case.own_release]
    by_case = {item.turn.case.id: item for item in wanting if item.turn and item not in own}
    rationed = ration(
        [_candidate(item, case_id, docket.standing) for case_id, item in by_case.items()],
        spent=docket.standing.intents,
        limits=docket.rules.limits,
        allocated=vitals.allocated,
        now=docket.now,
    )
    for item in own:
        _intend(item, docket.now, decisions, epoch)
    for candidate in rationed.granted:
        _intend(by_case[candidate.case_id], docket.now, decisions, epoch)
    for case_id, refusal in rationed.refused.items():
        item = by_case[case_id]
        decisions.refused[refusal.rule] += 1
        case = decisions.cases[item.allocation.run.key]
        decisions.keep(replace(case, held_by=(*case.held_by, refusal)))


def _candidate(item: Item, case_id: str, standing: Standing) -> Candidate:
    return Candidate(
        case_id=case_id,
        owner=item.allocation.owner,
        nodes=item.allocation.nodes,
        devices=item.allocation.expected,
        since=item.verdict.since or item.verdict.at,
        approved=case_id in standing.approved,
        follows=bool(item.case and item.case.saving and item.case.saving.stands),
    )


def _intend(item: Item, now: float, decisions: Decisions, epoch: int) -> None:
    """Write the intent; outside act mode it stays a plan."""
    moved, intent, kind = intended(item, decisions.cases[item.allocation.run.key], now, epoch)
    decisions.intents.append(intent)
    decisions.keep(moved)
    decisions.events.append(wording.event(item, kind, item.verdict.reason, moved))


def _end(
    standing: Standing,
    live: frozenset[str],
    silent: frozenset[str],
    now: float,
    decisions: Decisions,
) -> None:
    current = {**standing.cases, **decisions.cases}
    for case in _ended(current.values(), live, now, silent):
        decisions.keep(case)
        expired = case.limit is not None and now >= case.limit - _AT_ITS_LIMIT
        text = because("ended-at-limit" if expired else "ended-itself", run=str(case.run))
        told = case.mode != Mode.OBSERVE and any(at is not None for at in case.warned)
        kind = GIVEN_BACK if told and not expired else CASE_CLOSED
        event = Event(at=now, kind=kind, run_key=case.run.key, case_id=case.id, text=text)
        decisions.events.append(event)


def _ended(
    cases: Iterable[Case], live: frozenset[str], now: float, silent: frozenset[str]
) -> tuple[Case, ...]:
    """Close the cases whose run is gone by itself; a silent holder has not said so."""
    return tuple(
        replace(case, state=State.CLOSED, closed=now, outcome="ended by itself", due=None)
        for case in cases
        if case.run.key not in live
        and case.run.platform not in silent
        and case.state in (State.OPEN, State.PLANNED)
    )


def _outcome_event(followed: Followed, now: float) -> Event:
    return Event(
        at=now,
        kind=followed.event,
        run_key=followed.case.run.key,
        case_id=followed.case.id,
        by=followed.by or "gpu-reaper",
        text=followed.text,
    )


def _hold_event(hold: Hold) -> Event:
    return Event(at=hold.begin, kind=hold.kind, by=hold.by, text=hold.reason)
