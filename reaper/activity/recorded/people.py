"""What a drawn allocation shows of people at a time."""

from exporter.contract.scenario import ScenarioAllocation, ScenarioSession
from reaper.domain.facts.sign import Sign, State

_MINUTE = 60.0


def signs(item: ScenarioAllocation, now: float, *, origin: float) -> tuple[Sign, ...]:
    """Return a sign for each session, inputs in whole minutes, as the wire has them."""
    return tuple(
        Sign(
            kind=session.kind,
            last_seen=_last(session, now, origin),
            as_of=now,
            state=_state(session, now - origin),
        )
        for session in item.sessions
    )


def _state(session: ScenarioSession, moment: float) -> State:
    if any(begin <= moment < end for begin, end in session.unreachable):
        return "unreachable"
    return "busy" if any(begin <= moment < end for begin, end in session.busy) else "ok"


def _last(session: ScenarioSession, now: float, origin: float) -> float | None:
    """Return the last activity: an input, or the end of what it did by itself, as kernels tell."""
    moments = (*session.inputs, *(end for _, end in session.busy))
    past = [origin + moment for moment in moments if origin + moment <= now]
    return max(past) // _MINUTE * _MINUTE if past else None
