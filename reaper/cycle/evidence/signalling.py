"""The words for the signals of devices: where each comes from, and why one is not there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reaper.domain.facts.device import SignalState
from reaper.ports import NodeReport

_Words = tuple[str, ...]


@dataclass(slots=True)
class SignalWords:
    """Words by node and device, written anew where a node says something new."""

    _written: dict[str, tuple[object, Mapping[str, _Words]]] = field(default_factory=dict)
    _alike: dict[_Words, _Words] = field(default_factory=dict)
    """Most devices say the same: it is kept once."""

    def of(self, report: NodeReport | None, gpu: str) -> _Words:
        """Return ``signal source state reason`` of each signal of a device, for reading."""
        if report is None:
            return ()
        known = self._written.get(report.node)
        if known is None or known[0] is not report.signals:
            known = self._written[report.node] = report.signals, self._words(report.signals)
        return known[1].get(gpu, ())

    def _words(self, signals: Iterable[SignalState]) -> Mapping[str, _Words]:
        words: dict[str, list[str]] = {}
        for item in signals:
            said = filter(None, (item.signal, item.source, item.state, item.reason))
            words.setdefault(item.gpu, []).append(" ".join(said))
        return {gpu: self._alike.setdefault(key, key) for gpu, key in _frozen(words)}


def _frozen(words: Mapping[str, list[str]]) -> Iterable[tuple[str, _Words]]:
    return ((gpu, tuple(said)) for gpu, said in words.items())
