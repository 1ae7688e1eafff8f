"""What an allocation's processes do on their hosts, as a track on the same grid as the devices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.facts.track import Track

#: Letters of a host track: at work, quiet; ``?`` where it was not seen.
AT_WORK: Final = "B"
QUIET: Final = "Q"

#: Cores in use from which on a host works, whatever its GPUs do; a waiting kernel takes 0.01.
CORES: Final = 0.5

#: Share of the time stuck in input or output from which on a host reads or writes.
STUCK: Final = 0.10

#: Resources whose seconds are seconds of waiting for data.
_WAITS: Final = ("uninterruptible", "block_io", "io_stall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressure:
    """A node's word on an allocation: seconds so far by resource (wire: allocation_pressure)."""

    node: str
    id: str
    start: float
    at: float
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What is kept of an allocation's hosts: the last word of each node, and the track."""

    last: Mapping[str, Pressure] = field(default_factory=dict)
    track: Track = field(default_factory=lambda: Track(start=0))
    cores: float = 0.0
    """Cores in use over the newest minute."""
    stuck: float = 0.0
    """Share of the newest minute spent waiting for data, over all its processes."""


def after(host: Host | None, now: Mapping[str, Pressure], *, minute: int) -> Host:
    """Return the host after a closed minute; a node that is silent or began anew makes it ``?``."""
    if host is None or not host.last:
        track = host.track if host else Track(start=minute + 1)
        return Host(last=now, track=track.extend(minute + 1, ""))
    cores = _rate(host.last, now, ("cpu",))
    stuck = _rate(host.last, now, _WAITS)
    first = host.track.end if host.track.letters else minute
    if cores is None:
        return Host(last=now, track=host.track.extend(first, "?" * (minute + 1 - first)))
    busy = cores >= CORES or (stuck or 0.0) >= STUCK
    letters = (AT_WORK if busy else QUIET) * (minute + 1 - first)
    track = host.track.extend(first, letters)
    return Host(last=now, track=track.since(track.end - 1440), cores=cores, stuck=stuck or 0.0)


def _rate(
    before: Mapping[str, Pressure], now: Mapping[str, Pressure], resources: tuple[str, ...]
) -> float | None:
    """Return seconds per second of some resources over all nodes; None where one does not join."""
    if not now or set(before) != set(now):
        return None
    total = 0.0
    for node, later in now.items():
        earlier = before[node]
        elapsed = later.at - earlier.at
        if elapsed <= 0 or later.start != earlier.start:
            return None
        for resource in resources:
            if resource in later.seconds and resource in earlier.seconds:
                growth = later.seconds[resource] - earlier.seconds[resource]
                if growth < 0:
                    return None
                total += growth / elapsed
    return (
        total
        if any(resource in item.seconds for item in now.values() for resource in resources)
        else None
    )
