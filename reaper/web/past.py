"""What is left to say of an allocation that ended, from its tenures and cases; pure."""

from dataclasses import dataclass

from reaper.questions import Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """An ended allocation: whose it was, what it held from when to when, how its case ended."""

    name: str
    owner: str
    team: str
    gpus: int
    model: str
    nodes: tuple[str, ...]
    begin: float
    end: float | None
    """None while it is not known to have ended."""
    outcome: str


def ended(explanation: Explanation) -> Ended | None:
    """Return what its tenures tell; None where it never held a device that we know."""
    tenures = explanation.tenures
    if not tenures:
        return None
    last = max(tenures, key=lambda tenure: tenure.begin)
    ends = [tenure.end for tenure in tenures]
    known = [end for end in ends if end is not None]
    outcomes = [case.outcome for case in explanation.cases if case.outcome]
    return Ended(
        name=str(last.run),
        owner=last.owner,
        team=last.team,
        gpus=len({tenure.gpu for tenure in tenures}),
        model=last.model,
        nodes=tuple(sorted({tenure.node for tenure in tenures})),
        begin=min(tenure.begin for tenure in tenures),
        end=max(known) if len(known) == len(ends) else None,
        outcome=outcomes[-1] if outcomes else "",
    )
