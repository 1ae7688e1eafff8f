"""One drawn device as an exporter would count it: letters become seconds, bytes and joules."""

from dataclasses import dataclass, field
from typing import Final

from exporter.contract.catalog import ACTIVITY_SIGNALS, EDGES, LINKS, SIGNALS
from exporter.contract.looks import LOOKS, PROFILED, Look, model
from exporter.contract.scenario import ScenarioNode, device_uuid
from exporter.contract.stage import Stage
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.reading import Reading

_EDGES: Final = tuple(float(edge) for edge in EDGES)
_LOST: Final = "the simulated device does not answer"
_UTILISATION: Final = "engine"
_UNMEASURED: Final = "the simulated model has no utilisation, as a MIG instance"
_UNPROFILED: Final = "the simulated model has no profiling counters"


@dataclass(frozen=True, slots=True)
class Rates:
    """
    What each counter grows by in a second of each letter, in the order of a reading.

    The order: seconds seen, active seconds by signal, seconds above each edge, link bytes, joules.
    """

    signals: tuple[str, ...]
    links: tuple[str, ...]
    growth: dict[str, tuple[float, ...]]

    @classmethod
    def of(cls, node: ScenarioNode) -> "Rates":
        """Return the rates of a node's devices; unprofiled ones lack the profiling signals."""
        signals = _shown(node, ACTIVITY_SIGNALS)
        watts = model(node.model).power
        growth = {
            letter: (
                1.0,
                *(float(getattr(look, signal)) for signal in signals),
                *(float(_busiest(look, node) > edge) for edge in _EDGES),
                2 * look.link,
                look.power * watts,
            )
            for letter, look in LOOKS.items()
        }
        return cls(signals, _shown(node, LINKS), growth)


@dataclass(slots=True)
class Meter:
    """A device's counters until `at`, and the letter it played last."""

    device: Device
    rates: Rates
    at: float
    letter: str = "?"
    counters: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.counters = tuple(0.0 for _ in self.rates.growth["E"])

    def advance(self, stage: Stage, to: float, releases: tuple[float, ...]) -> None:
        """Play forward to a time."""
        step, index = stage.scenario.step, self.device.index or 0
        while self.at < to:
            edge = stage.origin + ((self.at - stage.origin) // step + 1) * step
            end = min((edge, to, *(moment for moment in releases if moment > self.at)))
            self.letter = stage.letter(self.device.node, index, self.at)
            self._add(end - self.at)
            self.at = end

    def _add(self, seconds: float) -> None:
        growth = self.rates.growth.get(self.letter)
        if growth is not None:
            pairs = zip(self.counters, growth, strict=True)
            self.counters = tuple(counter + seconds * rate for counter, rate in pairs)

    def reading(self, epoch: str, node: ScenarioNode) -> Reading:
        """Return the counters as a reading."""
        rates, counters = self.rates, self.counters
        edges = 1 + len(rates.signals)
        look = LOOKS.get(self.letter)
        return Reading(
            gpu=self.device.gpu,
            at=self.at,
            epoch=epoch,
            observed=dict.fromkeys(_shown(node, SIGNALS), counters[0]),
            active=dict(zip(rates.signals, counters[1:edges], strict=True)),
            above=counters[edges:-2],
            links=dict.fromkeys(rates.links, counters[-2]),
            joules=counters[-1],
            memory_used=None if look is None else look.memory * model(node.model).memory,
            power=None if look is None else look.power * model(node.model).power,
            processes=None if look is None else int(look.memory > 0),
        )


def devices(node: ScenarioNode) -> tuple[Device, ...]:
    """Return a node's devices, the same as its simulated driver lists."""
    return tuple(
        Device(
            gpu=gpu,
            node=node.name,
            index=index,
            minor=index,
            gres_index=index,
            gres_source="scenario",
            model=node.model,
            architecture=model(node.model).architecture,
            mig_profile=node.mig_profile,
            parent=node.card(gpu),
            generation="simulated",
        )
        for index in range(len(node.tracks))
        for gpu in (device_uuid(node.name, index),)
    )


def signals(gpu: str, node: ScenarioNode, *, answers: bool) -> tuple[SignalState, ...]:
    """Return the state of every signal of a device that answers or does not."""
    return tuple(_signal(gpu, name, node, answers=answers) for name in SIGNALS)


def _signal(gpu: str, name: str, node: ScenarioNode, *, answers: bool) -> SignalState:
    if not _shown(node, (name,)):
        state, reason = "unsupported", _UNMEASURED if name == _UTILISATION else _UNPROFILED
    elif not answers:
        state, reason = "lost", _LOST
    else:
        return SignalState(gpu=gpu, signal=name, source="simulated", state="ok")
    return SignalState(gpu=gpu, signal=name, source="none", state=state, reason=reason)


def _shown(node: ScenarioNode, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name
        for name in names
        if (node.profiling or name not in PROFILED) and (node.utilisation or name != _UTILISATION)
    )


def _busiest(look: Look, node: ScenarioNode) -> float:
    """Return the busiest signal but utilisation, which says that a kernel waits, not works."""
    return max(look.sm, look.tensor, look.dram, look.codec) if node.profiling else look.codec
