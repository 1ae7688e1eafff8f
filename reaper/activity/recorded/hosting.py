"""What a drawn allocation has done on a node's host so far, in the words of the wire."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from exporter.contract.parts import ScenarioLoad, Span
from exporter.contract.scenario import ScenarioAllocation
from exporter.contract.stage import Stage
from reaper.domain.facts.host import Pressure

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
