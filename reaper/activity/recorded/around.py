"""What a drawn allocation shows beside its GPUs: people, hosts, and answered requests."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from exporter.contract.parts import ScenarioLoad, Span
from exporter.contract.scenario import ScenarioAllocation, ScenarioSession
from exporter.contract.stage import Stage
from reaper.domain.facts.allocation import Claim
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.serving import Answered, Requests
from reaper.domain.facts.sign import Sign, State
from reaper.ports import Clock

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


#: Cores in use where only spans of work are drawn: quiet by every bound, and not asleep.
_LITTLE: Final = 0.05

#: What of a drawn load counts for a resource that is there only where it is drawn.
_DRAWN: Final[Mapping[str, str]] = {"io_stall": "waits", "network": "network"}


def pressure(item: ScenarioAllocation, stage: Stage, *, node: str, at: float) -> Pressure | None:
    """Return a node's word on an allocation at a time; None where nothing measures it then."""
    hidden = [one for one in stage.distortions(node, at) if one.of == "host"]
    if not item.measured or any(one.shows is None for one in hidden):
        return None
    loads = [load for load in item.loads if load.node in ("", node)]
    signals = (one for one in stage.scenario.signals if one.of == "host")
    stuck = [
        span
        for one in signals
        if one.shows is not None and one.node in ("", node)
        for span in one.spans
    ]
    drawn = {"cpu": "cores"} | {
        resource: what
        for resource, what in _DRAWN.items()
        if any(getattr(load, what) for load in item.loads)
    }
    moment = at - stage.origin
    seconds = {
        resource: sum(getattr(load, what) * _counted(load, moment, stuck) for load in loads)
        for resource, what in drawn.items()
    }
    if item.host_load is None:
        seconds["cpu"] += _LITTLE * max(0.0, moment - item.begin - seconds["cpu"])
    return Pressure(
        node=node,
        id=item.id,
        start=float(int(stage.origin + item.begin)),
        at=at,
        seconds=seconds,
    )


def _counted(load: ScenarioLoad, moment: float, stuck: Sequence[Span]) -> float:
    """Return how long a load has lasted, without the time in which the counters stood still."""
    begin, end = load.begin, min(load.end, moment)
    lost = (max(0.0, min(end, until) - max(begin, since)) for since, until in stuck)
    return max(0.0, end - begin - sum(lost))


def passed(spans: Iterable[Span], moment: float) -> float:
    """Return how many seconds of the spans have passed."""
    return sum(max(0.0, min(end, moment) - begin) for begin, end in spans)


class RecordedServing:
    """Answers for the drawn allocations of which `serves` is said, one server each."""

    name = "recorded"

    def __init__(self, stage: Stage, *, clock: Clock) -> None:
        self._stage = stage
        self._clock = clock

    async def answered(self, claims: Sequence[Claim]) -> Answered:
        """Return the counters of this moment."""
        now = self._clock.now()
        return Answered(as_of=now, requests=tuple(self._words(claims, now)))

    def _words(self, claims: Sequence[Claim], now: float) -> Iterator[Requests]:
        keys = {claim.run.id: claim.run.key for claim in claims}
        moment = now - self._stage.origin
        for item in self._stage.running(now):
            if item.serves is None or item.id not in keys:
                continue
            yield Requests(
                run_key=keys[item.id],
                server=item.id,
                at=now,
                epoch=f"{item.begin:.0f}",
                answered=sum(max(0.0, min(end, moment) - begin) for begin, end in item.serves),
                pending=float(any(begin < moment < end for begin, end in item.serves)),
            )
