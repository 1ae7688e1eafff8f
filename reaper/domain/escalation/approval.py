"""Approval of acts on large allocations: two operators, each once."""

from collections.abc import Iterable
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.money.entries import Event

#: Kind of the event by which an operator approves.
APPROVED: Final = "approved"

#: Operators who must approve.
APPROVERS: Final = 2


def approvers(events: Iterable[Event], case: Case) -> frozenset[str]:
    """Return the operators who approved the act of a case."""
    return frozenset(
        event.by for event in events if event.kind == APPROVED and event.case_id == case.id
    )
