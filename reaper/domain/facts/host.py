"""
What an allocation's processes do on their hosts, as a track on the same grid as the devices.

Each node is looked at by itself, and the busiest one speaks for all: what many ranks do a little
of adds up to no work, and one node at work is not averaged away.  The bounds are absolute: one
thread that unpacks data is work, however many cores its allocation has.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.track import Track

#: Letters of a host track: at work; quiet as far as it is seen, and quiet with its network too;
#: ``?`` where it was not seen.
AT_WORK: Final = "B"
QUIET: Final = "Q"
STILL: Final = "S"

#: Cores in use on a node from which on it works, whatever its GPUs do; a waiting kernel takes
#: 0.01, an editor's server 0.05, a slow download 0.3.
CORES: Final = 0.2

#: Cores below which on a node nothing moves data either: whoever reads or writes copies it, and ten
#: megabytes a second take more.
SLEEPS: Final = 0.01

#: Share of the time stuck in input or output from which on a host reads or writes.
STUCK: Final = 0.10

#: Bytes per second in and out from which on a node moves data; keeping a file system mounted and
#: a machine watched takes a tenth of that.
MOVES: Final = 1e6

#: The resource that counts bytes that it sends and receives itself, where anything tells them.
NETWORK: Final = "network"

#: Minutes of a host's track that are remembered.
_REMEMBERED: Final = 1440

#: Resources whose seconds are seconds of waiting for data.
_WAITS: Final = ("uninterruptible", "block_io", "io_stall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressure:
    """
    A node's word on an allocation: seconds so far by resource (wire: allocation_pressure).

    `moved` are the bytes that its node has sent and received so far, by whomever; None where
    nothing counts them.  `alone` tells whether no other allocation is there.  `platform` is empty
    where an older exporter does not say it.
    """

    node: str
    id: str
    start: float
    at: float
    seconds: Mapping[str, float]
    platform: str = ""
    moved: float | None = None
    alone: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What an allocation does on its busiest node; `moves` is None where that is not known."""

    cores: float = 0.0
    stuck: float = 0.0
    """Share of the time spent waiting for data."""
    moves: float | None = None
    """Bytes per second."""

    @property
    def letter(self) -> str:
        """Return the letter of a minute of it."""
        moves = self.moves
        if self.cores >= CORES or self.stuck >= STUCK or (moves or 0.0) >= MOVES:
            return AT_WORK
        return QUIET if moves is None and self.cores >= SLEEPS else STILL


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What is kept of an allocation's hosts: the last word of each node, and the track."""

    last: Mapping[str, Pressure] = field(default_factory=dict)
    track: Track = field(default_factory=lambda: Track(start=0))
    cores: float = 0.0
    """Cores in use on the busiest node over the newest minute."""
    stuck: float = 0.0
    """Share of the newest minute spent waiting for data, on the node that waits most."""


def after(
    host: Host | None, now: Mapping[str, Pressure], *, nodes: Collection[str], minute: int
) -> Host:
    """
    Return the host after a closed minute; a node that is silent or began anew makes it ``?``.

    `nodes` are all that it has: of one that says nothing the others do not speak, but for work.
    """
    if host is None or not host.last:
        track = host.track if host else Track(start=minute + 1)
        return Host(last=now, track=_recent(track.extend(minute + 1, "")))
    found = load(host.last, now)
    first = host.track.end if host.track.letters else minute
    letter = found.letter if found else UNSEEN
    if letter != AT_WORK and not now.keys() >= set(nodes):
        letter = UNSEEN
    track = _longer(host.track, first, letter * (minute + 1 - first))
    if found is None:
        return Host(last=now, track=track)
    return Host(last=now, track=track, cores=found.cores, stuck=found.stuck)


def _longer(track: Track, first: int, letters: str) -> Track:
    """Return what is remembered of a track with more letters."""
    if track.letters and first == track.end:
        whole = (track.letters + letters)[-_REMEMBERED:]
        return Track(start=first + len(letters) - len(whole), letters=whole)
    return _recent(track.extend(first, letters))


def _recent(track: Track) -> Track:
    return track.since(track.end - _REMEMBERED)


def load(before: Mapping[str, Pressure], now: Mapping[str, Pressure]) -> Load | None:
    """Return what was done between two words of all nodes; None where one does not join."""
    if not now or before.keys() != now.keys():
        return None
    if len(now) == 1:
        [(node, later)] = now.items()
        return _load(before[node], later)
    found = [_load(before[node], later) for node, later in now.items()]
    loads = [one for one in found if one is not None]
    if len(loads) < len(found):
        return None
    moves = [one.moves for one in loads]
    known = [one for one in moves if one is not None]
    return Load(
        cores=max(one.cores for one in loads),
        stuck=max(one.stuck for one in loads),
        moves=max(known) if len(known) == len(moves) else _at_least(known),
    )


def _at_least(known: list[float]) -> float | None:
    """Return what one node is seen to move, where another is not seen: only work is certain."""
    most = max(known, default=0.0)
    return most if most >= MOVES else None


def _load(earlier: Pressure, later: Pressure) -> Load | None:
    elapsed, known = later.at - earlier.at, earlier.seconds
    if elapsed <= 0 or later.start != earlier.start:
        return None
    grown = {name: at - known[name] for name, at in later.seconds.items() if name in known}
    if "cpu" not in grown or min(grown.values()) < 0:
        return None
    stuck = max([grown.get(name, 0.0) for name in _WAITS])
    network = grown[NETWORK] / elapsed if NETWORK in grown else _moves(earlier, later, elapsed)
    return Load(cores=grown["cpu"] / elapsed, stuck=stuck / elapsed, moves=network)


def _moves(earlier: Pressure, later: Pressure, elapsed: float) -> float | None:
    """Return the bytes per second of a node; much beside another allocation is nobody's."""
    if earlier.moved is None or later.moved is None or later.moved < earlier.moved:
        return None
    rate = (later.moved - earlier.moved) / elapsed
    return rate if later.alone or rate < MOVES else None
