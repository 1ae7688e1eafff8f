"""The past of a simulation out of a drawn scenario: what it draws of people, hosts and requests."""

from collections.abc import Sequence
from functools import partial

from exporter.contract.scenario import Scenario, ScenarioAllocation
from exporter.contract.stage import Stage, ends
from reaper.activity.recorded.counting import devices
from reaper.activity.recorded.hosting import pressure
from reaper.activity.recorded.people import signs
from reaper.app.deadlines import length, marks
from reaper.app.measuring import measured
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.facts.allocation import Allocation, Claim
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host, after
from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.serving import NO_REQUEST, REQUEST, Service
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.track import Track
from reaper.platforms.recorded.drawing import claim_of, requests


def from_scenario(scenario: Scenario, *, cluster: str, pace: Pace) -> Past:
    """Read a drawing: what it draws of people, hosts and requests is known."""
    origin = scenario.start.timestamp()
    end = origin + length(scenario, pace.step)
    stage = Stage(scenario=scenario, origin=origin)
    drawn = tuple(origin + at for at in marks(scenario, pace.step))
    first, minutes = pace.minute(origin) + 1, pace.steps(end - origin)
    found = {
        device.gpu: measured(stage, node, device, count=minutes, pace=pace)
        for node in scenario.nodes
        for device in devices(node)
    }
    return Past(
        begin=origin,
        end=end,
        runs=tuple(
            _drawn(item, stage, cluster=cluster, drawn=drawn, minutes=minutes, pace=pace)
            for item in scenario.allocations
        ),
        tracks={gpu: Track(start=first, letters=one.letters) for gpu, one in found.items()},
        said={gpu: one.said for gpu, one in found.items() if one.said is not None},
        waiting=tuple(
            (origin + at, tuple(requests(stage, origin + at)))
            for at in sorted({one.at for one in scenario.waiting})
        ),
    )


def _drawn(
    item: ScenarioAllocation,
    stage: Stage,
    *,
    cluster: str,
    drawn: tuple[float, ...],
    minutes: int,
    pace: Pace,
) -> PastRun:
    claimed = partial(_claim, item, stage, cluster=cluster)
    claim = claimed(stage.origin)
    held = {
        (node.name, device.index): device
        for node in stage.scenario.nodes
        for device in devices(node)
    }
    end = ends(item)
    return PastRun(
        allocation=Allocation(
            run=claim.run,
            devices=tuple(held[place] for place in item.holds),
            expected=len(item.holds),
            claim=claim,
        ),
        begin=stage.origin + item.begin,
        end=None if end is None else stage.origin + end,
        signs=partial(_signs, item, stage=stage),
        claims=claimed if item.suspended else None,
        marks=drawn,
        host=_host(item, stage, pace=pace, minutes=minutes) if item.measured else None,
        service=None
        if item.serves is None
        else Service(track=_served(item, item.serves, stage, pace=pace, minutes=minutes)),
    )


def _claim(item: ScenarioAllocation, stage: Stage, now: float, *, cluster: str) -> Claim:
    return claim_of(item, stage, cluster=cluster, places="uuid", now=now, platform=item.platform)


def _signs(item: ScenarioAllocation, now: float, *, stage: Stage) -> tuple[Sign, ...]:
    """Return what is seen of people on the nodes of an allocation that show it."""
    nodes = dict.fromkeys(node for node, _ in item.holds)
    shown = (
        node
        for node in nodes
        if not any(one.of == "people" for one in stage.distortions(node, now))
    )
    return signs(item, now, origin=stage.origin) if any(shown) else ()


def _host(item: ScenarioAllocation, stage: Stage, *, pace: Pace, minutes: int) -> Host:
    """Measure its hosts minute by minute, from the first look at the run on."""
    nodes, first = tuple(dict.fromkeys(node for node, _ in item.holds)), _first(item, stage, pace)
    host: Host | None = None
    letters = ""
    for minute in range(first, minutes + 1):
        at = stage.origin + minute * pace.step
        words = {node: pressure(item, stage, node=node, at=at) for node in nodes}
        heard = {node: word for node, word in words.items() if word is not None}
        host = after(host, heard, nodes=nodes, minute=pace.closed(at))
        letters += host.track.letters[-1:] or UNSEEN * (minute > first)
    return Host(track=Track(start=pace.minute(stage.origin) + 1 + first, letters=letters))


def _served(
    item: ScenarioAllocation,
    spans: Sequence[tuple[float, float]],
    stage: Stage,
    *,
    pace: Pace,
    minutes: int,
) -> Track:
    """
    Draw its requests as a track.

    Counters that were looked at once tell nothing yet: the track begins a minute into the run.
    """
    letters = []
    first = _first(item, stage, pace)
    for minute in range(first, minutes):
        begin = minute * pace.step
        asked = any(max(at, begin) < min(end, begin + pace.step) for at, end in spans)
        letters.append(REQUEST if asked else NO_REQUEST)
    return Track(start=pace.minute(stage.origin) + 1 + first, letters="".join(letters))


def _first(item: ScenarioAllocation, stage: Stage, pace: Pace) -> int:
    """Return the first minute after the look at which a run is there, from the start."""
    return max(0, pace.minute(stage.origin + item.begin) - pace.minute(stage.origin))
