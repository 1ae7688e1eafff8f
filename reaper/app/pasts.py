"""The past of a simulation out of a drawn scenario: what it draws of people, hosts and requests."""

from collections.abc import Sequence
from functools import partial

from exporter.contract.looks import STUCK
from exporter.contract.scenario import Scenario, ScenarioAllocation
from exporter.contract.stage import Stage, ends
from reaper.activity.recorded.counting import devices
from reaper.activity.recorded.people import signs
from reaper.app.deadlines import length, marks
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, QUIET, Host
from reaper.domain.facts.minute import CONTRADICTED, ENGINE_ONLY
from reaper.domain.facts.serving import NO_REQUEST, REQUEST, Service
from reaper.domain.facts.track import Track
from reaper.platforms.recorded.drawing import claim_of, requests

#: Share of a minute in which a drawn host works, from which on it is at work.
_HALF = 0.5


def from_scenario(scenario: Scenario, *, cluster: str, pace: Pace) -> Past:
    """Read a drawing: what it draws of people, hosts and requests is known."""
    origin = scenario.start.timestamp()
    end = origin + length(scenario, pace.step)
    stage = Stage(scenario=scenario, origin=origin)
    drawn = tuple(origin + at for at in marks(scenario, pace.step))
    found = {
        device.gpu: (device, node.name, index)
        for node in scenario.nodes
        for index, device in enumerate(devices(node))
    }
    first, minutes = pace.minute(origin) + 1, pace.steps(end - origin)
    return Past(
        begin=origin,
        end=end,
        runs=tuple(
            _drawn(item, stage, cluster=cluster, drawn=drawn, minutes=minutes, pace=pace)
            for item in scenario.allocations
        ),
        tracks={
            gpu: Track(
                start=first,
                letters="".join(
                    _letter(stage, node, index, minute * pace.step) for minute in range(minutes)
                ),
            )
            for gpu, (_, node, index) in found.items()
        },
        waiting=tuple(
            (origin + at, tuple(requests(stage, origin + at))) for at, _ in sorted(scenario.waiting)
        ),
    )


def _letter(stage: Stage, node: str, index: int, at: float) -> str:
    """Return what is drawn, so many seconds from start, as a minute shows it."""
    drawn = stage.scenario.letter(node, index, at)
    stuck = drawn == ENGINE_ONLY and stage.letter(node, index, stage.origin + at) == STUCK
    return CONTRADICTED if stuck else drawn


def _drawn(
    item: ScenarioAllocation,
    stage: Stage,
    *,
    cluster: str,
    drawn: tuple[float, ...],
    minutes: int,
    pace: Pace,
) -> PastRun:
    claim = claim_of(
        item,
        stage,
        cluster=cluster,
        places="uuid",
        now=stage.origin,
        platform=item.platform,
    )
    held = {
        (node.name, device.index): device
        for node in stage.scenario.nodes
        for device in devices(node)
    }
    end = ends(item)
    track = partial(_spans, item, stage=stage, pace=pace, minutes=minutes)
    return PastRun(
        allocation=Allocation(
            run=claim.run,
            devices=tuple(held[place] for place in item.holds),
            expected=len(item.holds),
            claim=claim,
        ),
        begin=stage.origin + item.begin,
        end=None if end is None else stage.origin + end,
        signs=partial(signs, item, origin=stage.origin),
        marks=drawn,
        host=None
        if item.host_works is None
        else Host(track=track(item.host_works, on=AT_WORK, off=QUIET, share=_HALF)),
        service=None
        if item.serves is None
        else Service(track=track(item.serves, on=REQUEST, off=NO_REQUEST, share=0.0)),
    )


def _spans(
    item: ScenarioAllocation,
    spans: Sequence[tuple[float, float]],
    *,
    stage: Stage,
    pace: Pace,
    minutes: int,
    on: str,
    off: str,
    share: float,
) -> Track:
    """
    Draw spans as a track: a minute is `on` where more than a share of it lies in them.

    Counters that were looked at once tell nothing yet: the track begins a minute into the run.
    """
    letters = []
    first = max(0, pace.minute(stage.origin + item.begin) - pace.minute(stage.origin))
    for minute in range(first, minutes):
        begin = minute * pace.step
        inside = sum(max(0.0, min(end, begin + pace.step) - max(at, begin)) for at, end in spans)
        letters.append(on if inside > 0 and inside >= share * pace.step else off)
    return Track(start=pace.minute(stage.origin) + 1 + first, letters="".join(letters))
