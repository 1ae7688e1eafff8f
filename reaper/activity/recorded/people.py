"""What a drawn allocation shows of people at a time."""

from bisect import bisect_right
from functools import lru_cache

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
    moments = _moments(session)
    place = bisect_right(moments, now - origin)
    return (origin + moments[place - 1]) // _MINUTE * _MINUTE if place else None


@lru_cache(maxsize=4096)
def _moments(session: ScenarioSession) -> tuple[float, ...]:
    """Return every moment of activity, in order."""
    return tuple(sorted((*session.inputs, *(end for _, end in session.busy))))
