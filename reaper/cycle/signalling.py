"""The words for the signals of devices: where each comes from, and why one is not there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reaper.ports import NodeReport


@dataclass(slots=True)
class SignalWords:
    """Words by node and device, each node's written once a turn."""

    _written: dict[str, Mapping[str, list[str]]] = field(default_factory=dict)

    def of(self, report: NodeReport | None, gpu: str) -> tuple[str, ...]:
        """Return ``signal source state reason`` of each signal of a device, for reading."""
        if report is None:
            return ()
        if report.node not in self._written:
            words: dict[str, list[str]] = {}
            for item in report.signals:
                said = filter(None, (item.signal, item.source, item.state, item.reason))
                words.setdefault(item.gpu, []).append(" ".join(said))
            self._written[report.node] = words
        return tuple(self._written[report.node].get(gpu, ()))
