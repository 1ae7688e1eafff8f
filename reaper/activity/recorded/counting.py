"""One drawn device as an exporter would count it: letters become seconds, bytes and joules."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import Final

from exporter.contract.catalog import ACTIVITY_SIGNALS, EDGES, LINKS, SIGNALS
from exporter.contract.distortion import PROFILED, Look, Shown, model
from exporter.contract.scenario import ScenarioNode, device_uuid
from exporter.contract.stage import Stage
from reaper.domain.facts.device import Device, SignalState
from reaper.domain.facts.reading import Reading

_EDGES: Final = tuple(float(edge) for edge in EDGES)
_LOST: Final = "the simulated device does not answer"
_PAUSED: Final = "the scenario draws that this signal is paused"
_UTILISATION: Final = "engine"
_UNMEASURED: Final = "the simulated model has no utilisation, as a MIG instance"
_UNPROFILED: Final = "the simulated model has no profiling counters"

#: Nothing answers.
_BLIND: Final = Shown(look=None)


@dataclass(frozen=True, slots=True)
class Rates:
    """
    What each counter of a node's devices grows by in a second, in the order of a reading.

    The order: seconds seen by signal, active seconds by signal, seconds above each edge, bytes by
    link, joules.
    """

    node: ScenarioNode
    signals: tuple[str, ...]
    active: tuple[str, ...]
    links: tuple[str, ...]

    @classmethod
    def of(cls, node: ScenarioNode) -> "Rates":
        """Return the rates of a node's devices; unprofiled ones lack the profiling signals."""
        return cls(node, _shown(node, SIGNALS), _shown(node, ACTIVITY_SIGNALS), _shown(node, LINKS))

    @property
    def zero(self) -> tuple[float, ...]:
        """Return counters that have counted nothing."""
        return (0.0,) * (len(self.signals) + len(self.active) + len(_EDGES) + len(self.links) + 1)

    def growth(self, shown: Shown) -> tuple[float, ...] | None:
        """Return what a second of it adds; None where nothing answers."""
        return _growth(self, shown)


@lru_cache(maxsize=1024)
def _growth(rates: Rates, shown: Shown) -> tuple[float, ...] | None:
    look, paused = shown.look, shown.paused
    if look is None:
        return None
    busiest = _busiest(look, rates.node, paused)
    return (
        *(float(signal not in paused) for signal in rates.signals),
        *(0.0 if signal in paused else float(getattr(look, signal)) for signal in rates.active),
        *(float(busiest > edge) for edge in _EDGES),
        *(0.0 if link in paused else 2 * look.link for link in rates.links),
        0.0 if "power" in paused else look.power * model(rates.node.model).power,
    )


@dataclass(slots=True)
class Meter:
    """A device's counters until `at`, the letter it played last, and what was shown of it."""

    device: Device
    rates: Rates
    at: float
    letter: str = "?"
    shown: Shown = _BLIND
    counters: tuple[float, ...] = field(init=False)
    _until: float = -inf
    """Until when it shows the same, releases that are not known yet aside."""
    _releases: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        self.counters = self.rates.zero

    def advance(self, stage: Stage, to: float, releases: tuple[float, ...]) -> None:
        """Play forward to a time."""
        while self.at < to:
            if self.at >= self._until or releases != self._releases:
                self._look(stage, releases)
            end = min(to, self._until)
            self._add(end - self.at)
            self.at = end

    def _look(self, stage: Stage, releases: tuple[float, ...]) -> None:
        """See what it plays and shows from now on, and until when."""
        index, node = self.device.index or 0, self.rates.node
        ahead = (moment for moment in releases if moment > self.at)
        self._until = min((stage.changes(node.name, index, self.at), *ahead))
        self._releases = releases
        self.letter = stage.letter(node.name, index, self.at)
        self.shown = stage.shown(node, index, self.letter, self.at)

    def _add(self, seconds: float) -> None:
        growth = self.rates.growth(self.shown)
        if growth is not None:
            pairs = zip(self.counters, growth, strict=True)
            self.counters = tuple(counter + seconds * rate for counter, rate in pairs)

    def reading(self, epoch: str, ahead: float = 0.0) -> Reading:
        """Return the counters as a reading of a node whose clock is so many seconds ahead."""
        rates, counters = self.rates, self.counters
        seen = len(rates.signals)
        edges = seen + len(rates.active)
        links = edges + len(_EDGES)
        look, paused = self.shown.look, self.shown.paused
        memory, watts = model(rates.node.model).memory, model(rates.node.model).power
        powered = look is not None and "power" not in paused
        return Reading(
            gpu=self.device.gpu,
            at=self.at + ahead,
            epoch=epoch,
            observed=dict(zip(rates.signals, counters[:seen], strict=True)),
            active=dict(zip(rates.active, counters[seen:edges], strict=True)),
            above=counters[edges:links],
            links=dict(zip(rates.links, counters[links:-1], strict=True)),
            joules=counters[-1] if powered or look is None else None,
            memory_used=None if look is None or "memory" in paused else look.memory * memory,
            power=look.power * watts if look is not None and powered else None,
            processes=None if look is None or "processes" in paused else look.seen,
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


def signals(
    gpu: str, node: ScenarioNode, *, answers: bool, paused: frozenset[str] = frozenset()
) -> tuple[SignalState, ...]:
    """Return the state of every signal of a device that answers or does not."""
    return tuple(
        _signal(gpu, name, node, answers=answers, paused=name in paused) for name in SIGNALS
    )


def _signal(gpu: str, name: str, node: ScenarioNode, *, answers: bool, paused: bool) -> SignalState:
    if not _shown(node, (name,)):
        state, reason = "unsupported", _UNMEASURED if name == _UTILISATION else _UNPROFILED
    elif not answers:
        state, reason = "lost", _LOST
    elif paused:
        state, reason = "paused", _PAUSED
    else:
        return SignalState(gpu=gpu, signal=name, source="simulated", state="ok")
    return SignalState(gpu=gpu, signal=name, source="none", state=state, reason=reason)


def _shown(node: ScenarioNode, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name
        for name in names
        if (node.profiling or name not in PROFILED) and (node.utilisation or name != _UTILISATION)
    )


def _busiest(look: Look, node: ScenarioNode, paused: frozenset[str]) -> float:
    """Return the busiest signal but utilisation, which says that a kernel waits, not works."""
    measured = [name for name in ("sm", "tensor", "dram") if node.profiling and name not in paused]
    return max(look.codec, *(float(getattr(look, name)) for name in measured), 0.0)
