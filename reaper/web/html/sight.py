"""
What one person may see of the whole: their own allocations, totals, and nobody else's name.

Whoever acted on an owner's allocation is "an operator" to its owner.
"""

from dataclasses import replace
from typing import Final

from reaper.domain.picture import Picture, Row
from reaper.questions import Explanation, Questions, UnknownAllocationError
from reaper.web.access.visitor import Visitor

#: How somebody else is called.
SOMEBODY: Final = "an operator"

#: Who acts by itself.
_PROGRAM: Final = frozenset(("", "gpu-reaper"))


def owns(row: Row, asking: Visitor) -> bool:
    """Tell whether an allocation is a person's own."""
    return asking.known and row.owner == asking.user


def seen(picture: Picture, asking: Visitor) -> Picture:
    """Return of a picture what somebody may see."""
    if asking.sees_all:
        return picture
    rows = tuple(row for row in picture.rows if owns(row, asking))
    own = {name for row in rows for name in (row.run_key, f"{row.platform}/{row.id}")}
    return Picture(
        at=picture.at,
        cluster=picture.cluster,
        sentence="",
        step=picture.step,
        pace_normal=picture.pace_normal,
        currency=picture.currency,
        rows=rows,
        holds=tuple(
            replace(hold, by=_called(hold.by, asking))
            for hold in picture.holds
            if not hold.scope or hold.scope.startswith("policy:") or hold.scope in own
        ),
        gpus=picture.gpus,
        allocated=picture.allocated,
        idle=picture.idle,
        unknown=picture.unknown,
        free_slices=picture.free_slices,
        unusable=picture.unusable,
        waiting_gpus=picture.waiting_gpus,
        coverage=picture.coverage,
        counts=picture.counts,
    )


def mine(explanation: Explanation, asking: Visitor) -> bool:
    """Tell whether somebody may see an explanation."""
    if asking.sees_all:
        return True
    if explanation.row is not None:
        return owns(explanation.row, asking)
    owners = {tenure.owner for tenure in explanation.tenures}
    return asking.known and owners == {asking.user}


def explained(explanation: Explanation, asking: Visitor) -> Explanation:
    """Return an explanation of one's own allocation without the names of others."""
    if asking.sees_all:
        return explanation
    return replace(
        explanation,
        events=tuple(replace(event, by=_called(event.by, asking)) for event in explanation.events),
        keeps=tuple(replace(keep, by=_called(keep.by, asking)) for keep in explanation.keeps),
        notices=tuple(
            replace(notice, to=_called(notice.to, asking))
            for notice in explanation.notices
            if notice.kind != "operator"
        ),
    )


async def findable(questions: Questions, name: str, asking: Visitor) -> Explanation:
    """Return what is known of an allocation; raise UnknownAllocationError for another's, too."""
    try:
        found = await questions.explain(name)
    except UnknownAllocationError:
        if asking.sees_all:
            raise
        found = None
    if found is None or not mine(found, asking):
        cure = "`/mine` or `gpu-reaper status` lists those"
        raise UnknownAllocationError(f"no allocation {name!r} is yours: {cure}")
    return found


def _called(name: str, asking: Visitor) -> str:
    return name if name in _PROGRAM or name == asking.user else SOMEBODY
