"""What people did since the last cycle, drawn into the row that it wrote; pure."""

from dataclasses import replace
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.keep import active
from reaper.domain.picture import CaseLine, Row
from reaper.domain.reason import because
from reaper.questions import Explanation

_DISPUTED: Final = Refusal(rule="", reason=because("operator-will-look"))
_GIVEN_BACK: Final = "given back: it ends within minutes, once it is checked"


def latest(explanation: Explanation, now: float) -> Explanation:
    """Return an explanation whose row shows the keeps and answers that were given by now."""
    row = explanation.row
    if row is None:
        return explanation
    keep = active(explanation.keeps, run_key=row.run_key, now=now)
    shown = replace(row, kept_until=keep.until if keep else None, case=_case(explanation, row))
    return replace(explanation, row=shown)


def bare(row: Row, now: float) -> Explanation:
    """Return what a row alone tells of an allocation."""
    return Explanation(
        at=now,
        run_key=row.run_key,
        row=row,
        tenures=(),
        cases=(),
        notices=(),
        keeps=(),
        events=(),
    )


def _case(explanation: Explanation, row: Row) -> CaseLine | None:
    """Return the case as it stands by now."""
    if row.case is None:
        wished = (case for case in explanation.cases if case.own_release and not case.closed)
        return next((_opened(case) for case in wished), None)
    line = row.case
    case = next((one for one in explanation.cases if one.id == line.id), None)
    if case is not None and case.disputed:
        return replace(line, due=None, held_by=(_DISPUTED,))
    if case is not None and case.own_release is not None:
        return replace(line, next_step=_GIVEN_BACK, due=None, held_by=())
    return line


def _opened(case: Case) -> CaseLine:
    """Return the line of a case that was opened since the last cycle, by its owner's wish."""
    return CaseLine(
        id=case.id,
        policy=case.policy,
        mode=case.mode,
        state=case.state,
        opened=case.opened,
        warned=case.warned,
        next_step=_GIVEN_BACK,
        due=None,
    )
