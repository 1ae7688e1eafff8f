"""What people did since the last cycle, drawn into the row that it wrote; pure."""

from dataclasses import replace

from reaper.domain.escalation.keep import active
from reaper.domain.picture import CaseLine, Row
from reaper.questions import Explanation


def latest(explanation: Explanation, now: float) -> Explanation:
    """Return an explanation whose row shows the keeps and answers that were given by now."""
    row = explanation.row
    if row is None:
        return explanation
    keep = active(explanation.keeps, run_key=row.run_key, now=now)
    shown = replace(row, kept_until=keep.until if keep else None, case=_case(explanation, row))
    return replace(explanation, row=shown)


def _case(explanation: Explanation, row: Row) -> CaseLine | None:
    """Return the case as it stands; one that was just opened has no line yet."""
    line = row.case
    case = next((one for one in explanation.cases if line and one.id == line.id), None)
    if line is None or case is None:
        return line
    if case.disputed:
        held = ("it is disputed: an operator will look at it",)
        return replace(line, due=None, held_by=held)
    if case.own_release is not None:
        held = ("its owner has given it back: it ends within minutes, once it is checked",)
        return replace(line, next_step="release", due=None, held_by=held)
    return line
