"""The past of a simulation out of a drawn scenario: what it draws of people, hosts and requests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from exporter.contract.parts import ScenarioNode
from exporter.contract.scenario import Scenario, ScenarioAllocation
from exporter.contract.stage import Stage, ends
from reaper.activity.recorded.around import pressure, signs
from reaper.activity.recorded.counting import Meter, Rates, devices
from reaper.app.past.deadlines import length, own_marks
from reaper.cycle.evidence.records import Records
from reaper.cycle.simulation.past import Past, PastRun
from reaper.domain.facts.allocation import Allocation, Claim
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import Host, after
from reaper.domain.facts.keyed import SKEW
from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.serving import NO_REQUEST, REQUEST, Service
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.thresholds import DEFAULT
from reaper.domain.facts.track import Track
from reaper.platforms.recorded.scheduler import claim_of, requests


def from_scenario(scenario: Scenario, *, cluster: str, pace: Pace) -> Past:
    """Read a drawing: what it draws of people, hosts and requests is known."""
    origin = scenario.start.timestamp()
    end = origin + length(scenario, pace.step)
    stage = Stage(scenario=scenario, origin=origin)
    first, minutes = pace.minute(origin) + 1, pace.steps(end - origin)
    held = {
        (node.name, index): device
        for node in scenario.nodes
        for index, device in enumerate(devices(node))
    }
    nodes = {node.name: node for node in scenario.nodes}
    found = {
        device.gpu: measured(stage, nodes[device.node], device, count=minutes, pace=pace)
        for device in held.values()
    }
    return Past(
        begin=origin,
        end=end,
        runs=tuple(
            _drawn(item, stage, held, cluster=cluster, minutes=minutes, pace=pace)
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
    held: Mapping[tuple[str, int], Device],
    *,
    cluster: str,
    minutes: int,
    pace: Pace,
) -> PastRun:
    claimed = partial(_claim, item, stage, cluster=cluster)
    claim = claimed(stage.origin)
    own = own_marks(stage.scenario, item, pace.step)
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
        marks=tuple(stage.origin + at for at in own),
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


#: Letters that come back as they are drawn, idle by profiling and by utilisation.
_PLAIN: Final = frozenset("ALHE?")


@dataclass(frozen=True, slots=True)
class Measured:
    """A device's letters, and the witnesses of its stretch in each minute; None for any two."""

    letters: str
    said: tuple[tuple[str, ...], ...] | None = None


def measured(
    stage: Stage, node: ScenarioNode, device: Device, *, count: int, pace: Pace
) -> Measured:
    """Measure a drawn device over so many minutes from the start, as a replay would."""
    track = node.tracks[device.index or 0]
    if abs(node.clock) > SKEW:
        return Measured(UNSEEN * count)
    if _is_plain(stage, node, track, pace):
        return Measured("".join(node.letter(device.index or 0, place) for place in range(count)))
    found = tuple(_minutes(stage, node, device, count, pace))
    return Measured("".join(letter for letter, _ in found), tuple(said for _, said in found))


def _is_plain(stage: Stage, node: ScenarioNode, track: str, pace: Pace) -> bool:
    distorted = any(one.node in ("", node.name) for one in stage.scenario.signals)
    usual = node.profiling and node.utilisation and not node.idle_power and not node.clock
    same = stage.scenario.step == pace.step
    return same and usual and not distorted and _PLAIN.issuperset(track)


def _minutes(
    stage: Stage, node: ScenarioNode, device: Device, count: int, pace: Pace
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the letter and the witnesses of each minute."""
    meter, gpu = Meter(device, Rates.of(node), stage.origin), device.gpu
    records = Records([DeviceRecord(device=device, reading=meter.reading("drawn"))])
    for minute in range(1, count + 1):
        meter.advance(stage, stage.origin + minute * pace.step, ())
        closed = records.close(
            {gpu: device},
            {gpu: (meter.reading("drawn"),)},
            pace=pace,
            thresholds=DEFAULT,
        )
        records.update(closed.records)
        letters = closed.letters[gpu].letters if gpu in closed.letters else UNSEEN
        yield letters[-1], records.evidence(gpu).testified
