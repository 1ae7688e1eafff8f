"""What a drawn device comes back as, minute by minute: its letters, and who said that it idled."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from exporter.contract.parts import ScenarioNode
from exporter.contract.stage import Stage
from reaper.activity.recorded.counting import Meter, Rates
from reaper.cycle.records import Records
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.keyed import SKEW
from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.thresholds import DEFAULT

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
