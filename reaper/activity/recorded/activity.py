"""The nodes of a scenario, each with the page that its exporter would show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, Literal

from exporter.contract.scenario import (
    ScenarioAllocation,
    ScenarioError,
    ScenarioEvent,
    ScenarioNode,
    device_uuid,
    load,
)
from exporter.contract.stage import Stage
from reaper.activity.recorded.around import passed, pressure, signs
from reaper.activity.recorded.counting import Meter, Rates, devices, signals
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.facts.host import Pressure
from reaper.domain.facts.keyed import SKEW
from reaper.domain.facts.minute import TENANT
from reaper.domain.facts.reading import Reading
from reaper.domain.facts.receivers import Receivers
from reaper.domain.facts.share import NodeSign, Share
from reaper.ports import Clock, NodeReport, Readings, SourceError
from reaper.schema import Settings


class RecordedSettings(Settings):
    """A scenario file to play instead of asking exporters."""

    kind: Literal["recorded"] = "recorded"
    scenario: Path
    """A scenario (TOML)."""
    origin: float | None = None
    """Unix second at which it begins; without it, the time that the scenario names."""
    state: Path | None = None
    """Folder in which releases are noted, shared with other programs that play it."""

    def staged(self) -> Stage:
        """Read the scenario; raise SourceError with every mistake in it."""
        try:
            scenario = load(self.scenario.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, ScenarioError) as error:
            raise SourceError(f"scenario {self.scenario}: {error}") from None
        origin = scenario.start.timestamp() if self.origin is None else self.origin
        return Stage(scenario=scenario, origin=origin, state=self.state)


PLATFORM: Final = "recorded"


class RecordedActivity:
    """
    One answer per node of the scenario.

    Rounds answer for the end of the newest closed minute, so that a drawn minute comes back as
    the letter it was drawn as; a direct question is answered for this very moment.  With `apart`
    what nodes see of an allocation is named with the platform that it is drawn for.
    """

    name = "recorded"
    sees_people = True

    def __init__(
        self, stage: Stage, *, clock: Clock, pace: Pace = NORMAL, apart: bool = False
    ) -> None:
        self._stage = stage
        self._clock = clock
        self._pace = pace
        nodes = stage.scenario.nodes
        self._rounds = tuple(_Node(stage, node, apart=apart) for node in nodes)
        self._questions = {node.name: _Node(stage, node, apart=apart) for node in nodes}

    async def readings(self, minute: int) -> Readings:
        """Return every node's counters at the end of the newest closed minute."""
        now = self._clock.now()
        at = self._pace.ends(self._pace.closed(now))
        scene = self._scene(now)
        return Readings(as_of=now, nodes=tuple(node.report(at, scene) for node in self._rounds))

    async def ask(self, nodes: Sequence[str]) -> Readings:
        """Return these nodes' counters at this moment."""
        now = self._clock.now()
        scene = self._scene(now)
        found = [self._questions.get(name) for name in nodes]
        return Readings(
            as_of=now,
            nodes=tuple(
                node.report(now, scene)
                if node
                else _silent(name, now, "the scenario lacks this node")
                for name, node in zip(nodes, found, strict=True)
            ),
        )

    def _scene(self, now: float) -> "_Scene":
        running: dict[str, list[ScenarioAllocation]] = {}
        for item in self._stage.running(now):
            for name in dict.fromkeys(name for name, _ in item.holds):
                running.setdefault(name, []).append(item)
        return _Scene(now, running, self._stage.releases())


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is true of the whole stage at a time."""

    now: float
    running: Mapping[str, Sequence[ScenarioAllocation]]
    """By node."""
    releases: tuple[float, ...]


def _silent(node: str, now: float, error: str) -> NodeReport:
    return NodeReport(node=node, target=f"{PLATFORM}/{node}", as_of=now, error=error)


class _Node:
    """Plays one node forward in time; going back begins anew."""

    def __init__(self, stage: Stage, node: ScenarioNode, *, apart: bool) -> None:
        self._stage = stage
        self._apart = apart
        self._node = node
        self._devices = devices(node)
        self._rates = Rates.of(node)
        self._meters: dict[str, Meter] = {}
        # By identity: the stage keeps every allocation alive, and none of them changes.
        self._known: dict[int, tuple[Share, ...]] = {}
        self._signals = cache(
            lambda gpu, shown: signals(
                gpu, node, answers=shown.look is not None, paused=shown.paused
            )
        )

    def report(self, at: float, scene: _Scene) -> NodeReport:
        """Return the node's page with counters at `at`."""
        name, now = self._node.name, scene.now
        moment = now - self._stage.origin
        if self._stage.happens("outage", now, of="exporter", node=name):
            return _silent(name, now, "the scenario draws an outage here")
        ahead = self._node.clock
        if abs(ahead) > SKEW:
            return _silent(name, now, f"node clock is off by {ahead:+.0f} s, as drawn")
        started = self._started(moment)
        meters = [self._meter(device, at, scene.releases) for device in self._devices]
        running = scene.running.get(name, ())
        tenants = [item for item in running if item.uses is not None]
        return NodeReport(
            node=name,
            target=f"{PLATFORM}/{name}",
            as_of=now,
            started=started,
            devices=self._devices,
            readings=tuple(
                self._told_apart(meter.reading(f"{started:.3f}", ahead), running, at)
                if tenants
                else meter.reading(f"{started:.3f}", ahead)
                for meter in meters
                if at >= self._stage.origin
            ),
            signals=tuple(
                state for meter in meters for state in self._signals(meter.device.gpu, meter.shown)
            ),
            shares=tuple(share for item in running for share in self._held(item)),
            signs=tuple(sign for item in running for sign in self._signs(item, now)),
            receivers=tuple(self._receivers(item) for item in running),
            pressures=tuple(
                word for item in running if (word := self._pressure(item, at)) is not None
            ),
            skew=ahead,
        )

    def _told_apart(
        self, reading: Reading, running: Sequence[ScenarioAllocation], at: float
    ) -> Reading:
        """Add what each tenant of a shared GPU used, where the scenario says so of all of them."""
        there = [
            (share, item)
            for item in running
            for share in self._held(item)
            if share.gpu == reading.gpu
        ]
        if len(there) < 2 or any(item.uses is None for _, item in there):
            return reading
        moment = at - self._stage.origin
        return replace(
            reading,
            observed={**reading.observed, TENANT: moment},
            tenants={share.key: passed(item.uses or (), moment) for share, item in there},
        )

    def _meter(self, device: Device, to: float, releases: tuple[float, ...]) -> Meter:
        meter = self._meters.get(device.gpu)
        if meter is None or to < meter.at:
            meter = Meter(device, self._rates, self._stage.origin)
            self._meters[device.gpu] = meter
        meter.advance(self._stage, to, releases)
        return meter

    def _started(self, moment: float) -> float:
        past = (event.at for event in self._restarts() if event.at <= moment)
        return self._stage.origin + max(past, default=0.0)

    def _restarts(self) -> Iterator[ScenarioEvent]:
        for event in self._stage.scenario.events:
            ours = event.do == "restart" and event.of == "exporter"
            if ours and event.node in {"", self._node.name}:
                yield event

    def _held(self, item: ScenarioAllocation) -> tuple[Share, ...]:
        """Return the shares of an allocation: they are the same as long as it runs."""
        found = self._known.get(id(item))
        if found is None:
            found = self._known[id(item)] = tuple(self._shares(item))
        return found

    def _start(self, item: ScenarioAllocation) -> float:
        """Return the start in a node key: whole seconds."""
        return float(int(self._stage.origin + item.begin))

    def _platform(self, item: ScenarioAllocation) -> str:
        return item.platform if self._apart else PLATFORM

    def _shares(self, item: ScenarioAllocation) -> Iterator[Share]:
        for name, index in item.holds if item.works_on is None else item.works_on:
            if name == self._node.name:
                yield Share(
                    node=name,
                    gpu=device_uuid(name, index),
                    platform=self._platform(item),
                    id=item.id,
                    start=self._start(item),
                )

    def _signs(self, item: ScenarioAllocation, now: float) -> Iterator[NodeSign]:
        if any(one.of == "people" for one in self._stage.distortions(self._node.name, now)):
            return
        for sign in signs(item, now, origin=self._stage.origin):
            yield NodeSign(
                node=self._node.name,
                platform=self._platform(item),
                id=item.id,
                start=self._start(item),
                sign=sign,
            )

    def _pressure(self, item: ScenarioAllocation, at: float) -> Pressure | None:
        word = pressure(item, self._stage, node=self._node.name, at=at)
        return word and replace(word, platform=self._platform(item))

    def _receivers(self, item: ScenarioAllocation) -> Receivers:
        return Receivers(
            node=self._node.name,
            id=item.id,
            start=self._start(item),
            catches={"batch": frozenset(item.catches)},
            platform=self._platform(item),
        )
