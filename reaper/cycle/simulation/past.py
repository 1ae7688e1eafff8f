"""The past as a simulation reads it: runs, letters, what was known of them, demand; pure."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from reaper.domain.escalation.keep import Keep
from reaper.domain.facts.allocation import Allocation, Claim
from reaper.domain.facts.demand import Request
from reaper.domain.facts.device import Device
from reaper.domain.facts.evidence import PROFILING, UTILISATION, Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.host import STILL, Host
from reaper.domain.facts.inputs import History, Inputs
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.serving import REQUEST, Service
from reaper.domain.facts.sign import Sign
from reaper.domain.facts.track import HORIZON, LONG_WORK, LONGEST, Track
from reaper.domain.facts.typed import typed

#: Changes of what is drawn of a run that are looked through for inputs.
_LOOKED_BACK: Final = 64

Signs = Callable[[float], tuple[Sign, ...]]
"""Returns what was seen of people at an instant."""


Claims = Callable[[float], Claim]
"""Returns what its holder said of a run at an instant."""


def nobody(now: float) -> tuple[Sign, ...]:
    """Return no sign: what was seen of people is not kept."""
    del now
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """
    One run: who held what from `begin` to `end` (None: longer than is known), Unix seconds.

    `marks` are the instants, in order, at which its signs, host or requests change; `ended_by_us`
    is when a reaper ended it, so that what came after is not known.  `history` is what a reaper
    kept of it: it says more than `signs`; None where everything is drawn.
    """

    allocation: Allocation
    begin: float
    end: float | None
    signs: Signs = nobody
    claims: Claims | None = None
    """What its holder said; None where that did not change."""
    marks: Sequence[float] = ()
    host: Host | None = None
    service: Service | None = None
    history: History | None = None
    ended_by_us: float | None = None
    keeps: tuple[Keep, ...] = ()

    @property
    def key(self) -> str:
        """Return the run's key."""
        return self.allocation.run.key

    def kept(self, minute: int) -> Inputs | None:
        """Return what was kept of the turn that closed a minute; None where nothing was."""
        return self.history.at(minute) if self.history is not None else None

    def seen(self, minute: int, now: float) -> Allocation:
        """Return the allocation as the turn at `now` knew it, that closed a minute."""
        kept = self.kept(minute)
        if kept is not None:
            return kept.known_of(self.allocation, now)
        claim = self.claims(now) if self.claims else self.allocation.claim
        return replace(self.allocation, signs=self.signs(now), claim=claim, doubt=claim.doubt)

    def hosted(self, minute: int) -> Host | None:
        """
        Return what was known of its hosts; None where nothing measured them.

        Where that is not kept, they are taken to have rested.
        """
        kept = self.kept(minute)
        if self.history is not None and kept is None:
            return Host(track=Track(start=minute + 1 - HORIZON, letters=STILL * HORIZON))
        if self.host is None or (kept is not None and not kept.host):
            return None
        return Host(track=_until(self.host.track, minute, HORIZON))

    def serving(self, minute: int) -> Service | None:
        """Return what was known of its requests; None where nothing counted them."""
        if self.service is None:
            return None
        kept = self.kept(minute)
        known = self.history is None or (kept is not None and kept.served)
        return (
            Service(track=_until(self.service.track, minute, LONGEST).recent(REQUEST))
            if known
            else None
        )

    def typed(self, minute: int, ends: Callable[[int], float]) -> tuple[float, ...]:
        """Return when people typed last, as the turn knew that closed a minute; oldest first."""
        if self.history is not None:
            return self.history.typed(minute)
        now = ends(minute)
        last = bisect_right(self.marks, now)
        found: tuple[float, ...] = ()
        for mark in (*self.marks[max(0, last - _LOOKED_BACK) : last], now):
            found = typed(found, self.signs(mark))
        return found

    def next_mark(self, now: float) -> float:
        """Return when something of it changes next; never is infinite."""
        place = bisect_right(self.marks, now)
        return self.marks[place] if place < len(self.marks) else inf


