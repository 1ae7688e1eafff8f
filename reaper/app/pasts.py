"""The past of a simulation: out of the store's ledger, or out of a drawn scenario."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from exporter.contract.scenario import Scenario, ScenarioAllocation
from exporter.contract.stage import Stage, ends
from reaper.activity.recorded.counting import devices
from reaper.activity.recorded.people import signs
from reaper.app.deadlines import length, marks
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.escalation.keep import Keep
from reaper.domain.facts.allocation import Allocation, Claim, Place
from reaper.domain.facts.demand import Request
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import AT_WORK, QUIET, Host
from reaper.domain.facts.serving import NO_REQUEST, REQUEST, Service
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import RELEASED, DemandPoint, Tenure
from reaper.domain.money.tracked import track_of
from reaper.platforms.recorded.drawing import claim_of, requests
from reaper.ports import Books

#: Share of a minute in which a drawn host works, from which on it is at work.
_HALF = 0.5


# ------------------------------------------------------------------ the ledger


async def from_ledger(books: Books, *, begin: float, end: float, pace: Pace) -> Past:
    """Read the runs of ``[begin, end)`` with the letters of their devices, and what waited."""
    tenures = [item for item in await books.tenures(begin, end) if item.end != item.begin]
    known = {record.device.gpu: record.device for record in await books.records()}
    names = sorted({track_of(tenure) for tenure in tenures})
    first, last = pace.minute(begin) + 1, pace.closed(end) + 1
    keeps: dict[str, list[Keep]] = defaultdict(list)
    for keep in await books.keeps(0.0):
        keeps[keep.run_key].append(keep)
    ours = {
        event.run_key: event.at
        for event in await books.events(begin=begin, end=end)
        if event.kind == RELEASED
    }
    return Past(
        begin=begin,
        end=end,
        runs=tuple(
            _run(held, known, tuple(keeps[key]), ours.get(key))
            for key, held in _by_run(tenures).items()
        ),
        tracks=await books.tracks(names, first, last),
        waiting=tuple(_waited(await books.demand(first, last), pace)),
    )


def allocations(tenures: Sequence[Tenure]) -> Iterator[Allocation]:
    """Yield the allocations that tenures tell of."""
    for held in _by_run(tenures).values():
        yield _allocation(held, {})


def _by_run(tenures: Sequence[Tenure]) -> dict[str, list[Tenure]]:
    found: dict[str, list[Tenure]] = defaultdict(list)
    for tenure in tenures:
        found[tenure.run.key].append(tenure)
    return found


def _run(
    held: Sequence[Tenure],
    known: Mapping[str, Device],
    keeps: tuple[Keep, ...],
    ended_by_us: float | None,
) -> PastRun:
    ended = [tenure.end for tenure in held]
    end = None if None in ended else max(at for at in ended if at is not None)
    return PastRun(
        allocation=_allocation(held, known),
        begin=min(tenure.begin for tenure in held),
        end=end,
        ended_by_us=ended_by_us,
        keeps=keeps,
    )


def _allocation(held: Sequence[Tenure], known: Mapping[str, Device]) -> Allocation:
    one = held[0]
    claim = Claim(
        run=one.run,
        places=tuple(Place(node=tenure.node, gpu=track_of(tenure)) for tenure in held),
        user=one.owner,
        as_of=one.begin,
        partition=one.partition,
        team=one.team,
        account=one.team,
        limit=one.limit,
        purpose=one.purpose,
    )
    return Allocation(
        run=one.run,
        devices=tuple(
            known.get(name, Device(gpu=name, node=tenure.node, model=tenure.model))
            for tenure in held
            for name in (track_of(tenure),)
        ),
        expected=len(held),
        claim=claim,
        doubt=next((tenure.doubt for tenure in held if tenure.doubt), ""),
    )


def _waited(
    points: Sequence[DemandPoint], pace: Pace
) -> Iterator[tuple[float, tuple[Request, ...]]]:
    """Yield what waited whenever that changed: that somebody did is kept, not for how many GPUs."""
    before = False
    for point in points:
        waits = point.gpus > 0
        if waits != before:
            at = pace.ends(point.minute)
            yield at, (Request(id="waiting", gpus=1, since=at),) if waits else ()
        before = waits


# ------------------------------------------------------------------ a scenario


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
                    scenario.letter(node, index, minute * pace.step) for minute in range(minutes)
                ),
            )
            for gpu, (_, node, index) in found.items()
        },
        waiting=tuple(
            (origin + at, tuple(requests(stage, origin + at))) for at, _ in sorted(scenario.waiting)
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
    claim = claim_of(item, stage, cluster=cluster, places="uuid", now=stage.origin)
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
