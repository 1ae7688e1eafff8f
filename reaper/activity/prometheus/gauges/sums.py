"""
Raw samples of gauges summed up into what an exporter of counters would have counted.

A sample counts from its time until the next one, but for one collection interval at most: then
it is stale, and what follows is unseen until the next.  Pure but for the sums that it keeps.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from exporter.contract.catalog import ACTIVITY_SIGNALS, EDGES, LINKS
from reaper.activity.prometheus.pages import SHOWN_EDGES
from reaper.domain.facts.reading import Reading

#: Activity signals by which seconds above an edge are counted: all but utilisation.
_WORK: Final = ("sm", "tensor", "dram", "codec")
_EDGES: Final = tuple(float(edge) for edge in EDGES[:SHOWN_EDGES])
#: Part of a minute that power must be seen for its energy to be known.
_FULL: Final = 0.95

Samples = Mapping[str, Mapping[float, float]]
"""By signal: Unix seconds to the value in base units."""


@dataclass(slots=True, kw_only=True)
class Sums:
    """A device's counters since `epoch` began; `interval` is the time for which a value counts."""

    gpu: str
    epoch: str
    interval: float
    observed: dict[str, float] = field(default_factory=dict)
    active: dict[str, float] = field(default_factory=dict)
    above: list[float] = field(default_factory=lambda: [0.0] * len(_EDGES))
    links: dict[str, float] = field(default_factory=dict)
    joules: float = 0.0

    def begun(self, samples: Samples, at: float) -> Reading:
        """Return the counters of zero with which these signals begin."""
        zeros = {signal: 0.0 for signal in ACTIVITY_SIGNALS if samples.get(signal)}
        return Reading(
            gpu=self.gpu,
            at=at,
            epoch=self.epoch,
            observed=zeros,
            active=zeros,
            above=tuple(self.above),
            links={link: 0.0 for link in LINKS if samples.get(link)},
            joules=0.0,
        )

    def add(self, samples: Samples, begin: float, end: float) -> Reading:
        """Add what was sampled in ``(begin, end]`` and return the counters at `end`."""
        for signal in ACTIVITY_SIGNALS:
            self._seen(signal, samples.get(signal, {}), begin, end)
        for link in LINKS:
            spans = _spans(samples.get(link, {}), begin, end, self.interval)
            moved = sum(value * seconds for value, seconds in spans)
            self.links[link] = self.links.get(link, 0.0) + moved
        self._rise(samples, begin, end)
        return self._reading(samples, begin, end)

    def _seen(self, signal: str, values: Mapping[float, float], begin: float, end: float) -> None:
        for value, seconds in _spans(values, begin, end, self.interval):
            self.observed[signal] = self.observed.get(signal, 0.0) + seconds
            self.active[signal] = self.active.get(signal, 0.0) + value * seconds

    def _rise(self, samples: Samples, begin: float, end: float) -> None:
        """Count the seconds in which the busiest signal stood above each edge."""
        busiest: dict[float, float] = {}
        for signal in _WORK:
            for at, value in samples.get(signal, {}).items():
                busiest[at] = max(value, busiest.get(at, 0.0))
        for value, seconds in _spans(busiest, begin, end, self.interval):
            for number, edge in enumerate(_EDGES):
                self.above[number] += seconds if value > edge else 0.0

    def _reading(self, samples: Samples, begin: float, end: float) -> Reading:
        power = samples.get("power", {})
        drawn = tuple(_spans(power, begin, end, self.interval))
        self.joules += sum(watts * seconds for watts, seconds in drawn)
        whole = sum(seconds for _, seconds in drawn) >= (end - begin) * _FULL
        return Reading(
            gpu=self.gpu,
            at=end,
            epoch=self.epoch,
            observed=dict(self.observed),
            active=dict(self.active),
            above=tuple(self.above),
            links={link: self.links[link] for link in LINKS if samples.get(link)},
            joules=self.joules if whole else None,
            memory_used=_newest(samples.get("memory", {}), end, self.interval),
            power=_newest(power, end, self.interval),
        )


def _spans(
    values: Mapping[float, float], begin: float, end: float, interval: float
) -> Iterator[tuple[float, float]]:
    """Yield each value with the seconds of ``(begin, end]`` for which it counts."""
    times = sorted(values)
    first = max(0, bisect_right(times, begin) - 1)
    for number in range(first, len(times)):
        at = times[number]
        until = min(times[number + 1] if number + 1 < len(times) else end, at + interval, end)
        seconds = until - max(at, begin)
        if seconds > 0:
            yield values[at], seconds


def _newest(values: Mapping[float, float], end: float, interval: float) -> float | None:
    at = max((at for at in values if at <= end), default=None)
    return values[at] if at is not None and end - at <= interval else None