def _until(track: Track, minute: int, longest: int) -> Track:
    return track.clip(max(track.start, minute + 1 - longest), minute + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """
    All runs of ``[begin, end)``, the letters of their devices, and what waited.

    `waiting` are the requests from each instant on, in order.  `said` are the witnesses of a
    device's stretch in each minute of its track, where two are not taken for granted.
    """

    begin: float
    end: float
    runs: tuple[PastRun, ...]
    tracks: Mapping[str, Track]
    waiting: Sequence[tuple[float, tuple[Request, ...]]] = ()
    said: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
    _since: list[float] = field(default_factory=list, repr=False)

    def waited(self, now: float) -> tuple[Request, ...]:
        """Return the requests that waited at an instant."""
        place = bisect_right(self._instants(), now)
        return self.waiting[place - 1][1] if place else ()

    def changes_after(self, now: float) -> float | None:
        """Return when what waits changes next; None for never."""
        instants = self._instants()
        place = bisect_right(instants, now)
        return instants[place] if place < len(instants) else None

    def witnesses(self, gpu: str, minute: int) -> tuple[str, ...] | None:
        """Return who said idle in a device's stretch as of a minute; None where nobody tells."""
        said = self.said.get(gpu)
        place = minute - self.tracks[gpu].start if said else -1
        return said[place] if said and 0 <= place < len(said) else None

    def _instants(self) -> list[float]:
        if len(self._since) != len(self.waiting):
            self._since[:] = [at for at, _ in self.waiting]
        return self._since


#: Letters tell that a minute was idle, not who said so: where that is not kept, two witnesses are
#: taken for granted.
_WITNESSES: Final = (PROFILING, UTILISATION)

_NO_WORK: Final = "HEX"


def sight(
    runs: Iterable[PastRun], past: Past, pace: Pace, minute: int
) -> tuple[dict[str, Track], dict[str, DeviceRecord]]:
    """Return tracks up to and with `minute`, and records with the evidence of their stretches."""
    tracks: dict[str, Track] = {}
    records: dict[str, DeviceRecord] = {}
    for run in runs:
        kept = run.kept(minute)
        places = {gpu: place for place, gpu in enumerate(sorted(run.allocation.gpus))}
        for device in run.allocation.devices:
            whole = past.tracks.get(device.gpu)
            if whole is not None and device.gpu not in tracks:
                tracks[device.gpu] = _recent(whole, minute)
                said = (
                    kept.of_device(places[device.gpu]).witnesses
                    if kept
                    else past.witnesses(device.gpu, minute)
                )
                records[device.gpu] = _record(
                    device, whole, minute, pace, _WITNESSES if said is None else said
                )
    return tracks, records


def _recent(whole: Track, minute: int) -> Track:
    begin = max(whole.start, minute + 1 - LONGEST)
    letters = whole.letters[begin - whole.start : max(0, minute + 1 - whole.start)]
    return Track(start=begin, letters=letters).recent(LONG_WORK)


def _record(
    device: Device, whole: Track, minute: int, pace: Pace, witnesses: tuple[str, ...]
) -> DeviceRecord:
    end = max(0, minute + 1 - whole.start)
    seconds = _tail(whole.letters, end) * pace.step
    return DeviceRecord(
        device=device,
        evidence=Evidence(seconds=seconds, witnesses=dict.fromkeys(witnesses, seconds)),
    )


def _tail(letters: str, end: int) -> int:
    """Count the minutes without work before `end`, looking back no further than they reach."""
    reach = HORIZON
    while True:
        begin = max(0, end - reach)
        part = letters[begin:end]
        tail = len(part) - len(part.rstrip(_NO_WORK))
        if tail < len(part) or begin == 0:
            return tail
        reach *= 4
