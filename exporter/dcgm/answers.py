"""
What a page of dcgm-exporter says of one device, in our signals; pure.

The difference between paused and never collected shows over time alone: series that were there
and vanish while others of the device stay are held by somebody's profiler.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from exporter.dcgm.page import Value
from exporter.sampling import plausible
from exporter.sampling.snapshot import Absent, Flow, Measured

PAUSED: Final = Absent(
    state="paused",
    reason="DCGM_FI_PROF series vanished while others stay: a profiler holds the counters",
)
UNLISTED: Final = Absent(
    state="unsupported",
    reason="dcgm-exporter does not list this device: is its page of this node? After a change of"
    " MIG it must be restarted",
)
UNCOLLECTED: Final = Absent(
    state="unsupported",
    reason="dcgm-exporter shows no DCGM_FI_PROF series: its log says why; the module needs DCGM's"
    " proprietary package and a data-center or workstation GPU, and the fields must be in its list",
)
_VANISHED: Final = Absent(state="stale", reason="dcgm-exporter no longer shows the series")
_BOUND: Final = (
    "upper bound by GR_ENGINE_ACTIVE; add DCGM_FI_PROF_SM_ACTIVE to dcgm-exporter's fields"
)
_NAMES: Final[Mapping[str, str]] = {
    "sm": "SM_ACTIVE",
    "tensor": "PIPE_TENSOR_ACTIVE",
    "dram": "DRAM_ACTIVE",
    "engine": "GR_ENGINE_ACTIVE",
    "pcie": "PCIE_TX_BYTES and PCIE_RX_BYTES",
    "nvlink": "NVLINK_TX_BYTES and NVLINK_RX_BYTES",
}
#: The only sign of life that DCGM has for a MIG instance's engine.
_ALIAS: Final[Mapping[str, str]] = {"engine": "graphics"}
_SIGNALS: Final = ("sm", "tensor", "dram", "engine")
_LINKS: Final = ("pcie", "nvlink")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """A value or a reason per signal and link; `touched` names what was cut or refused."""

    signals: Mapping[str, Measured | Absent]
    links: Mapping[str, Flow | Absent]
    touched: tuple[str, ...] = ()


def nothing(reason: Absent) -> Answers:
    """Return the same absence for everything."""
    return Answers(signals=dict.fromkeys(_SIGNALS, reason), links=dict.fromkeys(_LINKS, reason))


def answers(fields: Mapping[str, Value] | None, seen: frozenset[str]) -> Answers:
    """Return what a device's `fields` say; `seen` are those that were ever shown for it.

    `fields` is None for a device that the page does not list.
    """
    if fields is None:
        return nothing(UNLISTED)
    if not fields:
        return nothing(PAUSED if seen else UNCOLLECTED)
    return _Reading(fields, seen).answers()


@dataclass(slots=True)
class _Reading:
    fields: Mapping[str, Value]
    seen: frozenset[str]
    touched: list[str] = field(default_factory=list)

    def answers(self) -> Answers:
        signals = {name: self._signal(name) for name in _SIGNALS}
        links = {name: self._link(name) for name in _LINKS}
        return Answers(signals=signals, links=links, touched=tuple(self.touched))

    def _signal(self, name: str) -> Measured | Absent:
        field_name = _ALIAS.get(name, name)
        value = self.fields.get(field_name)
        if value is None and name == "sm" and name not in self.seen:
            return self._bound()
        return self._ratio(name, self._missing(name, field_name) if value is None else value)

    def _missing(self, name: str, field_name: str) -> Absent:
        if field_name in self.seen:
            return _VANISHED
        reason = f"add DCGM_FI_PROF_{_NAMES[name]} to dcgm-exporter's fields"
        return Absent(state="unsupported", reason=reason)

    def _bound(self) -> Measured | Absent:
        graphics = self.fields.get("graphics")
        found = self._ratio("sm", self._missing("sm", "sm") if graphics is None else graphics)
        if isinstance(found, Absent):
            return found
        return Measured(value=found.value, source="dcgm", note=_BOUND)

    def _ratio(self, name: str, value: Value) -> Measured | Absent:
        if isinstance(value, Absent):
            return value
        judged = plausible.ratio(value, "dcgm")
        if judged.touched:
            self.touched.append(name)
        return judged.value

    def _link(self, name: str) -> Flow | Absent:
        sent, received = (self.fields.get(f"{name} {way}") for way in ("sent", "received"))
        if sent is None or received is None:
            return self._missing(name, f"{name} sent")
        if isinstance(sent, Absent):
            return sent
        if isinstance(received, Absent):
            return received
        if not (plausible.flow(sent) and plausible.flow(received)):
            self.touched.append(name)
            return plausible.IMPLAUSIBLE
        return Flow(sent=sent, received=received, source="dcgm")
