"""What is told of the past: an ended allocation, its cases' rules, events' evidence; pure."""

from dataclasses import dataclass

from reaper.domain.escalation.decision import Refusal
from reaper.domain.money.entries import Event, let_go
from reaper.languages.language import Language
from reaper.questions import Explanation
from reaper.web import words
from reaper.web.languages import ENGLISH


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A case of an allocation: under which version of which policy, and how it went."""

    policy: str
    version: str
    mode: str
    opened: float
    warned: tuple[float, ...]
    """When each warning arrived."""
    state: str
    closed: float | None
    outcome: str
    held_by: tuple[Refusal, ...]


def ruled(explanation: Explanation) -> tuple[Ruled, ...]:
    """Return its cases, the newest first."""
    return tuple(
        Ruled(
            policy=case.policy,
            version=case.policy_version,
            mode=case.mode,
            opened=case.opened,
            warned=tuple(at for at in case.warned if at is not None),
            state=str(case.state),
            closed=case.closed,
            outcome=case.outcome,
            held_by=case.held_by,
        )
        for case in sorted(explanation.cases, key=lambda case: -case.opened)
    )


def evidence(event: Event, language: Language = ENGLISH) -> str:
    """Return the numbers that an event was decided by: ``idle 60 min on 8 GPUs, 97 % seen``."""
    numbers = event.numbers
    if "idle_seconds" not in numbers or "devices" not in numbers:
        return ""
    gpus = language.text("gpus", count=round(numbers["devices"]))
    seen = numbers.get("coverage")
    told = "" if seen is None else language.text("evidence_seen", share=words.share(seen))
    span = language.duration(numbers["idle_seconds"])
    return f"{language.text('evidence', span=span, gpus=gpus)}{told}"


def ended(explanation: Explanation) -> Ended | None:
    """Return what its tenures tell; None where it never held a device that we know."""
    tenures = explanation.tenures
    if not tenures:
        return None
    last = max(tenures, key=lambda tenure: tenure.begin)
    outcomes = [case.outcome for case in explanation.cases if case.outcome]
    return Ended(
        name=str(last.run),
        owner=last.owner,
        team=last.team,
        gpus=len({tenure.gpu for tenure in tenures}),
        model=last.model,
        nodes=tuple(sorted({tenure.node for tenure in tenures})),
        begin=min(tenure.begin for tenure in tenures),
        end=let_go(tenures),
        outcome=outcomes[-1] if outcomes else "",
    )
