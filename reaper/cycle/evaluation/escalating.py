"""Disputes on which nobody has ruled for three working days: an operator is called, once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reaper.cycle.evaluation.decide import Decisions
from reaper.cycle.rules import Rules
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.notice import Notice
from reaper.domain.judgement.hours import opening_after
from reaper.domain.judgement.policy import Hours
from reaper.domain.money.entries import Event
from reaper.ports import Books

#: Working days for which a dispute waits before an operator is called.
PATIENCE: Final = 3

#: Kind of the event of a dispute that has waited for too long.
OVERDUE: Final = "dispute overdue"


async def escalate(books: Books, decisions: Decisions, rules: Rules, now: float) -> None:
    """Call an operator for every dispute that is due, of open cases and of those that are over."""
    for known in await books.disputed_cases():
        moved = decisions.cases.get(known.run.key)
        case = moved if moved is not None and moved.id == known.id else known
        due = called_at(case, rules)
        if due is None or now < due:
            continue
        called = replace(case, escalated=True)
        if case is moved:
            decisions.keep(called)
        else:
            decisions.over.append(called)
        decisions.events.append(_event(case, now))
        decisions.notices.extend(_notices(case, await books.notices(case.id), now))


def called_at(case: Case, rules: Rules) -> float | None:
    """Return when an operator is called for a dispute; None for what is not, or was, called."""
    if not case.disputed or case.escalated or case.disputed_at is None:
        return None
    policy = next((item for item in rules.policies if item.name == case.policy), None)
    hours = policy.hours if policy else Hours()
    return opening_after(hours, case.disputed_at, PATIENCE, rules.zone(hours.zone))


def _event(case: Case, now: float) -> Event:
    text = f"{case.run}: nobody has ruled on its dispute for {PATIENCE} working days"
    return Event(
        at=now, kind=OVERDUE, run_key=case.run.key, case_id=case.id, by="gpu-reaper", text=text
    )


def _notices(case: Case, told: Sequence[Notice], now: float) -> list[Notice]:
    """Return the operators' notice, with the story that its owner was told last."""
    last = max(told, key=lambda notice: notice.created, default=None)
    if last is None:
        return []
    outcome = f"disputed; nobody has ruled for {PATIENCE} working days"
    return [
        Notice(
            id=f"{case.id}:operator:dispute:{case.disputed_at:.0f}",
            case_id=case.id,
            run_key=case.run.key,
            to="",
            kind="operator",
            rung=case.rung,
            round=case.round,
            created=now,
            story=replace(last.story, release_at=None, outcome=outcome, late=False),
        )
    ]
