"""Which source answers for each activity signal: GPM, utilisation, or nothing with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from exporter.contract.catalog import ACTIVITY_SIGNALS, LINKS, SignalSource
from exporter.nvml import gpm
from exporter.nvml.gpm import Gpm, Means
from exporter.nvml.identity import Handle
from exporter.nvml.library import Library, Refusal
from exporter.nvml.links import Links
from exporter.sampling import plausible
from exporter.sampling.snapshot import Absent, Flow, Measured

_MIB: Final = 1024**2
_SLICED: Final = Absent(state="unsupported", reason="MIG is on: its instances show the work")
_NO_LINK: Final = Absent(state="unsupported", reason="links are not counted per MIG instance")
#: The first look may wake the card up, and its memory is then scrubbed at full utilisation.
_WAKING: Final = Absent(
    state="stale", reason="the first utilisation since the driver was opened shows the opening"
)
_NO_CODEC: Final = Absent(state="unsupported", reason="no video engine reports its use")

_PROFILED: Final[Mapping[str, int]] = {"sm": gpm.SM, "tensor": gpm.TENSOR, "dram": gpm.DRAM}
_FLOWS: Final[Mapping[str, tuple[int, int]]] = {
    "pcie": (gpm.PCIE_SENT, gpm.PCIE_RECEIVED),
    "nvlink": (gpm.NVLINK_SENT, gpm.NVLINK_RECEIVED),
}
_ENGINES: Final = (
    "nvmlDeviceGetEncoderUtilization",
    "nvmlDeviceGetDecoderUtilization",
    "nvmlDeviceGetJpgUtilization",
    "nvmlDeviceGetOfaUtilization",
)


@dataclass(slots=True)
class Signals:
    """What was read of one device; `touched` names the signals that were cut or refused."""

    values: dict[str, Measured | Absent] = field(default_factory=dict)
    links: dict[str, Flow | Absent] = field(default_factory=dict)
    touched: list[str] = field(default_factory=list)

    @property
    def lost(self) -> bool:
        """Whether nothing at all was read, because the device does not answer."""
        found = self.values.values()
        return all(isinstance(item, Absent) and item.state == "lost" for item in found)

    def put(self, name: str, value: float | Absent, source: SignalSource) -> None:
        """Add a ratio after a look at its plausibility."""
        if isinstance(value, Absent):
            self.values[name] = value
            return
        judged = plausible.ratio(value, source)
        self.values[name] = judged.value
        if judged.touched:
            self.touched.append(name)


class SignalReader:
    """Reads one device's activity through the sources that it has."""

    def __init__(self, library: Library, monitor: Gpm, links: Links) -> None:
        self._library = library
        self._gpm = monitor
        self._links = links
        self._awake: set[str] = set()

    def opened(self) -> None:
        """Begin anew, as the driver was opened."""
        self._awake.clear()

    def read(self, handle: Handle) -> Signals:
        """Return a value or a reason for every signal and link."""
        if handle.sliced:
            return Signals(
                values=dict.fromkeys(ACTIVITY_SIGNALS, _SLICED),
                links=dict.fromkeys(LINKS, _SLICED),
            )
        signals = Signals()
        means = self._gpm.read(handle)
        counted = {} if isinstance(means, Absent) else means.cycles
        for name, number in _PROFILED.items():
            if name in counted:
                signals.put(name, counted[name], "counter")
            else:
                signals.put(name, _percent(means, number), "gpm")
        if handle.instance is None:
            self._read_card(handle, means, signals)
        else:
            _read_instance(means, signals)
        return signals

    def _read_card(self, handle: Handle, means: Means | Absent, signals: Signals) -> None:
        signals.put("engine", self._utilisation(handle), "nvml")
        signals.put("codec", self._codec(handle), "nvml")
        if isinstance(means, Absent) and means.state == "unsupported":
            signals.links.update(self._links.read(handle))
            return
        for name, (sent, received) in _FLOWS.items():
            signals.links[name] = _flow(means, sent, received)

    def _utilisation(self, handle: Handle) -> float | Absent:
        use = self._library.call("nvmlDeviceGetUtilizationRates", handle.raw, target=handle.target)
        if isinstance(use, Refusal):
            return use.absent()
        if handle.device.uuid not in self._awake:
            self._awake.add(handle.device.uuid)
            return _WAKING
        return float(use.gpu / 100)

    def _codec(self, handle: Handle) -> float | Absent:
        busiest: float | Absent = _NO_CODEC
        for name in _ENGINES:
            answer = self._library.call(name, handle.raw, target=handle.target)
            if not isinstance(answer, Refusal):
                use = answer[0] / 100
                busiest = use if isinstance(busiest, Absent) else max(busiest, use)
            elif not answer.lasting:
                return answer.absent()
        return busiest


def _read_instance(means: Means | Absent, signals: Signals) -> None:
    signals.put("engine", _percent(means, gpm.GRAPHICS), "gpm")
    decoders = [_percent(means, number) for number in gpm.DECODERS]
    found = [value for value in decoders if not isinstance(value, Absent)]
    codec: float | Absent = means if isinstance(means, Absent) else _NO_CODEC
    signals.put("codec", max(found) if found else codec, "gpm")
    signals.links.update(dict.fromkeys(LINKS, _NO_LINK))


def _percent(means: Means | Absent, number: int) -> float | Absent:
    if isinstance(means, Absent):
        return means
    value = means.metrics[number]
    return value if isinstance(value, Absent) else value / 100


def _flow(means: Means | Absent, sent: int, received: int) -> Flow | Absent:
    if isinstance(means, Absent):
        return means
    out, back = means.metrics[sent], means.metrics[received]
    if isinstance(out, Absent):
        return out
    if isinstance(back, Absent):
        return back
    if not (plausible.flow(out * _MIB) and plausible.flow(back * _MIB)):
        return plausible.IMPLAUSIBLE
    return Flow(sent=out * _MIB, received=back * _MIB, source="gpm")
